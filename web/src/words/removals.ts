import * as english from './en/removals.ts'
import { texts } from './texts.ts'

export const removalWords = texts(english.removals, {
  de: async () => (await import('./de/removals.ts')).removals,
  fr: async () => (await import('./fr/removals.ts')).removals,
})
