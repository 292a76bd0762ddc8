/**
 * Blocks that only some recipients see: each has a filter. A message stores which filters its
 * recipient fits, as bits in the order of its template's conditions, and the template asks for each
 * by its key.
 */
import { createHash } from 'node:crypto'
import type { Filter } from '../../contacts/filters/filter.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { shownName } from '../variables.ts'
import { type Block, blockLimits } from './block.ts'

export function keyOfFilter(filter: Filter): string {
  return `f${createHash('sha256').update(JSON.stringify(filter)).digest('hex').slice(0, 16)}`
}

/** The filters of blocks, each at the first block that has it. */
export function filtersIn(blocks: readonly Block[], at = 'blocks'): Map<string, PlacedFilter> {
  const filters = new Map<string, PlacedFilter>()
  const add = (key: string, entry: PlacedFilter) => {
    if (!filters.has(key)) filters.set(key, entry)
  }
  for (const [n, block] of blocks.entries()) {
    const path = `${at}[${n}]`
    if (block.show_if) add(keyOfFilter(block.show_if), { filter: block.show_if, path })
    if (block.type !== 'columns') continue
    for (const [m, column] of block.columns.entries()) {
      for (const [key, entry] of filtersIn(column, `${path}.columns[${m}]`)) add(key, entry)
    }
  }
  return filters
}

interface PlacedFilter {
  filter: Filter
  /** The block, such as `blocks[2]`. */
  path: string
}

export function tooManyFilters(path: string): Refusal {
  const field = `${path}.show_if`
  const text = `${field} is one filter too many: a mail can have at most ${blockLimits.filters} different ones, in all its languages together.`
  return refuse('invalid_request', text, {
    field,
    data: { reason: 'too_many_filters', limit: blockLimits.filters },
  })
}

/** Liquid around the markup of a block. */
export const shownTag = (filter: Filter) => `{% if ${shownName}.${keyOfFilter(filter)} %}`

export const mostFilters = blockLimits.filters
