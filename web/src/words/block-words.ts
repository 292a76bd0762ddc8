/** The words of the builder of blocks, which load with it and not with the app. */
import { blocks as english } from './en/blocks.ts'
import { language } from './words.ts'

export let blockWords = english

export async function loadBlockWords(): Promise<void> {
  if (language === 'de') blockWords = (await import('./de/blocks.ts')).blocks
}
