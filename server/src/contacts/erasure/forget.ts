/**
 * The background part of an erasure: other domains delete the person's data, and the events about
 * the person are blanked, day by day. Every step can be repeated. The job's payload holds the
 * addresses, and is deleted with the job once the last step is done.
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
import type { ErasedPerson, PersonalData } from './personal-data.ts'

export const forgetJob = 'contact.forget'

export interface ForgetDeps {
  db: Database
  clock: Clock
  traces: readonly PersonalData[]
}

/** How long to wait while a message to the person is being sent, which ends by itself. */
const againMs = minutes(10)

export function contactJobs(deps: ForgetDeps): JobKinds {
  return {
    [forgetJob]: { timeoutMs: minutes(30), run: (job) => forget(deps, job as Job<ErasedPerson>) },
  }
}

async function forget(
  { db, clock, traces }: ForgetDeps,
  { payload }: Job<ErasedPerson>,
): Promise<Verdict> {
  const now = clock.now()
  const erased = await eraseAgain(db, payload, now)
  const done: boolean[] = []
  for (const domain of traces) done.push(await db.tx((tx) => domain.forget(tx, erased, now)))
  const { businessId, addresses } = erased
  const names = [
    ...erased.contactIds.map((id) => formatId('contact', id)),
    // Addresses as they occur in JSON, with their quotes, so that a longer address with the same
    // ending does not match.
    ...addresses.map((address) => JSON.stringify(address)),
  ]
  for (let day = eventsKeptDays + 1; day >= 0; day--) {
    const span = { from: later(now, -days(day)), to: later(now, -days(day - 1)) }
    await db.tx((tx) => blankEventsAbout(tx, businessId, { names, ...span }, now))
  }
  return done.every(Boolean) ? { outcome: 'done' } : { outcome: 'again', at: later(now, againMs) }
}

/** Erases the person again if a call that ran beside the erasure saved them again. */
function eraseAgain(db: Database, erased: ErasedPerson, now: Date): Promise<ErasedPerson> {
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
