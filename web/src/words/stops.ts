import * as english from './en/stops.ts'
import { texts } from './texts.ts'

export const stopWords = texts(english.stops, {
  de: async () => (await import('./de/stops.ts')).stops,
  fr: async () => (await import('./fr/stops.ts')).stops,
})
