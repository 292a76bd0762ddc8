/** Statements about dead letters: deliveries that were given up after their last failure. */

import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { AttemptFailure } from '../model/attempt.ts'
import type { Delivery } from '../model/delivery.ts'

export interface DeadLetter extends Delivery {
  /** The id of the last attempt. */
  id: Id<'delivery'>
  attempts: number
  status: number | null
  failure: AttemptFailure
  failedAt: Date
}

export function insertDeadLetters(tx: Tx, letters: DeadLetter[]): Promise<number> {
  return tx.run(sql`
    insert into dead_letters (business_id, webhook_id, id, event_id, event_type, event_at, attempts,
      status, failure, failed_at)
    select "businessId", "webhookId", id, "eventId", type, "eventAt", attempts, status, failure,
      "failedAt"
    from json_to_recordset(${JSON.stringify(letters)}::json) as row (
      "businessId" uuid, "webhookId" uuid, id uuid, "eventId" uuid, type text,
      "eventAt" timestamptz, attempts smallint, status smallint, failure text,
      "failedAt" timestamptz
    )
  `)
}

export interface LetterPage {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  /** Lists only older dead letters. */
  before: Id<'delivery'> | null
  limit: number
}

export interface ListedLetter {
  id: Id<'delivery'>
  eventId: Id<'event'>
  type: EventTypeName
  attempts: number
  status: number | null
  failure: AttemptFailure
  failedAt: Date
}

/** Lists dead letters, most recent first. */
export function listDeadLetters(db: Db, page: LetterPage): Promise<ListedLetter[]> {
  return db.all<ListedLetter>(sql`
    select id, event_id as "eventId", event_type as type, attempts, status, failure,
      failed_at as "failedAt"
    from dead_letters
    where business_id = ${page.businessId} and webhook_id = ${page.webhookId}
      and id < ${page.before ?? highestId}
    order by id desc limit ${page.limit}
  `)
}

/** The number of dead letters, and the latest of them. */
export function countDeadLetters(
  db: Db,
  businessId: Id<'business'>,
  webhookId: Id<'webhook'>,
): Promise<{ count: number; last: Id<'delivery'> | null }> {
  return db.one(sql`
    select count(*) as count, (
      select id from dead_letters
      where business_id = ${businessId} and webhook_id = ${webhookId} order by id desc limit 1
    ) as last
    from dead_letters where business_id = ${businessId} and webhook_id = ${webhookId}
  `)
}

/** The dead letter of one event, locked until the transaction ends. */
export function findLetterOf(
  tx: Tx,
  { businessId, webhookId, eventId }: Pick<Delivery, 'businessId' | 'webhookId' | 'eventId'>,
): Promise<{ attempts: number } | undefined> {
  return tx.maybe(sql`
    select attempts from dead_letters
    where business_id = ${businessId} and webhook_id = ${webhookId} and event_id = ${eventId}
    order by failed_at desc limit 1 for update
  `)
}

/** Deletes the dead letters of events, where they exist. */
export function takeLettersOf(
  tx: Tx,
  { businessId, webhookId }: Pick<Delivery, 'businessId' | 'webhookId'>,
  eventIds: readonly Id<'event'>[],
): Promise<number> {
  return tx.run(sql`
    delete from dead_letters
    where business_id = ${businessId} and webhook_id = ${webhookId}
      and event_id = any(${eventIds}::uuid[])
  `)
}

/** The oldest dead letters, up to an id, locked until the transaction ends. */
export function lockOldest(
  tx: Tx,
  letters: {
    businessId: Id<'business'>
    webhookId: Id<'webhook'>
    upTo: Id<'delivery'>
    after: Id<'delivery'> | null
  },
  limit: number,
): Promise<(Delivery & { id: Id<'delivery'> })[]> {
  return tx.all(sql`
    select id, business_id as "businessId", webhook_id as "webhookId", event_id as "eventId",
      event_type as type, event_at as "eventAt"
    from dead_letters
    where business_id = ${letters.businessId} and webhook_id = ${letters.webhookId}
      and id <= ${letters.upTo} and (${letters.after}::uuid is null or id > ${letters.after})
    order by id limit ${limit}
    for update
  `)
}
