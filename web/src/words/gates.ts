import { gates as english } from './en/gates.ts'
import { texts } from './texts.ts'

export const gateWords = texts(english, {
  de: async () => (await import('./de/gates.ts')).gates,
  fr: async () => (await import('./fr/gates.ts')).gates,
})
