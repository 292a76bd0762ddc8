import { feeds as english } from './en/feeds.ts'
import { texts } from './texts.ts'

export const feedWords = texts(english, {
  de: async () => (await import('./de/feeds.ts')).feeds,
  fr: async () => (await import('./fr/feeds.ts')).feeds,
})
