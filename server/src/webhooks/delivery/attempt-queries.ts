/** Every statement that writes the log of attempts. `webhooks/log/log-queries.ts` reads it. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { AttemptKey, AttemptResult } from '../model/attempt.ts'
import type { AttemptCause, Delivery } from '../model/delivery.ts'

export interface NewAttempt extends Delivery, AttemptKey {
  attempt: number
  replayOf: Id<'delivery'> | null
  /** Null while the attempt waits for its turn. */
  begunAt: Date | null
  url: string | null
  cause: AttemptCause | null
}

/** Rows are sent as one JSON text, which costs the driver half as much as arrays do. */
export function insertAttempts(db: Db, attempts: NewAttempt[]): Promise<number> {
  return db.run(sql`
    insert into webhook_attempts (business_id, id, webhook_id, event_id, event_type, event_at,
      attempt, replay_of, created_at, begun_at, url, cause)
    select "businessId", id, "webhookId", "eventId", type, "eventAt", attempt, "replayOf",
      "createdAt", "begunAt", url, cause
    from json_to_recordset(${JSON.stringify(attempts)}::json) as row (
      "businessId" uuid, id uuid, "webhookId" uuid, "eventId" uuid, type text,
      "eventAt" timestamptz, attempt smallint, "replayOf" uuid, "createdAt" timestamptz,
      "begunAt" timestamptz, url text, cause text
    )
  `)
}

/** Returns the ids of the attempts that have a row. */
export async function knownAttempts(
  db: Db,
  attempts: readonly AttemptKey[],
): Promise<ReadonlySet<Id<'delivery'>>> {
  const rows = await db.all<{ id: Id<'delivery'> }>(sql`
    select log.id
    from unnest(${attempts.map(({ businessId }) => businessId)}::uuid[],
      ${attempts.map(({ id }) => id)}::uuid[],
      ${attempts.map(({ createdAt }) => createdAt)}::timestamptz[]) as asked (business_id, id, created_at)
    join webhook_attempts log on log.business_id = asked.business_id and log.id = asked.id
      and log.created_at = asked.created_at
  `)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Starts attempts that waited for their turn. Returns the ids of those that had not started before.
 */
export async function beginWaiting(
  db: Db,
  attempts: (AttemptKey & { url: string })[],
  now: Date,
): Promise<ReadonlySet<Id<'delivery'>>> {
  const rows = await db.all<{ id: Id<'delivery'> }>(sql`
    update webhook_attempts log set begun_at = ${now}, url = row.url
    from json_to_recordset(${JSON.stringify(attempts)}::json) as row (
      "businessId" uuid, id uuid, "createdAt" timestamptz, url text
    )
    where log.business_id = row."businessId" and log.id = row.id
      and log.created_at = row."createdAt" and log.begun_at is null
    returning log.id
  `)
  return new Set(rows.map(({ id }) => id))
}

/** Resets attempts that were not made after all, so that they continue to wait. */
export function unbeginAttempts(db: Db, attempts: AttemptKey[]): Promise<number> {
  return db.run(sql`
    update webhook_attempts log set begun_at = null, url = null
    from json_to_recordset(${JSON.stringify(attempts)}::json) as row (
      "businessId" uuid, id uuid, "createdAt" timestamptz
    )
    where log.business_id = row."businessId" and log.id = row.id
      and log.created_at = row."createdAt"
  `)
}

/** An attempt whose row is written once it has ended or was interrupted. */
export interface LoggedAttempt extends Delivery, AttemptKey {
  attempt: number
  begunAt: Date
  url: string | null
  cause: AttemptCause | null
  /** Null if the result is unknown, because the attempt's worker died. */
  result: AttemptResult | null
  nextAttemptAt: Date | null
}

/** Times are sent as numbers, because each date would have to be formatted. */
export function logAttempts(db: Db, attempts: readonly LoggedAttempt[]): Promise<number> {
  const rows = attempts.map(({ eventAt, createdAt, begunAt, nextAttemptAt, result, ...row }) => ({
    ...row,
    eventMs: eventAt.getTime(),
    createdMs: createdAt.getTime(),
    begunMs: begunAt.getTime(),
    nextMs: nextAttemptAt?.getTime(),
    ...(result && {
      endedMs: result.endedAt.getTime(),
      outcome: result.outcome,
      signature: result.signature,
      status: result.status,
      failure: result.failure,
      response: hexOf(result.response),
    }),
  }))
  return db.run(sql`
    insert into webhook_attempts (business_id, id, webhook_id, event_id, event_type, event_at,
      attempt, created_at, begun_at, ended_at, outcome, url, signature, status, failure, response,
      next_attempt_at, cause)
    select "businessId", id, "webhookId", "eventId", type, to_timestamp("eventMs" / 1000),
      attempt, to_timestamp("createdMs" / 1000), to_timestamp("begunMs" / 1000),
      to_timestamp("endedMs" / 1000), outcome, url, signature, status, failure, response,
      to_timestamp("nextMs" / 1000), cause
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (
      "businessId" uuid, id uuid, "webhookId" uuid, "eventId" uuid, type text, "eventMs" float8,
      attempt smallint, "createdMs" float8, "begunMs" float8, "endedMs" float8, outcome text,
      url text, signature text, status smallint, failure text, response bytea, "nextMs" float8,
      cause text
    )
  `)
}

const hexOf = (bytes: Buffer | null) => bytes && `\\x${bytes.toString('hex')}`

export interface EndedAttempt extends AttemptKey, AttemptResult {
  webhookId: Id<'webhook'>
  nextAttemptAt: Date | null
}

/**
 * Makes this transaction find attempts by their keys. A plan from when the day's partition was
 * empty would otherwise read all of it each time, which was cheap then.
 */
export async function seekAttempts(tx: Tx): Promise<void> {
  await tx.pipelined.run(sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_material', 'off', true),
      set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
  `)
}

/**
 * The webhook is part of the condition, so that either index of a partition works. The range of
 * times excludes the partitions of other days.
 */
export function endAttempts(tx: Tx, attempts: EndedAttempt[]): Promise<number> {
  const rows = attempts.map(({ response, ...row }) => ({
    ...row,
    response: hexOf(response),
  }))
  const times = attempts.map(({ createdAt }) => createdAt.getTime())
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))]
  return tx.run(sql`
    update webhook_attempts log set ended_at = row."endedAt", outcome = row.outcome,
      signature = row.signature, status = row.status, failure = row.failure,
      response = row.response, next_attempt_at = row."nextAttemptAt"
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (
      "businessId" uuid, "webhookId" uuid, id uuid, "createdAt" timestamptz,
      "endedAt" timestamptz, outcome text, signature text, status smallint, failure text, response bytea, "nextAttemptAt" timestamptz
    )
    where log.business_id = row."businessId" and log.webhook_id = row."webhookId"
      and log.id = row.id and log.created_at = row."createdAt"
      and log.created_at between ${first} and ${last}
  `)
}

/** The newest attempts in which the beginning of a series of failures is searched. */
const lookBack = 1000

/** Since when a receiver fails that fails now: the end of its first failed attempt since the last success. */
export async function firstFailure(
  db: Db,
  { businessId, webhookId }: Pick<Delivery, 'businessId' | 'webhookId'>,
  now: Date,
): Promise<Date> {
  const row = await db.one<{ since: Date | null }>(sql`
    with recent as (
      select outcome, ended_at from webhook_attempts
      where business_id = ${businessId} and webhook_id = ${webhookId}
      order by id desc limit ${lookBack}
    )
    select min(ended_at) as since from recent
    where outcome = 'failed' and ended_at > coalesce(
      (select max(ended_at) from recent where outcome = 'delivered'), '-infinity'
    )
  `)
  return row.since ?? now
}
