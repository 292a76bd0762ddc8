/**
 * A tagging runs from the newest contact to the oldest, one range per job run. The changes of a
 * run and the new position commit together, so an interrupted run has done nothing.
 */
import { isRefusal } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac, Origin } from '../../core/operation.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { Job, JobKinds, NewJob, Verdict } from '../../lib/jobs/job.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ContactToSave } from '../contact.ts'
import { compileFilter } from '../filters/compile.ts'
import { saveContacts } from '../save.ts'
import { markAddresses } from '../suppressions/hash-addresses.ts'
import {
  floorFrom,
  lockMatching,
  lockTagging,
  type RunningTagging,
  saveProgress,
} from './queries.ts'
import type { Tagging } from './tagging.ts'

const tagJob = 'contact.tag'

interface Payload {
  business_id: Id<'business'>
  tagging_id: Id<'tagging'>
}

export const jobOf = (businessId: Id<'business'>, id: Id<'tagging'>): NewJob => ({
  kind: tagJob,
  lane: businessId,
  payload: { business_id: businessId, tagging_id: id } satisfies Payload,
  priority: 'bulk',
})

interface Deps {
  db: Database
  clock: Clock
  hmac: Hmac
}

/** Contacts per run: some tenths of a second of work, during which they are locked. */
const contactsPerRun = 1_000

export function taggingJobs(deps: Deps): JobKinds {
  return {
    [tagJob]: { perLane: 1, atOnce: 2, run: (job) => runJob(deps, job as Job<Payload>) },
  }
}

async function runJob({ db, clock, hmac }: Deps, { payload }: Job<Payload>): Promise<Verdict> {
  const { business_id: businessId, tagging_id: id } = payload
  await markAddresses(db, hmac, businessId)
  const now = clock.now()
  return db.tx(async (tx) => {
    const tagging = await lockTagging(tx, businessId, id)
    if (!tagging || tagging.finishedAt) return { outcome: 'done' }
    const { lookedTo: upTo } = tagging
    const next = upTo && (await tagRange(tx, { businessId, tagging, upTo, hmac, now }))
    if (next?.lookedTo) {
      await saveProgress(tx, businessId, next)
      return { outcome: 'again', at: now }
    }
    await saveProgress(tx, businessId, { ...tagging, ...next, finishedAt: now })
    return { outcome: 'done' }
  })
}

interface Range {
  businessId: Id<'business'>
  tagging: RunningTagging
  upTo: Id<'contact'>
  hmac: Hmac
  now: Date
}

/** Tags one range and returns the new state; `lookedTo` is where it continues, null at the end. */
async function tagRange(tx: Tx, range: Range): Promise<Tagging> {
  const { businessId, tagging, upTo, hmac, now } = range
  const { filter, zone, tier, askedAt, addTags, removeTags } = tagging
  const {
    floor: from,
    next,
    count,
  } = await floorFrom(tx, businessId, { upTo, size: contactsPerRun })
  const compiling = { businessId, now: askedAt, zone, range: { from, upTo } }
  const where = compileFilter(filter, compiling)
  const people = await lockMatching(tx, businessId, { where, from, upTo })
  const items = people.map(
    ({ email, phone }): ContactToSave => ({
      businessId,
      tier,
      hmac,
      source: 'api',
      origin: originOf(tagging),
      ...(email === null ? phone !== null && { phone } : { email }),
      tags: addTags,
      removeTags,
    }),
  )
  const saved = items.length > 0 ? await saveContacts.save(tx, items, now) : []
  const changed = saved.filter((entry) => !isRefusal(entry) && entry.change === 'updated').length
  return {
    ...tagging,
    looked: tagging.looked + count,
    changed: tagging.changed + changed,
    refused: tagging.refused + saved.filter(isRefusal).length,
    lookedTo: next,
  }
}

const originOf = ({ connectionId, callId }: Tagging): Origin => ({
  connectionId,
  callId: callId ? formatId('request', callId) : '',
})
