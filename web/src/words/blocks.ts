import { blocks as english } from './en/blocks.ts'
import { texts } from './texts.ts'

export const blockWords = texts(english, {
  de: async () => (await import('./de/blocks.ts')).blocks,
  fr: async () => (await import('./fr/blocks.ts')).blocks,
})
