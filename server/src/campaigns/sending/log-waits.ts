/** Writes to the log what each campaign waits for, once, and when it no longer waits for it. */
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { JobKinds } from '../../lib/jobs/job.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, minutes } from '../../lib/time/clock.ts'
import type { Campaign } from '../campaign.ts'
import { type Waiting, waitingOf } from './waiting.ts'

/** Nobody reads a log of more, and the page of each campaign says it too. The newest are logged. */
const mostCampaigns = 500

type Open = Pick<Campaign, 'id' | 'channel' | 'state' | 'pauseReason' | 'sendAt' | 'frozenAt'> & {
  businessId: Id<'business'>
}

interface WaitLogDeps {
  db: Db
  clock: Clock
  log: Log
  /** Tests set fewer. */
  limit?: number
}

export function waitLogJobs({ db, clock, log, limit = mostCampaigns }: WaitLogDeps): JobKinds {
  /** What the log says of each; another worker that takes the job over says it once more. */
  let before = new Map<Id<'campaign'>, Open & { waiting: Waiting }>()
  let wereMore = false
  return {
    'campaign.log-waits': {
      everyMs: minutes(1),
      async run() {
        const now = clock.now()
        const waits: typeof before = new Map()
        const open = await listOpen(db, limit + 1)
        const areMore = open.length > limit
        const newest = open.slice(0, limit)
        if (areMore && !wereMore) log.info({ most: limit }, 'campaign.more_wait')
        wereMore = areMore
        const isBeyond = (id: string) => areMore && id < (newest.at(-1)?.id ?? '')
        for (const campaign of newest) {
          const waiting = await waitingOf(db, campaign.businessId, campaign, now)
          if (waiting) waits.set(campaign.id, { ...campaign, waiting })
        }
        for (const { id, businessId, waiting } of waits.values()) {
          if (before.get(id)?.waiting.for === waiting.for) continue
          log.info({ ...idsOf(businessId, id), ...waiting }, 'campaign.waits')
        }
        for (const { id, businessId, waiting } of before.values()) {
          if (waits.has(id) || isBeyond(id)) continue
          log.info({ ...idsOf(businessId, id), for: waiting.for }, 'campaign.waits_no_more')
        }
        before = waits
      },
    },
  }
}

const idsOf = (businessId: Id<'business'>, id: Id<'campaign'>) => ({
  business: formatId('business', businessId),
  campaign: formatId('campaign', id),
})

/** Ids begin with the time at which they were made. What a person paused waits for nothing but that person. */
function listOpen(db: Db, limit: number): Promise<Open[]> {
  return db.all(sql`
    select business_id as "businessId", id, channel, state, pause_reason as "pauseReason", send_at as "sendAt",
      frozen_at as "frozenAt"
    from campaigns
    where state in ('scheduled', 'awaiting_approval', 'deployed')
      or (state = 'paused' and pause_reason = 'approval')
    order by id desc limit ${limit}
  `)
}
