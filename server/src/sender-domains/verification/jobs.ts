/** The background jobs of domains. `worker.ts` adds them to its list. */

import { orRefusal } from '../../core/errors.ts'
import type { Database } from '../../lib/db/types.ts'
import { settle } from '../../lib/jobs/claim.ts'
import type { Job, JobKinds } from '../../lib/jobs/job.ts'
import { type Clock, days, hours, later, minutes } from '../../lib/time/clock.ts'
import { startKeyChange } from '../keys/key-change.ts'
import { findDomain } from '../keys/read-domains.ts'
import { type CheckPayload, checkJobKind } from '../model/check-job.ts'
import { activeKey, type Domain, type DomainSettings } from '../model/domain.ts'
import type { DomainFacility } from '../model/facility.ts'
import { checkDomain } from './check.ts'
import { recordCheck } from './record-check.ts'

export interface CheckDeps extends DomainFacility {
  db: Database
  clock: Clock
}

// Without retries, a domain whose check failed would never be checked again.
const retries = [
  minutes(1),
  minutes(5),
  minutes(15),
  ...Array.from({ length: days(30) / hours(1) }, () => hours(1)),
]

/** If the operator has a zone, keys change by themselves at this age. */
const keysLast = days(180)

export function domainJobs(deps: CheckDeps): JobKinds {
  return {
    [checkJobKind]: {
      retryDelays: retries,
      timeoutMs: minutes(1),
      async run(job) {
        const domain = await dueDomain(deps.db, job as Job<CheckPayload>)
        if (!domain) return { outcome: 'done' }
        await check(deps, domain, job)
        return { outcome: 'settled' }
      },
    },
  }
}

/** Undefined if the domain was removed, or if a call checked it and set another time. */
async function dueDomain(db: Database, job: Job<CheckPayload>): Promise<Domain | undefined> {
  const { business_id, domain_id, at } = job.payload
  const domain = await findDomain(db, business_id, { id: domain_id })
  return domain?.nextCheckAt.toISOString() === at ? domain : undefined
}

async function check(deps: CheckDeps, domain: Domain, job: Job): Promise<void> {
  const { db, clock, vault, resolver, settings } = deps
  const report = await checkDomain(resolver, domain, settings)
  const after = await db.tx(async (tx) => {
    const now = clock.now()
    const heldJobs = await settle(tx, [{ job, outcome: { outcome: 'done' } }], now)
    return heldJobs.has(job) ? recordCheck(tx, { domain, report }, now) : undefined
  })
  if (after && isOld(after, settings, clock.now())) {
    // If it is refused, because a call changes the domain now, the next check begins the change.
    await orRefusal(() => startKeyChange({ db, vault, settings }, after, clock.now()))
  }
}

function isOld(domain: Domain, { zone }: DomainSettings, now: Date): boolean {
  if (zone === undefined || domain.status !== 'verified') return false
  const isChanging = domain.keys.some(({ state }) => state === 'coming' || state === 'leaving')
  return !isChanging && now >= later(activeKey(domain).createdAt, keysLast)
}
