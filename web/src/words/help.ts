import { help as english } from './en/help.ts'
import { texts } from './texts.ts'

export const helpWords = texts(english, {
  de: async () => (await import('./de/help.ts')).help,
  fr: async () => (await import('./fr/help.ts')).help,
})
