import type { Db, Tx } from '../platform/db.ts'
import { type Refusal, refuse } from '../platform/errors.ts'
import type { Id } from '../platform/ids.ts'
import { type Reach, type Role, tiers } from '../platform/operation.ts'
import type { Membership } from './business.ts'
import {
  businessesOf,
  deleteMembership,
  type NewMembership,
  saveMembership,
  selectReach,
  staffing,
} from './membership-queries.ts'
import { lockTier } from './queries.ts'
import { limitsOf } from './tiers.ts'

/**
 * Makes a person a member, or gives a member another role. The business's row is
 * locked, so that the tier's limit holds when several are added at once and two
 * owners cannot both step down.
 */
export async function addMember(
  tx: Tx,
  businessId: Id<'business'>,
  member: NewMembership,
): Promise<Role | Refusal> {
  const business = await lockTier(tx, businessId)
  if (!business) return refuse('not_found', 'There is no such business.')
  const staff = await staffing(tx, businessId, member.userId)
  const limit = limitsOf(business.tier).members
  if (staff.role === null && limit !== null && staff.members >= limit) {
    const roomy = tiers.find((tier) => (limitsOf(tier).members ?? Infinity) > staff.members)
    return refuse(
      'tier_required',
      `The tier ${business.tier} has room for ${limit} members, and they are taken. ${roomy} has more.`,
      { data: { tier: roomy } },
    )
  }
  if (staff.role === 'owner' && staff.owners === 1 && member.role !== 'owner') {
    return lastOwner('role')
  }
  await saveMembership(tx, businessId, member)
  return member.role
}

/** False for one who is no member. The last owner stays, as above. */
export async function removeMember(
  tx: Tx,
  businessId: Id<'business'>,
  member: { userId: Id<'user'>; now: Date },
): Promise<boolean | Refusal> {
  await lockTier(tx, businessId)
  const staff = await staffing(tx, businessId, member.userId)
  if (staff.role === 'owner' && staff.owners === 1) return lastOwner('user_id')
  return (await deleteMembership(tx, businessId, member)) === 1
}

function lastOwner(field: string): Refusal {
  const text = 'A business keeps at least one owner. Make somebody else owner first.'
  return refuse('conflict', text, { field })
}

/** The businesses a person is a member of now. */
export function membershipsOf(db: Db, userId: Id<'user'>): Promise<Membership[]> {
  return businessesOf(db, userId)
}

/** What each of these people reaches as a member, oldest business first; nothing: left out. */
export async function membersReach(
  db: Db,
  userIds: readonly Id<'user'>[],
): Promise<ReadonlyMap<Id<'user'>, Reach[]>> {
  const rows = await selectReach(db, userIds)
  const byPerson = Map.groupBy(rows, ({ userId }) => userId)
  return new Map(
    [...byPerson].map(([userId, own]) => [
      userId,
      own.map(({ userId: _userId, ...reach }) => reach),
    ]),
  )
}
