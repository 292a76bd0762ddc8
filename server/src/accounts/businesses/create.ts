import { type Id, newId } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { businessName } from './business.ts'
import { saveMembership } from './membership-queries.ts'
import { insertBusiness } from './queries.ts'

export const businessLimits = {
  /** Businesses that one person may own before the service makes no more for them. */
  owned: 200,
} as const

export interface BusinessToCreate {
  name: string
  ownerId: Id<'user'>
  tier: Tier
  /** Recipients a day without a person's approval; null for no limit. */
  deployLimit?: number | null
  now: Date
}

/** Marketing that a program orders waits for a person, until an owner trusts it with more. */
export const usualDeployLimit = 0

/**
 * Creates a business with its first owner: both rows commit together, so that no business is ever
 * without an owner.
 */
export async function createBusiness(
  tx: Tx,
  { name, ownerId, tier, deployLimit = usualDeployLimit, now }: BusinessToCreate,
): Promise<Id<'business'>> {
  const title = businessName(name)
  const id = newId('business')
  await insertBusiness(tx, { id, name: title, tier, deployLimit, now })
  await saveMembership(tx, id, { userId: ownerId, role: 'owner', now })
  return id
}
