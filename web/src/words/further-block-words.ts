/** The words of fields that load when a block is chosen, and of rare blocks. */
import { furtherBlocks as english } from './en/further-blocks.ts'
import { language } from './words.ts'

export let furtherWords = english

export async function loadFurtherWords(): Promise<void> {
  if (language === 'de') furtherWords = (await import('./de/further-blocks.ts')).furtherBlocks
}
