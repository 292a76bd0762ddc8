/**
 * Lifts early what messages wait for: the pause of a stream, or the hold of a campaign at one
 * provider. Messages that were put off until its end go within seconds.
 */

import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { bringForward } from '../../lib/jobs/lane-queries.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { type ChunkPayload, sendJobs } from '../model/queue.ts'
import type { ShareOf } from '../throttle/provider-hold.ts'
import type { StreamKey } from '../throttle/stream-queries.ts'
import { endHold, endPause, listOwnPauses, makeDue } from './lift-queries.ts'

/** The most jobs brought forward, of up to 200 messages each. Others go when they would have. */
const mostJobs = 500
/** Workers know of a pause or a hold for a second after its end, and would put messages off again. */
const forgotten = seconds(2)

/** How many messages go earlier. Undefined if the stream is not paused. */
export async function liftPause(
  tx: Tx,
  stream: StreamKey,
  { businessId, now }: { businessId?: Id<'business'>; now: Date },
): Promise<number | undefined> {
  const until = await endPause(tx, stream, now)
  return until && releaseFrom(tx, { until, ...(businessId && { businessId }), now })
}

/**
 * How many messages go earlier. Undefined if the provider does not hold the campaign's share. The
 * same refusals mostly paused the streams of the business's own domains too, so these go on as well.
 */
export async function liftHold(
  tx: Tx,
  share: ShareOf,
  { provider, now }: { provider: string; now: Date },
): Promise<number | undefined> {
  const { businessId } = share
  const until = await endHold(tx, share, { provider, now })
  if (!until) return undefined
  let released = await releaseFrom(tx, { until, businessId, now })
  for (const stream of await listOwnPauses(tx, businessId, { provider, now })) {
    released += (await liftPause(tx, stream, { businessId, now })) ?? 0
  }
  return released
}

interface Release {
  /** Messages that waited for this end are due at exactly this moment. */
  until: Date
  businessId?: Id<'business'>
  now: Date
}

async function releaseFrom(tx: Tx, { until, businessId, now }: Release): Promise<number> {
  const dueAt = later(now, forgotten)
  if (dueAt >= until) return 0
  const payloads = await bringForward<ChunkPayload>(tx, {
    kind: sendJobs.email,
    from: until,
    to: dueAt,
    ...(businessId && { part: ['business_id', businessId] as const }),
    limit: mostJobs,
    now,
  })
  let released = 0
  for (const [business, chunks] of Map.groupBy(payloads, (chunk) => chunk.business_id)) {
    const ids = chunks.flatMap((chunk) => chunk.message_ids)
    released += await makeDue(tx, business, { ids, from: until, to: dueAt })
  }
  return released
}
