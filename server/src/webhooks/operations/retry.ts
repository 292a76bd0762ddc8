import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { lockJob, runFirst } from '../../lib/jobs/lanes.ts'
import { Type } from '../../lib/schema/schema.ts'
import { insertAttempts } from '../delivery/attempt-queries.ts'
import { findLetterOf } from '../delivery/dead-letter-queries.ts'
import { bodyMissing } from '../delivery/replay-dead.ts'
import { findAttempt } from '../log/log.ts'
import { deliveryIdInput } from '../log/log-view.ts'
import {
  type Delivery,
  deliveriesOf,
  type FirstAttempt,
  jobIdOf,
  jobOf,
  laneOf,
} from '../model/delivery.ts'
import { lockWebhook } from '../model/queries.ts'
import { checkResent } from '../model/rights.ts'
import { noSuchDelivery, noSuchWebhook } from '../model/view.ts'
import { byDelivery } from './find-business.ts'

/**
 * One attempt beside the schedule: it changes neither the count nor the times of the others. The
 * delivery keeps its one job, so that two callers cannot have two extra attempts, and no extra one
 * runs beside one of the schedule.
 */
export const webhookRetry = operation({
  name: 'webhook.retry',
  title: 'Retry a delivery now',
  area: 'webhooks',
  summary:
    'Try a delivery that waits or was given up once more, now, beside its schedule, which stays. webhook.deliveries with the delivery_id tells the outcome.',
  reach: 'business',
  scope: 'provisioning:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  rest: 'POST /v1/webhooks/deliveries/:delivery_id/retry',
  status: 202,
  locate: { delivery_id: byDelivery },
  input: { delivery_id: deliveryIdInput },
  output: Type.Object({
    webhook_id: Type.String(),
    delivery_id: Type.String(),
    event_id: Type.String(),
    next_attempt_at: Type.Optional(Type.String()),
  }),

  async run({ business, principal, now, write }, { delivery_id }) {
    const id = parseId('delivery', delivery_id)
    if (!id) throw noSuchDelivery(delivery_id)
    return write(async (tx) => {
      const attempt = await findAttempt(tx, [business.id], id)
      if (!attempt) throw noSuchDelivery(delivery_id)
      const webhookId = formatId('webhook', attempt.webhookId)
      const webhook = await lockWebhook(tx, business.id, attempt.webhookId)
      if (!webhook) throw noSuchWebhook(webhookId)
      const beyond = checkResent(attempt.type, webhook, principal.scopes)
      if (beyond) throw beyond
      if (webhook.pausedBecause !== null) throw webhookPaused(webhookId)
      if (attempt.isUnderWay) throw attemptUnderWay(delivery_id)
      const { eventId, eventAt, type } = attempt
      const delivery = { businessId: business.id, webhookId: webhook.id, eventId, eventAt, type }
      const missing = await bodyMissing(tx, delivery)
      if (missing) throw missing
      const queued = await queueExtra(tx, delivery, now)
      if (queued === 'held') throw attemptUnderWay(delivery_id)
      if (!queued) throw nothingLeft(delivery_id)
      return {
        webhook_id: webhookId,
        delivery_id: formatId('delivery', queued.id),
        event_id: formatId('event', eventId),
        ...(queued.dueAt && { next_attempt_at: queued.dueAt.toISOString() }),
      }
    })
  },
})

/** Undefined for a delivery that neither waits nor is a dead letter. `held`: it is being attempted. */
async function queueExtra(
  tx: Tx,
  delivery: Delivery,
  now: Date,
): Promise<{ id: Id<'delivery'>; dueAt: Date | null } | 'held' | undefined> {
  const lane = laneOf(delivery)
  const jobId = jobIdOf(delivery.eventId, delivery.webhookId)
  const waiting = await lockJob(tx, lane, jobId)
  const promise: FirstAttempt = { id: newId('delivery'), createdAt: now }
  if (waiting) {
    const [queued] = deliveriesOf(waiting.payload).deliveries
    if (!queued || waiting.isHeld || queued.extra) return 'held'
    const extra = { ...promise, dueAt: waiting.dueAt }
    await insertAttempts(tx, [promisedRow(delivery, promise, waiting.failures)])
    await runFirst(tx, lane, { id: jobId, payload: jobOf({ ...queued, extra }).payload }, now)
    return extra
  }
  const letter = await findLetterOf(tx, delivery)
  if (!letter) return undefined
  const extra = { ...promise, dueAt: null }
  const job = jobOf({ ...delivery, extra })
  await insertAttempts(tx, [promisedRow(delivery, promise, letter.attempts)])
  await enqueue(tx, [{ ...job, failures: letter.attempts }], now)
  await runFirst(tx, lane, { id: jobId, payload: job.payload }, now)
  return extra
}

function promisedRow(delivery: Delivery, promise: FirstAttempt, attempt: number) {
  const waits = { replayOf: null, begunAt: null, url: null, cause: 'retry' as const }
  return { ...delivery, ...promise, attempt, ...waits }
}

function webhookPaused(webhookId: string): Refusal {
  const text = `The webhook ${webhookId} is paused, so nothing is sent to it. Resume it first.`
  return refuse('conflict', text, {
    field: 'delivery_id',
    data: { reason: 'webhook_paused' },
    fix: { tool: 'webhook.save', arguments: { webhook_id: webhookId, status: 'active' } },
  })
}

function attemptUnderWay(deliveryId: string): Refusal {
  const text =
    'An attempt of this delivery is under way or about to begin. Look at its outcome first.'
  return refuse('conflict', text, {
    field: 'delivery_id',
    data: { reason: 'attempt_under_way' },
    fix: { tool: 'webhook.deliveries', arguments: { delivery_id: deliveryId } },
  })
}

function nothingLeft(deliveryId: string): Refusal {
  const text = `The delivery ${deliveryId} neither waits nor was given up: it was delivered, or was a test. To send its event again, replay it.`
  return refuse('conflict', text, {
    field: 'delivery_id',
    data: { reason: 'delivery_over' },
    fix: { tool: 'webhook.replay', arguments: { delivery_id: deliveryId } },
  })
}
