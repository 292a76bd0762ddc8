/** A cursor of the feed: a place, sealed against nothing but confusion with other businesses'. */
import type { Id } from '../core/ids.ts'
import type { Place } from './feed-queries.ts'

/** Enough of the business's id (its random end) to tell whose feed the cursor belongs to. */
const mark = (businessId: Id<'business'>) => businessId.slice(-6)

export function writeCursor(businessId: Id<'business'>, { position, placedAt }: Place): string {
  const text = `${position}.${placedAt.getTime()}.${mark(businessId)}`
  return Buffer.from(text).toString('base64url')
}

/** The place, or undefined where the text is no cursor of this business's feed. */
export function readCursor(businessId: Id<'business'>, cursor: string): Place | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, position, time, whose] = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{6})$/.exec(text) ?? []
  if (position === undefined || whose !== mark(businessId)) return undefined
  return { position: Number(position), placedAt: new Date(Number(time)) }
}
