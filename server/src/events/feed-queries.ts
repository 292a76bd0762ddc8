/** Every statement that reads the feed. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import type { EventTypeName } from './catalog.ts'

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

/** The oldest position whose event is still kept. */
export function findOldest(db: Db, businessId: Id<'business'>): Promise<Place | undefined> {
  return db.maybe<Place>(sql`
    select position, placed_at as "placedAt" from event_feed
    where business_id = ${businessId} order by position limit 1
  `)
}

/** Finds a known position, if it was assigned at `since` or later. */
export function findPlace(
  db: Db,
  businessId: Id<'business'>,
  position: number,
  since: Date,
): Promise<Place | undefined> {
  return db.maybe<Place>(sql`
    select position, placed_at as "placedAt" from event_feed
    where business_id = ${businessId} and position = ${position} and placed_at >= ${since}
  `)
}

export interface FeedRange {
  businessId: Id<'business'>
  after: Place
  /** The last position to read. */
  upTo: number
  types: EventTypeName[]
  limit: number
}

export interface FeedRow extends Place {
  body: string
}

export function eventsBetween(db: Db, range: FeedRange): Promise<FeedRow[]> {
  const { businessId, after, upTo, types, limit } = range
  return db.all<FeedRow>(sql`
    select feed.position, feed.placed_at as "placedAt", events.body
    from (
      select * from event_feed
      where business_id = ${businessId} and placed_at >= ${after.placedAt}
        and position > ${after.position} and position <= ${upTo}
        and type = any(${types}::text[])
      order by position limit ${limit}
    ) feed
    cross join lateral (
      select body from events
      where business_id = ${businessId} and created_at = feed.created_at and id = feed.event_id
      limit 1
    ) events
    order by feed.position
  `)
}

/** Which types the events have after one position and up to another. */
export function typesBetween(
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
