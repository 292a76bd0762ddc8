/** Statements about users. */

import type { Id } from '../../core/ids.ts'
import type { Role } from '../../core/operation.ts'
import { highestId, type Page } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface User {
  id: Id<'user'>
  /** The normalised address; see `lib/email/email-address.ts`. */
  email: string
}

export function selectUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.maybe(sql`select id, email from users where email = ${email}`)
}

export async function readEmail(db: Db, id: Id<'user'>): Promise<string | undefined> {
  const row = await db.maybe<{ email: string }>(sql`select email from users where id = ${id}`)
  return row?.email
}

/** Inserts the user; undefined where the address is taken. */
export function insertUser(
  db: Db,
  user: { id: Id<'user'>; email: string; now: Date },
): Promise<User | undefined> {
  return db.maybe(sql`
    insert into users (id, email, created_at) values (${user.id}, ${user.email}, ${user.now})
    on conflict (email) do nothing
    returning id, email
  `)
}

/** Locks the user until the transaction ends; other transactions that lock the same user wait. */
export async function lockUser(db: Db, id: Id<'user'>): Promise<void> {
  await db.run(sql`select from users where id = ${id} for update`)
}

export async function anyUser(db: Db): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (select from users) as found
  `)
  return found
}

export interface ListedUser {
  email: string
  createdAt: Date
  /** The number of memberships. */
  businesses: number
}

/** Lists users, oldest first; for the operator only. */
export function selectUsers(db: Db): Promise<ListedUser[]> {
  return db.all(sql`
    select u.email, u.created_at as "createdAt", count(m.user_id)::int as businesses
    from users u left join memberships m on m.user_id = u.id
    group by u.id
    order by u.id
  `)
}

export interface Member {
  id: Id<'user'>
  email: string
  role: Role
  since: Date
  lastSignedInAt: Date | null
  lastSignedInBy: 'mail' | 'passkey' | 'code' | 'recovery_code' | 'company' | null
  hasFactor: boolean
  resetAt: Date | null
  factorWaitsUntil: Date | null
  heldAt: Date | null
}

export function selectMembers(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: Page<'user'>,
): Promise<Member[]> {
  return db.all(sql`
    select u.id, u.email, m.role, m.created_at as since, m.held_at as "heldAt",
      u.last_signed_in_at as "lastSignedInAt", u.factor_waits_until as "factorWaitsUntil", u.last_signed_in_by as "lastSignedInBy",
      exists (select from passkeys p where p.user_id = m.user_id) or exists (
        select from authenticator_apps a where a.user_id = m.user_id and a.secret is not null
      ) as "hasFactor",
      (
        select r.due_at from factor_resets r
        where r.business_id = m.business_id and r.user_id = m.user_id
      ) as "resetAt"
    from memberships m join users u on u.id = m.user_id
    where m.business_id = ${businessId} and m.user_id < ${before ?? highestId}
    order by m.user_id desc
    limit ${limit}
  `)
}
