/** A cursor of the feed: an encoded position with a check against using it for another business. */
import type { Id } from '../core/ids.ts'
import type { Place } from './feed-queries.ts'

/** The random end of the business's id, enough to identify whose feed a cursor belongs to. */
const businessTag = (businessId: Id<'business'>) => businessId.slice(-6)

export function writeCursor(businessId: Id<'business'>, { position, placedAt }: Place): string {
  const text = `${position}.${placedAt.getTime()}.${businessTag(businessId)}`
  return Buffer.from(text).toString('base64url')
}

/** Reads the position; undefined if the text is not a cursor of this business's feed. */
export function readCursor(businessId: Id<'business'>, cursor: string): Place | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, position, time, whose] = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{6})$/.exec(text) ?? []
  if (position === undefined || whose !== businessTag(businessId)) return undefined
  return { position: Number(position), placedAt: new Date(Number(time)) }
}
