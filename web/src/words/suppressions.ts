import { suppressions as english } from './en/suppressions.ts'
import { texts } from './texts.ts'

export const suppressionWords = texts(english, {
  de: async () => (await import('./de/suppressions.ts')).suppressions,
  fr: async () => (await import('./fr/suppressions.ts')).suppressions,
})
