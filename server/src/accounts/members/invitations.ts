/**
 * Invitations: an owner asks an address to become a member, and only whoever is signed in with
 * it says yes or no. One holds for seven days, and only while its inviter is an owner.
 */

import { limits } from '../../config.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Hmac, Role } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { days, later } from '../../lib/time/clock.ts'
import { addMember, roleOf, roomFor } from '../businesses/memberships.ts'
import {
  countOthers,
  deleteInvitationOf,
  type Invited,
  saveInvitation,
  selectInvitedTo,
  takeInvitation,
} from './invitation-queries.ts'
import type { User } from './user-queries.ts'

export const invitationLifetime = days(7)

/** Has the mail sent soon; the row it queues commits with the invitation. */
export interface InvitationMailer {
  queueInvitation(tx: Tx, businessId: Id<'business'>, id: Id<'invitation'>): Promise<void>
}

export interface ToInvite {
  businessId: Id<'business'>
  /** Normalised. */
  email: string
  role: Role
  invitedBy: Id<'user'>
  hmac: Hmac
  now: Date
}

/** Asks the address, with the tier's room for members held: an invitation takes a place. */
export async function invite(
  tx: Tx,
  mailer: InvitationMailer,
  { businessId, email, role, invitedBy, hmac, now }: ToInvite,
): Promise<{ id: Id<'invitation'>; expiresAt: Date } | Refusal> {
  const waiting = await countOthers(tx, businessId, { email, now })
  const full = await roomFor(tx, businessId, waiting + 1)
  if (full) return full
  for (const [purpose, subject, limit] of [
    ['invitation.business', businessId, limits.invitationsPerDay],
    ['invitation.address', email, limits.invitationsPerAddressDay],
  ] as const) {
    const tooMany = await countAttempt(
      tx,
      { hmac },
      { purpose, subject, limit, windowMs: days(1), now },
    )
    if (tooMany) return tooMany
  }
  const id = newId('invitation')
  const expiresAt = later(now, invitationLifetime)
  await saveInvitation(tx, businessId, { id, email, role, invitedBy, now, expiresAt })
  await mailer.queueInvitation(tx, businessId, id)
  return { id, expiresAt }
}

/** What this person is asked to. */
export function invitedTo(db: Db, email: string, now: Date): Promise<Invited[]> {
  return selectInvitedTo(db, email, now)
}

export interface Answer {
  businessId: Id<'business'>
  id: Id<'invitation'>
  user: User
  now: Date
  requestId: string
}

/** Makes the person a member, with the role that was offered; a member keeps the role they have. */
export function acceptInvitation(db: Database, answer: Answer): Promise<Role | Refusal> {
  const { businessId, id, user, now } = answer
  return db.tx(async (tx) => {
    const taken = await takeInvitation(tx, businessId, { id, email: user.email, now })
    const inviter = taken && (await roleOf(tx, businessId, taken.invitedBy))
    if (!taken || inviter !== 'owner') return gone()
    const has = await roleOf(tx, businessId, user.id)
    if (has) return has
    const role = await addMember(tx, businessId, { userId: user.id, role: taken.role, now })
    if (isRefusal(role)) return role
    await note(tx, answer, 'invitation.accept', { role })
    return role
  })
}

/** Does `afterwards` with it: whoever came to answer may be without a business now. */
export function declineInvitation<T>(
  db: Database,
  answer: Answer,
  afterwards: (tx: Tx) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const { businessId, id, user, now } = answer
  return db.tx(async (tx) => {
    const taken = await takeInvitation(tx, businessId, { id, email: user.email, now })
    if (!taken) return gone()
    await note(tx, answer, 'invitation.decline', {})
    return afterwards(tx)
  })
}

export function endInvitationOf(tx: Tx, businessId: Id<'business'>, email: string) {
  return deleteInvitationOf(tx, businessId, email)
}

/** The same for one that never was, of somebody else, or withdrawn: nothing is told apart. */
function gone(): Refusal {
  const text = 'There is no such invitation for you. It may have expired, or been withdrawn.'
  return refuse('not_found', text)
}

async function note(
  tx: Tx,
  { businessId, user, now, requestId }: Answer,
  action: string,
  details: Record<string, string>,
): Promise<void> {
  const origin = { connectionId: null, userId: user.id, callId: requestId }
  const entry = { businessId, action, subject: formatId('user', user.id), details, origin }
  await recordAudit(tx, [entry], now)
}
