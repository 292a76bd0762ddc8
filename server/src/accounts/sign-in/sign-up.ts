import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { createBusiness } from '../businesses/create.ts'
import { membershipsOf } from '../businesses/memberships.ts'
import { invitedTo } from '../members/invitations.ts'
import { findUserByEmail } from '../members/user.ts'
import type { User } from '../members/user-queries.ts'
import { insertUser, lockUser } from '../members/user-queries.ts'

/** Until its owner names it: an address is nothing for recipients and colleagues to read. */
const newBusinessName = 'New business'

export interface Arrived extends User {
  /** The business that was made for them now, which they name. */
  unnamed?: Id<'business'>
}

export interface SignUpRule {
  /** `open`: whoever proves an address may come in. `invite`: only those who are here. */
  signup: 'open' | 'invite'
  defaultTier: Tier
}

/**
 * The person behind an address that was just proved. Where sign-up is open nobody is without a
 * business: whoever has none, and nothing to answer, gets one of their own. Where it is not, an
 * unknown address is refused.
 */
export async function personBehind(
  tx: Tx,
  rule: SignUpRule,
  email: string,
  now: Date,
): Promise<Arrived | Refusal> {
  const known = await findUserByEmail(tx, email)
  if (known) return withBusiness(tx, rule, known, now)
  // Whoever was invited comes in to answer, without a business of their own.
  if ((await invitedTo(tx, email, now)).length > 0) return (await ensureUser(tx, email, now)).user
  if (rule.signup === 'invite') {
    return refuse('access_denied', 'This address has no account here. Ask an owner to invite you.')
  }
  const { user } = await ensureUser(tx, email, now)
  return withBusiness(tx, rule, user, now)
}

/** Also for somebody who declined the last invitation they had. */
export async function withBusiness(
  tx: Tx,
  rule: SignUpRule,
  user: User,
  now: Date,
): Promise<Arrived | Refusal> {
  if (rule.signup !== 'open') return user
  // Of two that come at once one makes it, and the other sees that it is there.
  await lockUser(tx, user.id)
  if ((await membershipsOf(tx, user.id)).length > 0) return user
  if ((await invitedTo(tx, user.email, now)).length > 0) return user
  const made = await createBusiness(tx, {
    name: newBusinessName,
    ownerId: user.id,
    tier: rule.defaultTier,
    now,
  })
  return isRefusal(made) ? made : { ...user, unnamed: made }
}

/** The user of an address, made where there is none; two at once make one. */
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
