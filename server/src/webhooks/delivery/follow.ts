/** Queues the deliveries of events, in the transaction of the fan-out. */

import { formatId, type Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { PlacedEvent } from '../../events/fan-out.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { defaults, enqueue, type NewJob, type TellWorker } from '../../lib/jobs/job.ts'
import { batchJobOf, type Delivery } from '../model/delivery.ts'
import { filterOf } from './filters.ts'
import { type Subscription, selectSubscriptions } from './subscription-queries.ts'

/** The most deliveries that share a job. A job's rows cost more than the delivery's own. */
const perBatch = 8

/**
 * Queues one delivery for each event and each subscription that names its type and is older than
 * the event. A paused subscription gets its deliveries too, which wait in its lane. `tell` wakes
 * this process's worker.
 */
export function queueDeliveries(tell?: TellWorker) {
  return async (tx: Tx, placed: readonly PlacedEvent[], now: Date): Promise<void> => {
    const byBusiness = Map.groupBy(placed, (event) => event.businessId)
    const subscriptions = await selectSubscriptions(tx, [...byBusiness.keys()])
    if (subscriptions.length === 0) return
    const targets = await targetsOf(tx, placed)
    const passes = await filterOf(tx, subscriptions, placed)
    const jobs = subscriptions.flatMap((webhook) =>
      jobsFor(
        webhook,
        (byBusiness.get(webhook.businessId) ?? []).filter((event) => {
          const named = targets.get(event.eventId)
          const isNamed = named === formatId('webhook', webhook.webhookId)
          // A receiver that fails is not told so itself.
          const isForIt =
            event.type === 'webhook.failing' ? !isNamed : isNamed || named === undefined
          return isForIt && passes(webhook, event)
        }),
      ),
    )
    await enqueue(tx, jobs, now, tell)
  }
}

/** The webhooks that events name because they are for that one alone, or for all but that one. */
const naming: ReadonlySet<EventTypeName> = new Set(['sequence.notified', 'webhook.failing'])

async function targetsOf(
  tx: Tx,
  placed: readonly PlacedEvent[],
): Promise<ReadonlyMap<Id<'event'>, string>> {
  const directed = placed.filter(({ type }) => naming.has(type))
  if (directed.length === 0) return new Map()
  const rows = await tx.all<{ id: Id<'event'>; target: string }>(sql`
    select e.id, e.body::json -> 'data' ->> 'webhook_id' as target
    from unnest(
      ${directed.map(({ businessId }) => businessId)}::uuid[],
      ${directed.map(({ eventId }) => eventId)}::uuid[],
      ${directed.map(({ createdAt }) => createdAt)}::timestamptz[]
    ) as new (business_id, id, created_at)
    join events e on e.business_id = new.business_id and e.created_at = new.created_at
      and e.id = new.id
  `)
  return new Map(rows.map(({ id, target }) => [id, target]))
}

function jobsFor(webhook: Subscription, placed: readonly PlacedEvent[]): NewJob[] {
  const { businessId, webhookId, events, createdAt, isFailing } = webhook
  const deliveries = placed
    .filter((event) => events.has(event.type) && createdAt <= event.createdAt)
    .map(({ eventId, type, createdAt: eventAt }) => ({
      businessId,
      webhookId,
      eventId,
      eventAt,
      type,
    }))
  // The priority of the lane: its notifications must not precede lanes that respond.
  const priority = isFailing ? ('bulk' as const) : ('normal' as const)
  return batchesOf(deliveries, isFailing).map((batch) => ({ ...batchJobOf(batch), priority }))
}

/** Deliveries stay single while all can be sent at once anyway, or while the receiver fails. */
function batchesOf(deliveries: readonly Delivery[], isFailing: boolean): Delivery[][] {
  const atOnce = isFailing ? deliveries.length : defaults.perLane
  const length = Math.min(perBatch, Math.ceil(deliveries.length / atOnce))
  const count = length === 0 ? 0 : Math.ceil(deliveries.length / length)
  return Array.from({ length: count }, (_, i) => deliveries.slice(i * length, (i + 1) * length))
}
