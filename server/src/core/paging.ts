/**
 * Paging of lists by id, newest first, since uuid v7 ids grow with time. A cursor is the id of the
 * last row shown. Items come in brief or whole.
 */
import { Type } from '../lib/schema/schema.ts'
import { refuse } from './errors.ts'
import { formatId, type Id, type Noun, parseId } from './ids.ts'
import type { Context } from './operation.ts'

/**
 * An id above all others: the first page starts below it, so that it is queried like any other
 * page and uses the same index.
 */
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const defaultLimit = 50
export const mostLimit = 200

/**
 * The size in bytes of JSON of a page whose caller named no `limit`. With the rest of the answer
 * it fits the context of a language model.
 */
export const defaultPageBytes = 20_000

export const pageInput = {
  cursor: Type.Optional(
    Type.String({ description: 'next_cursor of the page before.', maxLength: 100 }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostLimit,
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
  /** Whether the page is shortened to the default size because the caller named no limit. */
  isFitted?: boolean
}

/**
 * Reads `cursor` and `limit`. The query asks for one row more than the limit, which tells whether
 * another page follows.
 */
export function pageOf<N extends Noun>(
  noun: N,
  { cursor, limit }: { cursor?: string; limit?: number },
): Page<N> {
  const before = cursor === undefined ? null : parseId(noun, cursor)
  if (before !== undefined) {
    return { before, limit: (limit ?? defaultLimit) + 1, isFitted: limit === undefined }
  }
  const text = 'Invalid cursor. Pass next_cursor unchanged, or omit it.'
  throw refuse('invalid_request', text, { field: 'cursor', data: { reason: 'list_changed' } })
}

/**
 * How many of the first rows fit the default page size; always at least one, or the list could not
 * advance.
 */
export function countThatFits(views: readonly unknown[]): number {
  let bytes = 0
  const over = views.findIndex((view) => {
    bytes += Buffer.byteLength(JSON.stringify(view)) + 1
    return bytes > defaultPageBytes
  })
  return over === -1 ? views.length : Math.max(1, over)
}

/**
 * Cuts the rows to the page and adds the cursor if more follow. `view` turns a row into its public
 * form.
 */
export function pageFrom<N extends Noun, Row extends { id: Id<N> }>(
  noun: N,
  rows: Row[],
  { limit, isFitted = false }: Page<N>,
  view: (row: Row) => unknown,
): { shown: Row[]; next?: { next_cursor: string } } {
  const all = rows.slice(0, limit - 1)
  const shown = isFitted ? all.slice(0, countThatFits(all.map(view))) : all
  const last = shown.at(-1)
  const isLast = rows.length < limit && shown.length === all.length
  return isLast || !last ? { shown } : { shown, next: { next_cursor: formatId(noun, last.id) } }
}

/**
 * The two views of a list. A model picks an item from a list and reads it whole by its id, so it gets
 * each item in brief unless it asks for all; programs get all.
 */
export const viewInput = Type.Optional(
  Type.Enum(['brief', 'full'], {
    description: 'brief: what tells items apart. Default for tools; full elsewhere.',
  }),
)

export type View = 'brief' | 'full'

export const isBrief = ({ isToolCall }: Pick<Context, 'isToolCall'>, view: View | undefined) =>
  (view ?? (isToolCall ? 'brief' : 'full')) === 'brief'

/**
 * The item as the caller wants it; in brief with these fields, of which null ones are left out. The
 * schema is that of the whole item, which programs get.
 */
export function inView<T extends object>(
  item: T,
  { brief, fields }: { brief: boolean; fields: readonly (keyof T & string)[] },
): T {
  if (!brief) return item
  const entries = fields.flatMap((field) => (item[field] == null ? [] : [[field, item[field]]]))
  return Object.fromEntries(entries) as T
}
