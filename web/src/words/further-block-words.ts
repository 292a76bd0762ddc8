/** The words of blocks that few mails have, which load with such a block. */
import { furtherBlocks as english } from './en/further-blocks.ts'
import { language } from './words.ts'

export let furtherWords = english

export async function loadFurtherWords(): Promise<void> {
  if (language === 'de') furtherWords = (await import('./de/further-blocks.ts')).furtherBlocks
}
