/** Records the result of a check and all its consequences, in one transaction. */

import { emitAll, type Origin } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { days, hours, later } from '../../lib/time/clock.ts'
import { selectorOf } from '../keys/key-pair.ts'
import { updateKey } from '../keys/key-queries.ts'
import { checkJob } from '../model/check-job.ts'
import { degradeClaim, holdsClaim, takeClaim } from '../model/claim-queries.ts'
import { activeKey, type Domain, type DomainKey, type Report } from '../model/domain.ts'
import { updateDomain } from '../model/queries.ts'
import { leastBetweenPasses, nextCheck } from '../model/schedule.ts'

interface Checked {
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
  const { provesItself, ...changes } = judged(domain, report, now)
  const settled = provesItself ? await proven(tx, changes, now) : await unproven(tx, changes)
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
  const claim = await takeClaim(tx, { name: domain.name, domainId: domain.id }, now)
  if (claim === 0) return lost(domain, { heldElsewhere: true })
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

const passesToVerify = 2
const missesToDegrade = 3
const degradedAfter = hours(24)
/** A key stays published this long after its last signature, for mail on its way. */
const keptAfterSwitch = days(7)

/** The domain after the check. The claim decides whether it may become verified. */
type DomainToJudge = Domain & { provesItself: boolean }

/**
 * The state of a domain after a check. It is pure, as what it calls, so that every step can be read
 * and tested.
 */
function judged(domain: Domain, report: Report, now: Date): DomainToJudge {
  const finding = report[selectorOf(activeKey(domain).slot, 'rsa-sha256')]
  const after = {
    ...domain,
    report: remembering(domain.report, report),
    checkedAt: now,
    keys: judgedKeys(domain.keys, report, now),
  }
  const { status } = finding ?? { status: 'unknown' }
  // If DNS does not respond, that proves neither success nor failure.
  if (status === 'unknown') return { ...after, provesItself: false }
  return status === 'ok' ? passed(after, now) : missed(after, now)
}

function passed(domain: Domain, now: Date): DomainToJudge {
  // Two checks at nearly the same moment count as one.
  const tooSoon =
    domain.passes > 0 &&
    domain.passedAt !== null &&
    now < later(domain.passedAt, leastBetweenPasses)
  const passes = tooSoon ? domain.passes : domain.passes + 1
  const passedAt = tooSoon ? domain.passedAt : now
  const after = { ...domain, passes, passedAt, misses: 0, missingSince: null }
  return { ...after, provesItself: domain.status !== 'verified' && passes >= passesToVerify }
}

function missed(domain: Domain, now: Date): DomainToJudge {
  const after = { ...domain, passes: 0, passedAt: null, heldElsewhere: false, provesItself: false }
  if (domain.status !== 'verified') return after
  const misses = domain.misses + 1
  const missingSince = domain.missingSince ?? now
  const isOver = misses >= missesToDegrade && now >= later(missingSince, degradedAfter)
  return { ...after, misses, missingSince, status: isOver ? 'degraded' : 'verified' }
}

/**
 * Switches to a coming key once our own check found it and twice its TTL has passed, so that no
 * verifier has the previous record in its cache. The old key leaves a week later.
 */
function judgedKeys(keys: DomainKey[], report: Report, now: Date): DomainKey[] {
  const seen = keys.map((key) => (key.state === 'coming' ? lookedFor(key, report, now) : key))
  const isSafe = ({ slot, state, seenAt, ttlSeconds }: DomainKey) =>
    state === 'coming' &&
    seenAt !== null &&
    report[selectorOf(slot, 'rsa-sha256')]?.status === 'ok' &&
    now >= later(seenAt, ttlSeconds * 2000)
  const switches = seen.some(isSafe)
  return seen.map((key) => {
    if (switches && key.state === 'coming') return { ...key, state: 'active' }
    if (switches && key.state === 'active') {
      return { ...key, state: 'leaving', leavesAt: later(now, keptAfterSwitch) }
    }
    const isOver = key.state === 'leaving' && key.leavesAt !== null && now >= key.leavesAt
    return isOver ? { ...key, state: 'revoked' } : key
  })
}

function lookedFor(key: DomainKey, report: Report, now: Date): DomainKey {
  const { status, ttl = 0 } = report[selectorOf(key.slot, 'rsa-sha256')] ?? { status: 'unknown' }
  // The previous record may be cached for as long as its TTL says.
  const ttlSeconds = Math.max(key.ttlSeconds, ttl)
  if (status === 'unknown') return { ...key, ttlSeconds }
  return { ...key, ttlSeconds, seenAt: status === 'ok' ? (key.seenAt ?? now) : null }
}

/** If DNS did not respond, the previous status is stored beside the new one. */
function remembering(before: Report, report: Report): Report {
  const entries = Object.entries(report).map(([id, finding]) => {
    const previous = before[id]
    const lastStatus = previous?.status === 'unknown' ? previous.before : previous?.status
    const isKept = finding.status === 'unknown' && lastStatus !== undefined
    return [id, isKept ? { ...finding, before: lastStatus } : finding] as const
  })
  return Object.fromEntries(entries)
}
