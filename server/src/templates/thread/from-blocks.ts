/** Compiles blocks by way of MJML. Faults name the block in which they are. */

import type { Block, BlockMail, MailLook } from '../blocks/block.ts'
import { layOutBlocks } from './block-layout.ts'
import { assertParses } from './liquid.ts'
import { SourceError } from './source-error.ts'

export interface FromBlocks {
  mjml: string
  /** The same fault, at the block instead of in the MJML, which the author never saw. */
  relabelled(error: unknown): unknown
}

export function fromBlocks(mail: BlockMail, look: MailLook): FromBlocks {
  for (const [path, text] of sources(mail.blocks)) assertParses(path, text, 'html')
  const { mjml, places } = layOutBlocks(mail, look)
  return {
    mjml,
    relabelled(error) {
      if (!(error instanceof SourceError) || error.place !== 'mjml') return error
      const line = /line (\d{1,6})/.exec(error.rule)
      const n = Number(line?.[1]) - 1
      const path = places[n]
      if (!line || path === undefined) return new SourceError('blocks', error.rule)
      const own = `line ${n - places.indexOf(path) + 1}`
      return new SourceError(path, error.rule.replace(line[0], own))
    },
  }
}

/** Blocks of MJML, which must be whole templates each, as the texts of other blocks must. */
function sources(blocks: readonly Block[], at = 'blocks'): [place: string, text: string][] {
  return blocks.flatMap((block, n) => {
    const path = `${at}[${n}]`
    if (block.type === 'mjml') return [[`${path}.mjml`, block.mjml] as [string, string]]
    if (block.type !== 'columns') return []
    return block.columns.flatMap((column, m) => sources(column, `${path}.columns[${m}]`))
  })
}
