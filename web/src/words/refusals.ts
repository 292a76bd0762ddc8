import { refusals as english } from './en/refusals.ts'
import { texts } from './texts.ts'

export const refusalWords = texts(english, {
  de: async () => (await import('./de/refusals.ts')).refusals,
  fr: async () => (await import('./fr/refusals.ts')).refusals,
})
