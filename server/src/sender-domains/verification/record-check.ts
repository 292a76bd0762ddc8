/** Records the result of a check and all its consequences, in one transaction. */

import { emitAll, type Origin } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { updateKey } from '../keys/key-queries.ts'
import { checkJob } from '../model/check-job.ts'
import { degradeClaim, holdsClaim, takeClaim } from '../model/claim-queries.ts'
import type { Domain, Report } from '../model/domain.ts'
import { updateDomain } from '../model/queries.ts'
import { nextCheck } from '../model/schedule.ts'
import { judged } from './verdict.ts'

export interface Checked {
  /** The domain as it was when its records were checked. */
  domain: Domain
  report: Report
  /** The call that requested the check. Absent for polling. */
  origin?: Origin
}

/**
 * The domain as it is now. Undefined if it was changed or removed during the check, because the
 * result is then out of date.
 */
export async function recordCheck(
  tx: Tx,
  { domain, report, origin }: Checked,
  now: Date,
): Promise<Domain | undefined> {
  const { provesItself, ...found } = judged(domain, report, now)
  const settled = provesItself ? await proven(tx, found, now) : await unproven(tx, found)
  const after = { ...settled, nextCheckAt: nextCheck(settled, now) }
  if ((await updateDomain(tx, after, now)) === 0) return undefined
  const owner = { businessId: domain.businessId, domainId: domain.id }
  for (const key of after.keys) await updateKey(tx, owner, key)
  if (after.nextCheckAt.getTime() !== domain.nextCheckAt.getTime()) {
    await enqueue(tx, [checkJob(after)], now)
  }
  // Sent once: a degraded domain whose records return was verified before.
  if (after.verifiedAt && !domain.verifiedAt) {
    const data = { domain: domain.name, verified_at: after.verifiedAt.toISOString() }
    const event = { businessId: domain.businessId, type: 'domain.verified' as const, data }
    await emitAll(tx, [{ ...event, ...(origin && { origin }) }], now)
  }
  if (after.status === 'degraded' && domain.status !== 'degraded') {
    const missing_since = (after.missingSince ?? now).toISOString()
    const data = { domain: domain.name, missing_since }
    const event = { businessId: domain.businessId, type: 'domain.degraded' as const, data }
    await emitAll(tx, [{ ...event, ...(origin && { origin }) }], now)
  }
  return { ...after, revision: domain.revision + 1 }
}

async function proven(tx: Tx, domain: Domain, now: Date): Promise<Domain> {
  const taken = await takeClaim(tx, { name: domain.name, domainId: domain.id }, now)
  if (taken === 0) return lost(domain, { heldElsewhere: true })
  const verifiedAt = domain.verifiedAt ?? now
  return { ...domain, status: 'verified', heldElsewhere: false, verifiedAt }
}

async function unproven(tx: Tx, domain: Domain): Promise<Domain> {
  if (domain.status === 'pending') return domain
  const claim = { name: domain.name, domainId: domain.id }
  if (!(await holdsClaim(tx, claim))) return lost(domain, { heldElsewhere: false })
  if (domain.status === 'degraded') await degradeClaim(tx, claim)
  return domain
}

/** Another business proved the name and holds it. */
function lost(domain: Domain, { heldElsewhere }: Pick<Domain, 'heldElsewhere'>): Domain {
  return { ...domain, status: 'pending', verifiedAt: null, heldElsewhere }
}
