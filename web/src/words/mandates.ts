import * as english from './en/mandates.ts'
import { texts } from './texts.ts'

export const mandateWords = texts(english.mandates, {
  de: async () => (await import('./de/mandates.ts')).mandates,
  fr: async () => (await import('./fr/mandates.ts')).mandates,
})
