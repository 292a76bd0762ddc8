/**
 * The number of deliveries that are sent to a receiver at once. It is halved each time the receiver
 * fails, down to one, and each success doubles it again, up to eight. A lane that is down to one
 * comes after all others, so that a thousand dead receivers do not hold the slots of one that
 * responds.
 */

import type { Tx } from '../../lib/db/types.ts'
import { defaults } from '../../lib/jobs/job.ts'
import { steerLane } from '../../lib/jobs/lanes.ts'
import { laneOf } from '../model/delivery.ts'
import type { Ended } from './begin.ts'
import { markFailing } from './subscription-queries.ts'

const most = defaults.perLane

export async function adjustPace(tx: Tx, attempts: readonly Ended[], now: Date): Promise<void> {
  const real = attempts.filter(({ begun }) => !begun.delivery.test)
  const byWebhook = Map.groupBy(real, ({ begun }) => begun.delivery.webhookId)
  for (const ended of byWebhook.values()) await adjustOne(tx, ended, now)
}

async function adjustOne(tx: Tx, attempts: readonly Ended[], now: Date): Promise<void> {
  const [first] = attempts
  if (!first) return
  const { delivery, target } = first.begun
  // The capacity at the time of the claims. Of several values, the lowest is the most recent while
  // it falls.
  const before = Math.min(...attempts.map(({ begun }) => begun.job.capacity))
  const fails = attempts.some(({ result }) => result.outcome === 'failed')
  const answers = attempts.some(({ result }) => result.outcome === 'delivered')
  const after = fails ? Math.max(1, before >> 1) : Math.min(most, before * 2)
  const isFailing = fails && !answers && after === 1
  if (isFailing === (target.failingSince !== null) && after === before) return
  const capacity = after === most ? null : after
  const priority = isFailing ? 'bulk' : 'normal'
  await steerLane(tx, laneOf(delivery), { capacity, priority }, now)
  await markFailing(tx, delivery.businessId, delivery.webhookId, isFailing ? now : null)
}
