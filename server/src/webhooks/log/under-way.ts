/**
 * Attempts that are under way. They have no row in the log until they end, so their data comes from
 * the claims of their jobs.
 */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { heldIn } from '../../lib/jobs/lanes.ts'
import { selectUrls } from '../delivery/subscription-queries.ts'
import {
  attemptIdOf,
  causeOf,
  deliveriesOf,
  laneOf,
  numberOf,
  promisedOf,
} from '../model/delivery.ts'
import type { LogRow } from './log-queries.ts'

/** Attempts of some businesses, or of one webhook, newest first. */
export async function attemptsUnderWay(
  db: Db,
  businessIds: readonly Id<'business'>[],
  now: Date,
  webhookId: Id<'webhook'> | null = null,
): Promise<LogRow[]> {
  const webhooks = await selectUrls(db, businessIds, webhookId)
  const lanes = webhooks.flatMap(({ businessId, id }) => [
    laneOf({ businessId, webhookId: id }),
    laneOf({ businessId, webhookId: id, test: true }),
  ])
  const urls = new Map(webhooks.map(({ id, url }) => [id, url]))
  const jobs = await heldIn(db, lanes, now)
  return jobs
    .flatMap(({ payload, attempt, claims, lease, claimedAt }) =>
      deliveriesOf(payload).deliveries.flatMap((queued) => {
        // This attempt has the id that its caller was promised, and a row already.
        if (promisedOf(queued, attempt) && claims === 1) return []
        const { first: _first, extra: _extra, test: _test, ...delivery } = queued
        const id = attemptIdOf(lease, delivery)
        const url = urls.get(delivery.webhookId) ?? null
        return [
          {
            ...nothingYet,
            ...delivery,
            id,
            createdAt: claimedAt,
            begunAt: claimedAt,
            attempt: numberOf(attempt, queued),
            cause: causeOf(queued),
            url,
          },
        ]
      }),
    )
    .sort((a, b) => (a.id < b.id ? 1 : -1))
}

const nothingYet = {
  replayOf: null,
  endedAt: null,
  outcome: null,
  signature: null,
  status: null,
  failure: null,
  response: null,
  nextAttemptAt: null,
  isUnderWay: true,
} as const
