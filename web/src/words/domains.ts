import { domains as english } from './en/domains.ts'
import { texts } from './texts.ts'

export const domainWords = texts(english, {
  de: async () => (await import('./de/domains.ts')).domains,
  fr: async () => (await import('./fr/domains.ts')).domains,
})
