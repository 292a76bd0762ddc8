/** Lists go by id, newest first: uuid v7 ids grow with time. A cursor is the last one shown. */

import { type Refusal, refuse } from './errors.ts'
import { formatId, type Id, type Noun, parseId } from './ids.ts'
import { Type } from './schema.ts'

/** Above every id, so that a first page is a page like any other and the index serves both. */
export const newest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const defaultLimit = 50

export const pageInput = {
  cursor: Type.Optional(
    Type.String({ description: 'next_cursor of the page before.', maxLength: 100 }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: `Default ${defaultLimit}.` }),
  ),
}

export const nextCursor = Type.Optional(
  Type.String({ description: 'Pass it as cursor for the next page; absent on the last.' }),
)

export interface Page<N extends Noun> {
  before: Id<N> | null
  limit: number
}

/** Reads `cursor` and `limit`; asks for one row more, which tells whether a page follows. */
export function pageOf<N extends Noun>(
  noun: N,
  { cursor, limit = defaultLimit }: { cursor?: string; limit?: number },
): Page<N> | Refusal {
  const before = cursor === undefined ? null : parseId(noun, cursor)
  if (before !== undefined) return { before, limit: limit + 1 }
  const text = 'cursor is not one of this list: pass next_cursor as it was given, or none.'
  return refuse('invalid_request', text, { field: 'cursor' })
}

/** The rows of the page, and the cursor where more follow. */
export function pageFrom<N extends Noun, Row extends { id: Id<N> }>(
  noun: N,
  rows: Row[],
  { limit }: Page<N>,
): { shown: Row[]; next?: { next_cursor: string } } {
  const shown = rows.slice(0, limit - 1)
  const last = shown.at(-1)
  return rows.length < limit || !last
    ? { shown }
    : { shown, next: { next_cursor: formatId(noun, last.id) } }
}
