import { Type } from '../../lib/schema/schema.ts'
import { blockTypes } from './types.ts'

/**
 * A loose schema for the list of tools, which has no room for every type. The server checks blocks
 * strictly (`read.ts`), and docs/guides/blocks.md has every field.
 */
const blocks = (description?: string) =>
  Type.Optional(
    Type.Unsafe<unknown[]>({ type: 'array', ...(description !== undefined && { description }) }),
  )

/** The block of a feed's items is for `feed.save` alone. */
const others = blockTypes.filter((type) => type !== 'heading' && type !== 'feed').join(', ')

export const blocksInput = blocks(
  `[{"type":"heading","text":"Hi"}] in place of html; also ${others}.`,
)

/** For callers who know `template.save`, which explains them. */
export const sameBlocksInput = blocks()
