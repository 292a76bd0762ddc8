/** Finds the businesses whose night is due, each in its own zone. */
import { retainedKinds } from '../accounts/businesses/retention.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { type RetentionPayload, retentionJob } from './job.ts'
import { beginRun, type RetainingBusiness, selectRetaining } from './queries.ts'
import type { RetentionDeps } from './run.ts'

/** The hour of the night at which it begins, in the business's zone. Later after a downtime. */
const nightHour = 3

export async function beginNights({ db, clock, historyMonths }: RetentionDeps): Promise<void> {
  const now = clock.now()
  for (const business of await selectRetaining(db, { all: historyMonths !== null })) {
    const night = nightOf(business, now)
    if (night === undefined || business.night === night) continue
    await db.tx(async (tx) => {
      const isNew = await beginRun(tx, business.id, { night, kind: retainedKinds[0] })
      if (isNew === 0) return
      const payload: RetentionPayload = { business_id: business.id }
      const job = {
        kind: retentionJob,
        businessId: business.id,
        payload,
        priority: 'bulk',
      } as const
      await enqueue(tx, [job], now)
    })
  }
}

/** The date of the night that is due in the business's zone. Undefined before its hour. */
function nightOf({ timeZone }: RetainingBusiness, now: Date): string | undefined {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? ''
  if (Number(part('hour')) < nightHour) return undefined
  return `${part('year')}-${part('month')}-${part('day')}`
}
