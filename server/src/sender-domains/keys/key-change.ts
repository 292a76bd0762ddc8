/**
 * A change of keys: the other slot gets new keys, which checks look for.
 * `sender-domains/verification/record-check.ts` has the steps that follow.
 */

import { refuse } from '../../core/errors.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Database } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { checkJob } from '../model/check-job.ts'
import {
  activeKey,
  type Domain,
  type DomainSettings,
  leastTtlSeconds,
  type Slot,
} from '../model/domain.ts'
import { updateDomain } from '../model/queries.ts'
import { nextOnSchedule } from '../model/schedule.ts'
import { makeKeys } from './key-pair.ts'
import { putKeys } from './key-queries.ts'

export interface KeyChangeParts {
  db: Database
  vault: Vault
  settings: Pick<DomainSettings, 'ed25519'>
}

/**
 * Returns the slot of the new keys. Refuses if a change is under way, or there is nothing to
 * change.
 */
export async function startKeyChange(
  { db, vault, settings }: KeyChangeParts,
  domain: Domain,
  now: Date,
): Promise<Slot> {
  const active = activeKey(domain)
  const busy = domain.keys.find(({ state }) => state === 'coming' || state === 'leaving')
  if (domain.status === 'pending') {
    const text = `${domain.name} is not verified yet: its first key is still to come.`
    throw refuse('conflict', text, { data: { reason: 'domain_not_verified' } })
  }
  if (busy) {
    const text = `The keys of ${domain.name} are being changed already: s${busy.slot} is ${busy.state}.`
    throw refuse('conflict', text, { data: { reason: 'keys_changing' } })
  }
  const slot: Slot = active.slot === 1 ? 2 : 1
  const keys = await makeKeys(vault, domain.id, { slot, ed25519: settings.ed25519 })
  const owner = { businessId: domain.businessId, domainId: domain.id }
  const after = { ...domain, nextCheckAt: nextOnSchedule(now, now) }
  return db.tx(async (tx) => {
    if ((await updateDomain(tx, after, now)) === 0) {
      const text = `${domain.name} is being checked at this moment. Try again.`
      throw refuse('conflict', text, { data: { reason: 'domain_being_checked' } })
    }
    await putKeys(tx, owner, { ...keys, state: 'coming', ttlSeconds: leastTtlSeconds }, now)
    await enqueue(tx, [checkJob(after)], now)
    return slot
  })
}
