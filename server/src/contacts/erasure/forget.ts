/**
 * What follows an erasure, out of the way of its answer: other domains take out what they hold
 * of the person, and the events that tell of them are blanked, day after day. Each step may be
 * done again; the payload with the addresses goes when the last of them is done.
 */

import { formatId } from '../../core/ids.ts'
import { blankEventsAbout } from '../../events/blank-events.ts'
import { eventsKeptDays } from '../../events/retention.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Job, JobKinds, Verdict } from '../../lib/jobs/job.ts'
import { type Clock, days, later, minutes } from '../../lib/time/clock.ts'
import { release } from '../../usage/reserve.ts'
import { endContacts } from './end-contacts.ts'
import { deleteHistory, findByAddress } from './former-queries.ts'
import type { Erased, PersonalData } from './personal-data.ts'

export const forgetJob = 'contact.forget'

export interface ForgetDeps {
  db: Database
  clock: Clock
  traces: readonly PersonalData[]
}

/** While a message to the person is under way, which ends by itself. */
const againMs = minutes(10)

export function contactJobs(deps: ForgetDeps): JobKinds {
  return {
    [forgetJob]: { timeoutMs: minutes(30), run: (job) => forget(deps, job as Job<Erased>) },
  }
}

async function forget(
  { db, clock, traces }: ForgetDeps,
  { payload }: Job<Erased>,
): Promise<Verdict> {
  const now = clock.now()
  const erased = await endLatecomers(db, payload, now)
  const done: boolean[] = []
  for (const domain of traces) done.push(await db.tx((tx) => domain.forget(tx, erased, now)))
  const { businessId, addresses } = erased
  const names = [
    ...erased.contactIds.map((id) => formatId('contact', id)),
    // As they stand in JSON: whole, so that no longer address that ends alike is meant.
    ...addresses.map((address) => JSON.stringify(address)),
  ]
  for (let day = eventsKeptDays + 1; day >= 0; day--) {
    const span = { from: later(now, -days(day)), to: later(now, -days(day - 1)) }
    await db.tx((tx) => blankEventsAbout(tx, businessId, { names, ...span }, now))
  }
  return done.every(Boolean) ? { outcome: 'done' } : { outcome: 'again', at: later(now, againMs) }
}

/** A call that ran beside the erasure may have saved the person anew. */
function endLatecomers(db: Database, erased: Erased, now: Date): Promise<Erased> {
  const { businessId, addresses } = erased
  return db.tx(async (tx) => {
    const late = (await findByAddress(tx, businessId, addresses)).map(({ id }) => id)
    const contactIds = [...erased.contactIds, ...late]
    const amount = await endContacts(tx, businessId, late)
    if (amount > 0) await release(tx, [{ businessId, metric: 'contacts', amount }], now)
    await deleteHistory(tx, businessId, contactIds)
    return { ...erased, contactIds }
  })
}
