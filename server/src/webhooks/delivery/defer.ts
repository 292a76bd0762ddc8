/** Suspends deliveries that must not be sent, so that they are not claimed again and again. */

import type { Id } from '../../core/ids.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { pauseLane } from '../../lib/jobs/lanes.ts'
import { lockWebhook, updateWebhook } from '../model/queries.ts'
import { deliverJob, type Holder } from '../model/webhook.ts'

/** A delivery whose subscription is paused, or whose holder has lost the right to it. */
export interface HeldDelivery {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  /** The holder who no longer has the right. Absent if the subscription is paused already. */
  ended?: Holder
}

export async function holdAll(
  db: Database,
  held: readonly HeldDelivery[],
  now: Date,
): Promise<void> {
  const unique = new Map(held.map((delivery) => [delivery.webhookId, delivery]))
  for (const one of unique.values()) await db.tx((tx) => hold(tx, one, now))
}

/** Checked again under the lock, because a caller may have resumed the subscription meanwhile. */
async function hold(
  tx: Tx,
  { businessId, webhookId, ended }: HeldDelivery,
  now: Date,
): Promise<void> {
  const webhook = await lockWebhook(tx, businessId, webhookId)
  if (!webhook) return
  if (webhook.pausedBecause === null) {
    if (webhook.holder !== ended) return
    await updateWebhook(tx, businessId, { ...webhook, pausedBecause: 'connection_ended' }, now)
  }
  await pauseLane(tx, { kind: deliverJob, lane: webhookId }, now)
}
