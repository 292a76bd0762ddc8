/** Every statement that touches memberships. */

import { withAccessChange } from '../../core/access-changes.ts'
import type { Id } from '../../core/ids.ts'
import type { FactorRule, Reach, Role } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Membership } from './business.ts'

export interface NewMembership {
  userId: Id<'user'>
  role: Role
  now: Date
}

/** Adds a member; an existing member gets the new role. */
export function saveMembership(
  db: Db,
  businessId: Id<'business'>,
  member: NewMembership,
): Promise<number> {
  const saving = sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${businessId}, ${member.userId}, ${member.role}, ${member.now})
    on conflict (business_id, user_id) do update set role = excluded.role
    returning user_id as subject
  `
  return db.run(withAccessChange(saving, member.now))
}

/** How many members, owners and approvers a business has, and one person's role. */
export interface MemberCounts {
  members: number
  owners: number
  /** Members who may approve campaigns, owners and admins included. */
  approvers: number
  /** Whether the business has a second person approve its campaigns. */
  twoPeople: boolean
  /** The person's current role; null for somebody who is not a member. */
  role: Role | null
}

/** Owners whom the company holds do not count but for the person: they could not let themselves go on. */
export function countMembersAndRole(
  db: Db,
  businessId: Id<'business'>,
  userId: Id<'user'>,
): Promise<MemberCounts> {
  return db.one(sql`
    select count(*) as members,
      count(*) filter (where role = 'owner' and (held_at is null or user_id = ${userId})) as owners,
      count(*) filter (where role in ('approver', 'admin', 'owner')) as approvers,
      coalesce((select two_people from businesses where id = ${businessId}), false) as "twoPeople",
      max(role) filter (where user_id = ${userId}) as role
    from memberships where business_id = ${businessId}
  `)
}

export async function countMembers(db: Db, businessId: Id<'business'>): Promise<number> {
  const { members } = await db.one<{ members: number }>(sql`
    select count(*) as members from memberships where business_id = ${businessId}
  `)
  return members
}

export function businessesOf(db: Db, userId: Id<'user'>): Promise<Membership[]> {
  return db.all(sql`
    select b.id, b.name, m.role
    from memberships m join businesses b on b.id = m.business_id
    where m.user_id = ${userId} and b.closed_at is null
    order by b.created_at, b.id
  `)
}

/** The businesses of several people, oldest first, with each person's role. */
export function selectReachableBusinesses(
  db: Db,
  userIds: readonly Id<'user'>[],
): Promise<
  (Omit<Reach, 'factorRule' | 'isHeld'> & FactorRule & { userId: Id<'user'>; isHeld: boolean })[]
> {
  return db.all(sql`
    select m.user_id as "userId", b.id, b.name, b.tier, m.role, m.held_at is not null as "isHeld",
      b.factor_required_from as "requiredFrom", b.asks_fresh_factor as "asksFresh"
    from memberships m join businesses b on b.id = m.business_id
    where m.user_id = any (${userIds}::uuid[]) and b.closed_at is null
    order by b.created_at, b.id
  `)
}

export function deleteMembership(
  db: Db,
  businessId: Id<'business'>,
  member: { userId: Id<'user'>; now: Date },
): Promise<number> {
  const deleting = sql`
    delete from memberships where business_id = ${businessId} and user_id = ${member.userId}
    returning user_id as subject
  `
  return db.run(withAccessChange(deleting, member.now))
}

/** Remembers that an owner removed the person, and the address that they have. */
export function saveRemoval(
  db: Db,
  businessId: Id<'business'>,
  { userId, now }: { userId: Id<'user'>; now: Date },
): Promise<number> {
  return db.run(sql`
    insert into removed_members (business_id, user_id, email, removed_at)
    select ${businessId}, id, email, ${now} from users where id = ${userId}
    on conflict (business_id, user_id) do update
    set email = excluded.email, removed_at = excluded.removed_at
  `)
}

/** Forgets it, once somebody has made the person a member again. */
export function deleteRemoval(
  db: Db,
  businessId: Id<'business'>,
  userId: Id<'user'>,
): Promise<number> {
  return db.run(sql`
    delete from removed_members
    where business_id = ${businessId} and (
      user_id = ${userId} or email = (select email from users where id = ${userId})
      or user_id in (
        select a.user_id from address_changes a join users u on u.email = a.old_email
        where u.id = ${userId} and a.done_at is not null
      )
      or user_id in (
        select p.user_id from past_identities p join identities i using (issuer, subject)
        where i.user_id = ${userId}
      )
    )
  `)
}

/**
 * Whether an owner removed the person, or somebody who had their address, when they were removed or
 * before, or their company account.
 */
export async function wasRemoved(
  db: Db,
  businessId: Id<'business'>,
  {
    id,
    email,
    issuer,
    subject,
  }: { id: Id<'user'>; email: string; issuer: string; subject: string },
): Promise<boolean> {
  const row = await db.maybe(sql`
    select from removed_members
    where business_id = ${businessId} and (
      user_id = ${id} or email = ${email} or user_id in (
        select user_id from past_identities where issuer = ${issuer} and subject = ${subject}
      ) or user_id in (
        select user_id from address_changes where old_email = ${email} and done_at is not null
      )
    )
    limit 1
  `)
  return row !== undefined
}

export function selectOfRole(
  db: Db,
  businessId: Id<'business'>,
  role: 'owner' | 'admin',
): Promise<Id<'user'>[]> {
  return db
    .all<{ id: Id<'user'> }>(sql`
      select user_id as id from memberships
      where business_id = ${businessId} and role = ${role}
      order by user_id
      limit 100
    `)
    .then((rows) => rows.map(({ id }) => id))
}

export interface Approver {
  userId: Id<'user'>
  email: string
  businessName: string
}

/** Lists approvers, admins and owners, at most as many as are notified of one campaign. */
export function selectApprovers(db: Db, businessId: Id<'business'>): Promise<Approver[]> {
  return db.all(sql`
    select u.id as "userId", u.email, b.name as "businessName"
    from memberships m
    join users u on u.id = m.user_id
    join businesses b on b.id = m.business_id
    where m.business_id = ${businessId} and m.role in ('approver', 'admin', 'owner')
    order by m.user_id
    limit 100
  `)
}
