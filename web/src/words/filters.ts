import { filters as english } from './en/filters.ts'
import { texts } from './texts.ts'

export const filterWords = texts(english, {
  de: async () => (await import('./de/filters.ts')).filters,
  fr: async () => (await import('./fr/filters.ts')).filters,
})
