import { refuse } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { createBusiness } from '../businesses/create.ts'
import { membershipsOf } from '../businesses/memberships.ts'
import { invitedTo } from '../members/invitations.ts'
import { findUserByEmail } from '../members/user.ts'
import type { User } from '../members/user-queries.ts'
import { insertUser, lockUser } from '../members/user-queries.ts'

/**
 * The name of a new business until its owner changes it. An email address would be unsuitable for
 * recipients and colleagues to read.
 */
const newBusinessName = 'New business'

/** A user who has just signed in. */
export interface SignedInUser extends User {
  /** The business that was just created for them and still needs a name. */
  unnamed?: Id<'business'>
}

export interface SignUpRule {
  /**
   * `open`: anybody who proves an address may sign up. `invite`: only existing and invited users
   * may.
   */
  signup: 'open' | 'invite'
  defaultTier: Tier
  defaultDeployLimit: number | null
}

/**
 * The user with an address that was just proved. If sign-up is open, a user without a business or a
 * pending invitation gets a new business. If it is not, an unknown address is refused.
 */
export async function findOrSignUpUser(
  tx: Tx,
  rule: SignUpRule,
  email: string,
  now: Date,
): Promise<SignedInUser> {
  const existing = await findUserByEmail(tx, email)
  if (existing) return ensureBusiness(tx, rule, existing, now)
  // Invited people sign in to answer, without a business of their own.
  if ((await invitedTo(tx, email, now)).length > 0) return (await ensureUser(tx, email, now)).user
  if (rule.signup === 'invite') {
    throw refuse('access_denied', 'This address has no account here. Ask an owner to invite you.', {
      data: { reason: 'no_account' },
    })
  }
  const { user } = await ensureUser(tx, email, now)
  return ensureBusiness(tx, rule, user, now)
}

/**
 * Creates a business for a user without one, such as somebody who declined their last invitation.
 */
export async function ensureBusiness(
  tx: Tx,
  rule: SignUpRule,
  user: User,
  now: Date,
): Promise<SignedInUser> {
  if (rule.signup !== 'open') return user
  // If two requests arrive at once, one creates the business and the other finds it.
  await lockUser(tx, user.id)
  if ((await membershipsOf(tx, user.id)).length > 0) return user
  if ((await invitedTo(tx, user.email, now)).length > 0) return user
  const made = await createBusiness(tx, {
    name: newBusinessName,
    ownerId: user.id,
    tier: rule.defaultTier,
    deployLimit: rule.defaultDeployLimit,
    now,
  })
  return { ...user, unnamed: made }
}

/** The user with an address, created if there is none. Two simultaneous requests create one. */
export async function ensureUser(
  tx: Tx,
  email: string,
  now: Date,
): Promise<{ user: User; isNew: boolean }> {
  const made = await insertUser(tx, { id: newId('user'), email, now })
  if (made) return { user: made, isNew: true }
  const found = await findUserByEmail(tx, email)
  if (!found) throw new Error('the user of a taken address is gone')
  return { user: found, isNew: false }
}
