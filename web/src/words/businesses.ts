import { businesses as english } from './en/businesses.ts'
import { texts } from './texts.ts'

export const businessesWords = texts(english, {
  de: async () => (await import('./de/businesses.ts')).businesses,
  fr: async () => (await import('./fr/businesses.ts')).businesses,
})
