import { content as english } from './en/content.ts'
import { texts } from './texts.ts'

export const contentWords = texts(english, {
  de: async () => (await import('./de/content.ts')).content,
  fr: async () => (await import('./fr/content.ts')).content,
})
