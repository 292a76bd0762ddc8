/** The deliveries that follow from events, queued by the fan-out in its own transaction. */
import type { PlacedEvent } from '../events/fan-out.ts'
import type { Tx } from '../platform/db.ts'
import { enqueue, type TellWorker } from '../platform/jobs/enqueue.ts'
import { jobOf } from './delivery.ts'
import { selectSubscriptions } from './subscription-queries.ts'

/**
 * One job for each event and subscription that names its type and was there before it. A
 * paused one gets its jobs too: they wait in its lane. `tell` wakes this process's worker.
 */
export function queueDeliveries(tell?: TellWorker) {
  return async (tx: Tx, placed: readonly PlacedEvent[], now: Date): Promise<void> => {
    const businessIds = [...new Set(placed.map((event) => event.businessId))]
    const subscriptions = await selectSubscriptions(tx, businessIds)
    if (subscriptions.length === 0) return
    const byBusiness = Map.groupBy(subscriptions, (webhook) => webhook.businessId)
    const jobs = placed.flatMap((event) => {
      const listening = byBusiness.get(event.businessId) ?? []
      return listening
        .filter(({ events, createdAt }) => events.has(event.type) && createdAt <= event.createdAt)
        .map(({ webhookId, isFailing }) => ({
          ...jobOf({ ...event, webhookId, eventAt: event.createdAt }),
          // As its lane: the news of it must not go before lanes that answer.
          priority: isFailing ? ('bulk' as const) : ('normal' as const),
        }))
    })
    await enqueue(tx, jobs, now, tell)
  }
}
