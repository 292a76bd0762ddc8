/** Lists go by id, newest first: uuid v7 ids grow with time. A cursor is the last one shown. */

import { Type } from '../lib/schema/schema.ts'
import { type Refusal, refuse } from './errors.ts'
import { formatId, type Id, type Noun, parseId } from './ids.ts'

/** Above every id, so that a first page is a page like any other and the index serves both. */
export const newest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const defaultLimit = 50

/**
 * Bytes of JSON that a page takes where its caller named no `limit`: it then fits the context of
 * a language model, with what an answer says beside it.
 */
const fittingBytes = 20_000

export const pageInput = {
  cursor: Type.Optional(
    Type.String({ description: 'next_cursor of the page before.', maxLength: 100 }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      description: `Default ${defaultLimit}, or what fits.`,
    }),
  ),
}

export const nextCursor = Type.Optional(
  Type.String({ description: 'Pass it as cursor for the next page; absent on the last.' }),
)

export interface Page<N extends Noun> {
  before: Id<N> | null
  limit: number
  /** Whether the page is cut to what fits, for want of a limit of the caller's. */
  isFitted?: boolean
}

/** Reads `cursor` and `limit`; asks for one row more, which tells whether a page follows. */
export function pageOf<N extends Noun>(
  noun: N,
  { cursor, limit }: { cursor?: string; limit?: number },
): Page<N> | Refusal {
  const before = cursor === undefined ? null : parseId(noun, cursor)
  if (before !== undefined) {
    return { before, limit: (limit ?? defaultLimit) + 1, isFitted: limit === undefined }
  }
  const text = 'cursor is not one of this list: pass next_cursor as it was given, or none.'
  return refuse('invalid_request', text, { field: 'cursor' })
}

/** How many of the first make a page that fits; one at least, or the list would not go on. */
export function fittingCount(views: readonly unknown[]): number {
  let bytes = 0
  const over = views.findIndex((view) => {
    bytes += Buffer.byteLength(JSON.stringify(view)) + 1
    return bytes > fittingBytes
  })
  return over === -1 ? views.length : Math.max(1, over)
}

/** The rows of the page, and the cursor where more follow. `view`: a row as it is shown. */
export function pageFrom<N extends Noun, Row extends { id: Id<N> }>(
  noun: N,
  rows: Row[],
  { limit, isFitted = false }: Page<N>,
  view: (row: Row) => unknown,
): { shown: Row[]; next?: { next_cursor: string } } {
  const all = rows.slice(0, limit - 1)
  const shown = isFitted ? all.slice(0, fittingCount(all.map(view))) : all
  const last = shown.at(-1)
  const isLast = rows.length < limit && shown.length === all.length
  return isLast || !last ? { shown } : { shown, next: { next_cursor: formatId(noun, last.id) } }
}
