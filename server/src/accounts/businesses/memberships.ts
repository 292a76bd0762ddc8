import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { allows, type Reach, type Role, type Tier, tiers } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Membership } from './business.ts'
import {
  type Approver,
  businessesOf,
  countMembers,
  countMembersAndRole,
  deleteMembership,
  deleteRemoval,
  type MemberCounts,
  type NewMembership,
  saveMembership,
  saveRemoval,
  selectApprovers,
  selectOfRole,
  selectReachableBusinesses,
} from './membership-queries.ts'
import { lockTier } from './queries.ts'
import { tierLimits } from './tiers.ts'

/**
 * Makes a person a member, or changes a member's role. The business's row is locked, so that the
 * tier's limit holds when several members are added at once, and two owners cannot both step down.
 */
export async function addMember(
  tx: Tx,
  businessId: Id<'business'>,
  member: NewMembership,
): Promise<Role> {
  const business = await lockTier(tx, businessId)
  if (!business) throw refuse('not_found', 'There is no such business.')
  const staff = await countMembersAndRole(tx, businessId, member.userId)
  const limit = tierLimits[business.tier].members
  if (staff.role === null && limit !== null && staff.members >= limit) {
    throw memberLimitReached(business.tier, limit, staff.members)
  }
  if (staff.role === 'owner' && staff.owners === 1 && member.role !== 'owner') {
    throw lastOwnerMustStay('role')
  }
  if (isNeededToApprove(staff) && !mayApprove(member.role)) throw secondApproverMustStay('role')
  await saveMembership(tx, businessId, member)
  await deleteRemoval(tx, businessId, member.userId)
  return member.role
}

export type { Approver }

/** Who may approve campaigns above the business's limit. */
export function approversOf(db: Db, businessId: Id<'business'>): Promise<Approver[]> {
  return selectApprovers(db, businessId)
}

/** The owners, who are responsible for the business. */
export function ownersOf(db: Db, businessId: Id<'business'>): Promise<Id<'user'>[]> {
  return selectOfRole(db, businessId, 'owner')
}

export function adminsOf(db: Db, businessId: Id<'business'>): Promise<Id<'user'>[]> {
  return selectOfRole(db, businessId, 'admin')
}

/** The person's role in the business; undefined for somebody who is not a member. */
export async function roleOf(
  db: Db,
  businessId: Id<'business'>,
  userId: Id<'user'>,
): Promise<Role | undefined> {
  return (await countMembersAndRole(db, businessId, userId)).role ?? undefined
}

/**
 * The refusal if the tier does not allow this many more members. The business's row stays locked
 * until the transaction ends.
 */
export async function refuseOverMemberLimit(
  tx: Tx,
  businessId: Id<'business'>,
  more: number,
): Promise<Refusal | undefined> {
  const business = await lockTier(tx, businessId)
  if (!business) return refuse('not_found', 'There is no such business.')
  const members = await countMembers(tx, businessId)
  const limit = tierLimits[business.tier].members
  return limit !== null && members + more > limit
    ? memberLimitReached(business.tier, limit, members + more - 1)
    : undefined
}

function memberLimitReached(tier: Tier, limit: number, taken: number): Refusal {
  const roomy = tiers.find((word) => (tierLimits[word].members ?? Infinity) > taken)
  const text = `The tier ${tier} allows ${limit} members, and all seats are in use: members and invitations count. ${roomy} has more.`
  return refuse('tier_required', text, { data: { tier: roomy } })
}

/** An owner removes a member, whom a company sign-in makes no member again. Returns false for nobody. */
export async function removeMember(
  tx: Tx,
  businessId: Id<'business'>,
  member: { userId: Id<'user'>; now: Date },
): Promise<boolean> {
  const isEnded = await endMembership(tx, businessId, member)
  if (isEnded) await saveRemoval(tx, businessId, member)
  return isEnded
}

/** Ends a membership; returns false for somebody who is no member. The last owner stays. */
export async function endMembership(
  tx: Tx,
  businessId: Id<'business'>,
  member: { userId: Id<'user'>; now: Date },
): Promise<boolean> {
  await lockTier(tx, businessId)
  const staff = await countMembersAndRole(tx, businessId, member.userId)
  if (staff.role === 'owner' && staff.owners === 1) throw lastOwnerMustStay('user_id')
  if (isNeededToApprove(staff)) throw secondApproverMustStay('user_id')
  return (await deleteMembership(tx, businessId, member)) === 1
}

function lastOwnerMustStay(field: string): Refusal {
  const text = 'A business keeps at least one owner. Make somebody else owner first.'
  return refuse('conflict', text, { field, data: { reason: 'last_owner' } })
}

const mayApprove = (role: Role) => allows(role, { role: 'admin', alsoFor: 'approver' })

/** Whether nobody could approve what the only other approver orders, once this person may not. */
function isNeededToApprove({ role, approvers, twoPeople }: MemberCounts): boolean {
  return twoPeople && role !== null && mayApprove(role) && approvers <= 2
}

function secondApproverMustStay(field: string): Refusal {
  const text =
    'This business has a second person approve its campaigns, and only two members may. Let a third member approve first, as an approver, admin or owner, or switch two_people off.'
  return refuse('conflict', text, { field, data: { reason: 'two_people' } })
}

/** Whether a second person could approve: at least two members may. */
export async function hasTwoApprovers(db: Db, businessId: Id<'business'>): Promise<boolean> {
  return (await selectApprovers(db, businessId)).length >= 2
}

/** The businesses that a person is currently a member of. */
export function membershipsOf(db: Db, userId: Id<'user'>): Promise<Membership[]> {
  return businessesOf(db, userId)
}

/** The businesses of each of these people, oldest first; people without a business are left out. */
export async function reachableBusinessesOf(
  db: Db,
  userIds: readonly Id<'user'>[],
): Promise<ReadonlyMap<Id<'user'>, Reach[]>> {
  const rows = await selectReachableBusinesses(db, userIds)
  const byPerson = Map.groupBy(rows, ({ userId }) => userId)
  return new Map(
    [...byPerson].map(([userId, own]) => [
      userId,
      own.map(({ userId: _userId, requiredFrom, asksFresh, isHeld, ...reach }) => {
        const isRule = requiredFrom !== null || asksFresh
        return {
          ...reach,
          ...(isHeld && { isHeld }),
          ...(isRule && { factorRule: { requiredFrom, asksFresh } }),
        }
      }),
    ]),
  )
}
