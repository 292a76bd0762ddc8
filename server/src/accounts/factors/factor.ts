/**
 * A person's second factor beside their mailbox: passkeys (in a folder of their own), one-time codes
 * of an authenticator app (TOTP, RFC 6238), and ten recovery codes for when both are lost.
 *
 * Reading order: codes.ts (a code is checked), authenticator-app.ts (set up, removed), confirm.ts,
 * list.ts, own-factor.ts (who changes factors proves one), sign-in.ts (who needs a second step),
 * rules.ts (what a business asks of its members), waiting.ts (a first factor by the mailbox alone), reset.ts (an owner resets a member's),
 * operator-reset.ts, new-device.ts, notice.ts.
 */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export const recoveryCodeCount = 10

/** What a person is told by mail. `guessed`: five wrong codes in a quarter of an hour. */
export type FactorEvent =
  | 'app_added'
  | 'app_removed'
  | 'codes_made'
  | 'recovery_code_used'
  | 'guessed'
  | 'required'
  | 'reset_asked'
  | 'reset_asked_by_you'
  | 'reset_done'
  | 'reset_done_by_you'
  | 'reset_stopped'
  | 'reset_withdrawn'
  | 'device'
  | 'linked'
  | 'unlinked'
  | 'gone'
  | 'owner_gone'
  | 'refuses_many'
  | 'member_unlinked'
  | 'first_factor'
  | 'first_factor_waits'
  | 'factor_waits'
  | 'factor_accepted'
  | 'offered'
  | 'offered_by_you'
  | 'transferred'

/** What a mail names beside the event. */
export interface EventDetails {
  business?: string
  /** Whose page of members the mail leads to. */
  businessId?: Id<'business'>
  /** The person whose factors they are, or who asked. */
  email?: string
  /** When it happens. */
  at?: string
  /** The browser of a new device. */
  browser?: string
}

export interface OwnFactors {
  hasApp: boolean
  hasPasskey: boolean
  /** Since when one of the person's businesses asks for a second factor; null if none does. */
  requiredFrom: Date | null
  /** When an owner's reset of them is done; null if none waits. */
  resetAt: Date | null
  /** Until when they are too new to count; null if they count. */
  waitsUntil: Date | null
}

/** What the person has, and what their businesses ask for. */
export function ownFactors(db: Db, userId: Id<'user'>): Promise<OwnFactors> {
  return db.one(sql`
    select
      exists (
        select from authenticator_apps where user_id = ${userId} and secret is not null
      ) as "hasApp",
      exists (select from passkeys where user_id = ${userId}) as "hasPasskey",
      (
        select min(b.factor_required_from)
        from memberships m join businesses b on b.id = m.business_id
        where m.user_id = ${userId}
      ) as "requiredFrom",
      (select min(due_at) from factor_resets where user_id = ${userId}) as "resetAt",
      (select factor_waits_until from users where id = ${userId}) as "waitsUntil"
  `)
}

export const hasFactor = ({ hasApp, hasPasskey }: OwnFactors): boolean => hasApp || hasPasskey

export interface AuthenticatorApp {
  /** Sealed. */
  secret: Buffer | null
  newSecret: Buffer | null
  newSecretAt: Date | null
  addedAt: Date | null
  lastStep: number
  lastUsedAt: Date | null
}

export function findApp(db: Db, userId: Id<'user'>): Promise<AuthenticatorApp | undefined> {
  return db.maybe(sql`
    select secret, new_secret as "newSecret", new_secret_at as "newSecretAt",
      added_at as "addedAt", last_step::float8 as "lastStep", last_used_at as "lastUsedAt"
    from authenticator_apps where user_id = ${userId}
  `)
}

/** How many passkeys the person has. */
export async function passkeysIn(db: Db, userId: Id<'user'>): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from passkeys where user_id = ${userId}
  `)
  return count
}

/** How many recovery codes of the person are left. */
export async function recoveryCodesLeft(db: Db, userId: Id<'user'>): Promise<number> {
  const { left } = await db.one<{ left: number }>(sql`
    select count(*)::int as left from recovery_codes
    where user_id = ${userId} and used_at is null
  `)
  return left
}

/** Removes all second factors of the person. */
export async function removeFactors(tx: Tx, userId: Id<'user'>): Promise<void> {
  await tx.run(sql`delete from passkeys where user_id = ${userId}`)
  await tx.run(sql`delete from authenticator_apps where user_id = ${userId}`)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`update users set factor_waits_until = null where id = ${userId}`)
}
