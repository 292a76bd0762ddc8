import { abTests as english } from './en/ab-tests.ts'
import { texts } from './texts.ts'

export const abTestWords = texts(english, {
  de: async () => (await import('./de/ab-tests.ts')).abTests,
  fr: async () => (await import('./fr/ab-tests.ts')).abTests,
})
