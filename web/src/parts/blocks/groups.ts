/** The groups of contacts that see different blocks of a mail. */
import type { Filter } from '../filter/model.ts'
import type { Block } from './model.ts'

export interface Group {
  filter: Filter
  /** Whether it is those whom the filter fits, or all others. */
  sees: boolean
}

const isSame = (one: Filter, other: Filter) => JSON.stringify(one) === JSON.stringify(other)

/** The filters of the blocks, each once. */
export function filtersIn(blocks: readonly Block[]): Filter[] {
  const all = blocks.flatMap((block) => [
    ...(block.show_if ? [block.show_if] : []),
    ...filtersIn((block.columns ?? []).flat()),
  ])
  return all.filter((filter, n) => all.findIndex((other) => isSame(other, filter)) === n)
}

/** What the group sees of them. Blocks with other filters stay. */
export function blocksFor({ filter, sees }: Group, blocks: readonly Block[]): Block[] {
  const left = blocks.flatMap((block) => {
    const isOfGroup = block.show_if !== undefined && isSame(block.show_if, filter)
    if (isOfGroup && !sees) return []
    const { columns } = block
    return columns
      ? [{ ...block, columns: columns.map((column) => blocksFor({ filter, sees }, column)) }]
      : [block]
  })
  // A mail, and a column, has at least one block.
  return left.length > 0 ? left : [{ type: 'spacer' }]
}
