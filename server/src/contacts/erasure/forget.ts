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

export interface ToForget extends ErasedPerson {
  /** Of people of whom nothing was heard since: no newer event is about them. */
  silentSince?: string
}

/** How long after somebody's last message something may still be told of it. */
const lateDays = 14

export interface ForgetDeps {
  db: Database
  clock: Clock
  traces: readonly PersonalData[]
}

/** How long to wait while a message to the person is being sent, which ends by itself. */
const againMs = minutes(10)

export function contactJobs(deps: ForgetDeps): JobKinds {
  return {
    // Each reads much, so that one at a time is enough of a business, and leaves room to others.
    [forgetJob]: {
      timeoutMs: minutes(30),
      perLane: 1,
      atOnce: 2,
      run: (job) => forget(deps, job as Job<ToForget>),
    },
  }
}

async function forget(
  { db, clock, traces }: ForgetDeps,
  { payload }: Job<ToForget>,
): Promise<Verdict> {
  const now = clock.now()
  const erased = await eraseAgain(db, payload, now)
  const done: boolean[] = []
  for (const domain of traces) done.push(await db.tx((tx) => domain.forget(tx, erased, now)))
  await blankEvents(db, { ...payload, ...erased }, now)
  return done.every(Boolean) ? { outcome: 'done' } : { outcome: 'again', at: later(now, againMs) }
}

/** All events that are kept are read, a day at a time: no index knows whom they are about. */
async function blankEvents(
  db: Database,
  { businessId, contactIds, addresses, silentSince }: ToForget,
  now: Date,
): Promise<void> {
  const ids = contactIds.map((id) => formatId('contact', id))
  // Addresses as they occur in JSON, with their quotes, so that a longer address with the same
  // ending does not match.
  const names = [...ids, ...addresses.map((address) => JSON.stringify(address))]
  const isMany = addresses.length === 0 && ids.length > fewContacts
  for (let day = eventsKeptDays + 1; day >= newestDay(silentSince, now); day--) {
    const span = { from: later(now, -days(day)), to: later(now, -days(day - 1)) }
    const forgotten = isMany ? { ids, ...span } : { names, ...span }
    await db.tx((tx) => blankEventsAbout(tx, businessId, forgotten, now))
  }
}

/** Up to so many, looking for each name in each body is the cheaper way. */
const fewContacts = 20

/** How many days ago the newest event about them may have been. */
function newestDay(silentSince: string | undefined, now: Date): number {
  if (silentSince === undefined) return 0
  const silentDays = Math.floor((now.getTime() - Date.parse(silentSince)) / days(1))
  return Math.max(0, silentDays - lateDays)
}

/** Erases the person again where a call that ran beside the erasure saved them anew. */
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
