/** Businesses, and the context of a call in one, for tests below the entry points. */

import { insertBusiness, updateSetting } from 'crier-server/accounts/businesses/queries.ts'
import { formatId, type Id, lowestIdAt, newId, timeOf } from 'crier-server/core/ids.ts'
import type { Origin, Reach, Tier } from 'crier-server/core/operation.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { days, later } from 'crier-server/lib/time/clock.ts'

/**
 * An id that was made two days ago, so that what holds for businesses of the first day does not hold
 * for this one. Ids of different calls keep their order.
 */
export function olderBusinessId(): Id<'business'> {
  const id = newId('business')
  const before = lowestIdAt('business', later(timeOf(id), -days(2)))
  const timeDigits = 'xxxxxxxx-xxxx'.length
  return `${before.slice(0, timeDigits)}${id.slice(timeDigits)}` as Id<'business'>
}

/** It tracks transactional mail too, which a new business does not unless it asks for it. */
export async function newBusiness(db: Db, tier: Tier = 'scale'): Promise<Id<'business'>> {
  const id = olderBusinessId()
  const now = new Date('2026-11-01T00:00:00Z')
  // Programs may send to so many without approval: only tests of that rule have a limit of 0.
  await insertBusiness(db, { id, name: 'A business', tier, deployLimit: 1_000, now })
  await updateSetting(db, id, { column: 'track_transactional', value: 'yes', now })
  return id
}

export function reachOf(id: Id<'business'>, changes: Partial<Reach> = {}): Reach {
  return { id, name: 'A business', tier: 'scale', role: 'owner', ...changes }
}

export function someOrigin(): Origin {
  return {
    connectionId: newId('connection'),
    callId: formatId('request', newId('request')),
  }
}
