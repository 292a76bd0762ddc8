/**
 * Tells of a receiver that fails: the event `webhook.failing`, for the business's other webhooks and its
 * feed, and a mail to the owners. Once an hour of failures is over or an event was given up, and once for
 * each time that it fails.
 */

import { formatId, type Id } from '../../core/ids.ts'
import { type NoticePayload, noticeJob } from '../../events/audit.ts'
import { emitAll } from '../../events/emit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { enqueue, type Job, jobIdOf, type Verdict } from '../../lib/jobs/job.ts'
import { type Clock, days, hours, later } from '../../lib/time/clock.ts'
import type { AttemptFailure } from '../model/attempt.ts'
import { errorOf } from '../model/last-error.ts'
import { firstFailure } from './attempt-queries.ts'

export const failingJob = 'webhook.failing'

/** For so long a receiver may fail before anybody is told. */
export const quietMs = hours(1)
/** Where a receiver answers at times, events that it never takes are told of once in this time. */
const betweenMs = days(1)

interface WebhookKey {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
}

type Reason = 'hour' | 'given_up'

interface Payload {
  business_id: Id<'business'>
  webhook_id: Id<'webhook'>
  reason: Reason
}

/** Queues the look at a receiver that has begun to fail. */
export function tellLater(tx: Tx, key: WebhookKey, since: Date, now: Date): Promise<unknown> {
  return queueLook(tx, key, { because: 'hour', dueAt: later(since, quietMs) }, now)
}

/** Queues the look at a receiver for which an event was given up. */
export function tellNow(tx: Tx, key: WebhookKey, now: Date): Promise<unknown> {
  return queueLook(tx, key, { because: 'given_up', dueAt: now }, now)
}

/** One of each kind waits at most. */
function queueLook(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  { because, dueAt }: { because: Reason; dueAt: Date },
  now: Date,
) {
  const payload: Payload = { business_id: businessId, webhook_id: webhookId, reason: because }
  const id = jobIdOf(failingJob, `${webhookId} ${because}`)
  return enqueue(tx, [{ kind: failingJob, businessId, lane: webhookId, id, payload, dueAt }], now)
}

export async function tellOfFailing(
  { db, clock }: { db: Database; clock: Clock },
  { payload }: Job,
): Promise<Verdict> {
  const { business_id: businessId, webhook_id: webhookId, reason } = payload as Payload
  const key = { businessId, webhookId }
  return db.tx(async (tx) => {
    const now = clock.now()
    const webhook = await lockFailing(tx, key)
    if (!webhook) return { outcome: 'done' }
    const { failingSince, toldAt } = webhook
    if (reason === 'hour') {
      if (!failingSince) return { outcome: 'done' }
      // It answered meanwhile, and fails again.
      const dueAt = later(failingSince, quietMs)
      if (dueAt > now) return { outcome: 'again', at: dueAt }
    }
    const quietSince = failingSince ?? later(now, -betweenMs)
    if (toldAt && toldAt >= quietSince) return { outcome: 'done' }
    await setTold(tx, key, now)
    await tell(tx, key, { ...webhook, reason }, now)
    return { outcome: 'done' }
  })
}

interface Failing {
  url: string
  failingSince: Date | null
  toldAt: Date | null
  /** The status of the last attempt that failed. */
  status: number | null
  failure: AttemptFailure | null
}

async function tell(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  { url, failingSince, status, failure, reason }: Failing & { reason: Reason },
  now: Date,
): Promise<void> {
  const since = failingSince ?? (await firstFailure(tx, { businessId, webhookId }, now))
  const { host } = new URL(url)
  const data = {
    webhook_id: formatId('webhook', webhookId),
    host,
    failing_since: since.toISOString(),
    reason,
    ...(status !== null && { status }),
    error: errorOf({ failure: failure ?? 'connection', status }).message,
  }
  await emitAll(tx, [{ businessId, type: 'webhook.failing', data }], now)
  const notice: NoticePayload = {
    kind: 'failing',
    subject: host,
    detail: status === null ? '' : String(status),
    business_id: businessId,
    user_id: null,
    connection_id: null,
  }
  await enqueue(tx, [{ kind: noticeJob, businessId, payload: notice }], now)
}

function lockFailing(tx: Tx, { businessId, webhookId }: WebhookKey): Promise<Failing | undefined> {
  return tx.maybe<Failing>(sql`
    select w.url, w.failing_since as "failingSince", w.failing_told_at as "toldAt", last.status,
      last.failure
    from webhooks w left join lateral (
      select status, failure from webhook_attempts
      where business_id = ${businessId} and webhook_id = ${webhookId} and outcome = 'failed'
      order by id desc limit 1
    ) last on true
    where w.business_id = ${businessId} and w.id = ${webhookId} and w.deleted_at is null
    for no key update of w
  `)
}

function setTold(tx: Tx, { businessId, webhookId }: WebhookKey, now: Date): Promise<number> {
  return tx.run(sql`
    update webhooks set failing_told_at = ${now}
    where business_id = ${businessId} and id = ${webhookId}
  `)
}
