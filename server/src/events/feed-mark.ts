/** What is new in the feed of a business, for whoever looks again and again. */

import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { type EventTypeName, eventTypeNames } from './catalog.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findHead, typesBetween } from './feed-queries.ts'

/** Of more events than this, nobody looks at the types: every type may be among them. */
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
  const found = await typesBetween(db, businessId, { after, upTo: last.position })
  return found.map(({ type }) => type)
}
