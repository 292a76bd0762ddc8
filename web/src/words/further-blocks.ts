import { furtherBlocks as english } from './en/further-blocks.ts'
import { texts } from './texts.ts'

export const furtherWords = texts(english, {
  de: async () => (await import('./de/further-blocks.ts')).furtherBlocks,
  fr: async () => (await import('./fr/further-blocks.ts')).furtherBlocks,
})
