/** Statements that write a webhook's past deliveries. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

export interface PastAttempt {
  id: string
  eventId: Id<'event'>
  type: string
  eventAt: Date
  attempt: number
  at: Date
  outcome: 'delivered' | 'failed'
  status: number | null
  failure: string | null
  /** Base64 of the response's first bytes. */
  response: string
  nextAt: Date | null
}

interface WebhookKey {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
}

export function insertAttempts(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  { url, attempts }: { url: string; attempts: readonly PastAttempt[] },
): Promise<number> {
  return tx.run(sql`
    insert into webhook_attempts (business_id, id, webhook_id, event_id, event_type, event_at,
      attempt, created_at, begun_at, ended_at, outcome, url, status, failure, response,
      next_attempt_at)
    select ${businessId}, id, ${webhookId}, "eventId", type, "eventAt", attempt, at, at,
      at + interval '81 milliseconds', outcome, ${url}, status, failure,
      decode(response, 'base64'), "nextAt"
    from json_to_recordset(${JSON.stringify(attempts)}::json) as row (
      id uuid, "eventId" uuid, type text, "eventAt" timestamptz, attempt smallint,
      at timestamptz, outcome text, status smallint, failure text, response text,
      "nextAt" timestamptz
    )
  `)
}

export function insertDeadLetters(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  letters: readonly PastAttempt[],
): Promise<number> {
  return tx.run(sql`
    insert into dead_letters (business_id, webhook_id, id, event_id, event_type, event_at,
      attempts, status, failure, failed_at)
    select ${businessId}, ${webhookId}, id, "eventId", type, "eventAt", attempt, status, failure, at
    from json_to_recordset(${JSON.stringify(letters)}::json) as row (
      id uuid, "eventId" uuid, type text, "eventAt" timestamptz, attempt smallint,
      at timestamptz, status smallint, failure text
    )
  `)
}

export function setFailing(tx: Tx, { businessId, webhookId }: WebhookKey, since: Date) {
  return tx.run(sql`
    update webhooks set failing_since = ${since}
    where business_id = ${businessId} and id = ${webhookId}
  `)
}
