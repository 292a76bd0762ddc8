/**
 * Invitations: an owner invites an address to become a member, and only somebody signed in with
 * that address can answer. An invitation is valid for seven days, and only while its inviter is an
 * owner.
 */

import { limits } from '../../config.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Hmac, Role } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { days, later } from '../../lib/time/clock.ts'
import { addMember, refuseOverMemberLimit, roleOf } from '../businesses/memberships.ts'
import {
  claimInvitation,
  countOthers,
  deleteInvitationOf,
  type PendingInvitationOfPerson,
  saveInvitation,
  selectInvitedTo,
} from './invitation-queries.ts'
import type { User } from './user-queries.ts'

export const invitationLifetime = days(7)

/** Queues the mail; the job commits with the invitation. */
export interface InvitationMailer {
  queueInvitation(tx: Tx, businessId: Id<'business'>, id: Id<'invitation'>): Promise<void>
}

export interface NewInvitee {
  businessId: Id<'business'>
  /** The normalised address. */
  email: string
  role: Role
  invitedBy: Id<'user'>
  hmac: Hmac
  now: Date
}

/**
 * Invites the address. A pending invitation counts as a member, so the tier's limit is checked
 * with the row locked.
 */
export async function invite(
  tx: Tx,
  mailer: InvitationMailer,
  { businessId, email, role, invitedBy, hmac, now }: NewInvitee,
): Promise<{ id: Id<'invitation'>; expiresAt: Date }> {
  const waiting = await countOthers(tx, businessId, { email, now })
  const full = await refuseOverMemberLimit(tx, businessId, waiting + 1)
  if (full) throw full
  for (const [purpose, subject, limit] of [
    ['invitation.business', businessId, limits.invitationsPerDay],
    ['invitation.address', email, limits.invitationsPerAddressDay],
  ] as const) {
    const tooMany = await countAttempt(
      tx,
      { hmac },
      { purpose, subject, limit, windowMs: days(1), now },
    )
    if (tooMany) throw tooMany
  }
  const id = newId('invitation')
  const expiresAt = later(now, invitationLifetime)
  await saveInvitation(tx, businessId, { id, email, role, invitedBy, now, expiresAt })
  await mailer.queueInvitation(tx, businessId, id)
  return { id, expiresAt }
}

/** The pending invitations of this person. */
export function invitedTo(db: Db, email: string, now: Date): Promise<PendingInvitationOfPerson[]> {
  return selectInvitedTo(db, email, now)
}

export interface InvitationAnswer {
  businessId: Id<'business'>
  id: Id<'invitation'>
  user: User
  now: Date
  requestId: string
}

/**
 * Makes the person a member with the offered role; a person who is a member already keeps their
 * role.
 */
export function acceptInvitation(db: Database, answer: InvitationAnswer): Promise<Role> {
  const { businessId, id, user, now } = answer
  return db.tx(async (tx) => {
    const taken = await claimInvitation(tx, businessId, { id, email: user.email, now })
    const inviter = taken && (await roleOf(tx, businessId, taken.invitedBy))
    if (!taken || inviter !== 'owner') throw noLongerPending()
    const has = await roleOf(tx, businessId, user.id)
    if (has) return has
    const role = await addMember(tx, businessId, { userId: user.id, role: taken.role, now })
    await recordAnswer(tx, answer, 'invitation.accept', { role })
    return role
  })
}

/**
 * Declines, then runs `afterwards` in the same transaction, because the person may now be without a
 * business.
 */
export function declineInvitation<T>(
  db: Database,
  answer: InvitationAnswer,
  afterwards: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { businessId, id, user, now } = answer
  return db.tx(async (tx) => {
    const taken = await claimInvitation(tx, businessId, { id, email: user.email, now })
    if (!taken) throw noLongerPending()
    await recordAnswer(tx, answer, 'invitation.decline', {})
    return afterwards(tx)
  })
}

export function endInvitationOf(tx: Tx, businessId: Id<'business'>, email: string) {
  return deleteInvitationOf(tx, businessId, email)
}

/**
 * The refusal is the same for an invitation that never existed, that belongs to somebody else or
 * that was withdrawn, so that a caller cannot distinguish these cases.
 */
function noLongerPending(): Refusal {
  const text = 'There is no such invitation for you. It may have expired, or been withdrawn.'
  return refuse('not_found', text)
}

async function recordAnswer(
  tx: Tx,
  { businessId, user, now, requestId }: InvitationAnswer,
  action: string,
  details: Record<string, string>,
): Promise<void> {
  const origin = { connectionId: null, userId: user.id, callId: requestId }
  const entry = { businessId, action, subject: formatId('user', user.id), details, origin }
  await recordAudit(tx, [entry], now)
}
