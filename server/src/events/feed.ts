/** Marks and cursors of a business's feed, and what is new in it for whoever looks again and again. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type EventTypeName, eventTypeNames } from './catalog.ts'

/** Above this number the types are not looked at, since every type may be among them. */
const mostEvents = 2_000

/** A cursor of the feed's end; empty where the business never had an event. */
export async function feedMark(db: Db, businessId: Id<'business'>): Promise<string> {
  const head = await findHead(db, businessId)
  return head ? writeCursor(businessId, head) : ''
}

/** The types of the events between two marks; every type where that cannot be told. */
export async function typesSince(
  db: Db,
  businessId: Id<'business'>,
  marks: { before: string; now: string },
): Promise<readonly EventTypeName[]> {
  const [after, last] = [marks.before, marks.now].map((mark) => readCursor(businessId, mark))
  const count = after && last ? last.position - after.position : Number.NaN
  if (!after || !last || !(count >= 0 && count <= mostEvents)) return eventTypeNames
  const rows = await typesBetween(db, businessId, { after, upTo: last.position })
  return rows.map(({ type }) => type)
}

/** The random end of the business's id: a cursor of another business is not read. */
const businessTag = (businessId: Id<'business'>) => businessId.slice(-6)

/** A position as an encoded text with a check against its use for another business. */
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

/** A position in the feed. Its time determines which days' partitions can be skipped. */
export interface Place {
  position: number
  placedAt: Date
}

/** The last position assigned; undefined if the business never had an event. */
export function findHead(db: Db, businessId: Id<'business'>): Promise<Place | undefined> {
  return db.maybe<Place>(sql`
    select position, placed_at as "placedAt" from event_heads where business_id = ${businessId}
  `)
}

/** Which types the events have after one position and up to another. */
function typesBetween(
  db: Db,
  businessId: Id<'business'>,
  { after, upTo }: { after: Place; upTo: number },
): Promise<{ type: EventTypeName }[]> {
  return db.all<{ type: EventTypeName }>(sql`
    select distinct type from event_feed
    where business_id = ${businessId} and placed_at >= ${after.placedAt}
      and position > ${after.position} and position <= ${upTo}
  `)
}
