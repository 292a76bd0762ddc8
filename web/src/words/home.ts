import { home as english } from './en/home.ts'
import { texts } from './texts.ts'

export const homeWords = texts(english, {
  de: async () => (await import('./de/home.ts')).home,
  fr: async () => (await import('./fr/home.ts')).home,
})
