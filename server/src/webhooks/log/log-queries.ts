/** Statements that read rows of the log. `log.ts` adds the attempts under way. */

import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { AttemptFailure, AttemptKey } from '../model/attempt.ts'
import type { AttemptCause, Delivery } from '../model/delivery.ts'

export interface LogRow extends Delivery, AttemptKey {
  attempt: number
  replayOf: Id<'delivery'> | null
  begunAt: Date | null
  endedAt: Date | null
  outcome: 'delivered' | 'failed' | null
  url: string | null
  signature: string | null
  status: number | null
  failure: AttemptFailure | null
  response: Buffer | null
  nextAttemptAt: Date | null
  cause: AttemptCause | null
  /** The attempt has no row yet. */
  isUnderWay?: true
}

export interface LogPage {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  outcome: 'delivered' | 'failed' | null
  /** Lists only older attempts. */
  before: Id<'delivery'> | null
  limit: number
}

/** Lists attempts, newest first. */
export function listLogged(db: Db, page: LogPage): Promise<LogRow[]> {
  return db.all<LogRow>(sql`
    select id, business_id as "businessId", webhook_id as "webhookId", event_id as "eventId",
      event_type as type, event_at as "eventAt", attempt, replay_of as "replayOf",
      created_at as "createdAt", begun_at as "begunAt", ended_at as "endedAt", outcome, url,
      signature, status, failure, response, next_attempt_at as "nextAttemptAt", cause
    from webhook_attempts
    where business_id = ${page.businessId} and webhook_id = ${page.webhookId}
      and id < ${page.before ?? highestId}
      and (${page.outcome}::text is null or outcome = ${page.outcome})
    order by id desc limit ${page.limit}
  `)
}

export function findLogged(
  db: Db,
  businessIds: readonly Id<'business'>[],
  id: Id<'delivery'>,
): Promise<LogRow | undefined> {
  return db.maybe<LogRow>(sql`
    select id, business_id as "businessId", webhook_id as "webhookId", event_id as "eventId",
      event_type as type, event_at as "eventAt", attempt, replay_of as "replayOf",
      created_at as "createdAt", begun_at as "begunAt", ended_at as "endedAt", outcome, url,
      signature, status, failure, response, next_attempt_at as "nextAttemptAt", cause
    from webhook_attempts where business_id = any(${businessIds}::uuid[]) and id = ${id}
  `)
}
