/**
 * A person's signed-in session with the pages: a random cookie, of which the table stores the
 * SHA-256.
 */

import { type Id, newId } from '../../core/ids.ts'
import { randomToken, sha256 } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { days, hours, later } from '../../lib/time/clock.ts'
import type { User } from '../members/user-queries.ts'
import type { ListedSession, SignedInBrowser } from './listed-session.ts'
import {
  type CompanySession,
  deleteOtherSessions,
  deleteSession,
  findSession,
  insertSession,
  recordProof,
  recordSignIn,
  type StoredProof,
  selectMembersSessions,
  selectSessions,
  touchSession,
} from './session-queries.ts'

/** How a person proved in a session that it is they, beside the mail. */
export type SessionProof = StoredProof

/** Records that the person of a session used a passkey in it, or gave a code. */
export const proveSession = recordProof

export interface Session {
  id: Id<'session'>
  user: User
  /** When the person followed the link, or used a passkey in its place. */
  signedInAt: Date
  /** When the person last used a passkey or gave a code in it, and which it was. */
  provenAt?: Date
  provenBy?: SessionProof['by']
  provenWith?: Id<'passkey'>
  /** Until when the person's factor is too new to count. */
  factorWaitsUntil?: Date
}

/** How long a session lasts after its last use. */
export const sessionLifetime = days(30)

/** How long a session lasts that an identity provider opened, however often it is used. */
export const companySessionLifetime = days(1)

/** The shortest time between two writes of the row, however many pages a person opens. */
const touchEvery = hours(1)

/** The most characters of a browser's own description that are stored. */
const longestAgent = 500

export async function startSession(
  db: Db,
  userId: Id<'user'>,
  now: Date,
  browser?: SignedInBrowser & {
    proof?: SessionProof | undefined
    company?: Omit<CompanySession, 'endsAt'>
  },
): Promise<string> {
  const token = randomToken()
  const company = browser?.company && {
    ...browser.company,
    endsAt: later(now, companySessionLifetime),
  }
  await insertSession(db, {
    hash: sha256(token),
    id: newId('session'),
    userId,
    now,
    expiresAt: company?.endsAt ?? later(now, sessionLifetime),
    agent: browser?.agent?.slice(0, longestAgent) ?? null,
    address: browser?.address ?? null,
    country: browser?.country ?? null,
    proof: browser?.proof,
    company,
  })
  const by = company ? 'company' : (browser?.proof?.by ?? 'mail')
  await recordSignIn(db, userId, { by, now })
  return token
}

/**
 * Reads the live session of a cookie. `renewed`: its 30 days start again, so the cookie must be
 * set again.
 */
export async function readSession(
  db: Db,
  token: string,
  now: Date,
): Promise<{ session: Session; renewed: boolean } | undefined> {
  const hash = sha256(token)
  const found = await findSession(db, hash, now)
  if (!found) return undefined
  const renewed = later(found.lastUsedAt, touchEvery) <= now
  if (renewed) await touchSession(db, { hash, now, expiresAt: later(now, sessionLifetime) })
  return {
    session: {
      id: found.id,
      user: { id: found.userId, email: found.email },
      signedInAt: found.createdAt,
      ...(found.provenAt && { provenAt: found.provenAt }),
      ...(found.provenBy && { provenBy: found.provenBy }),
      ...(found.provenWith && { provenWith: found.provenWith }),
      ...(found.factorWaitsUntil && { factorWaitsUntil: found.factorWaitsUntil }),
    },
    renewed,
  }
}

/** The most recently used sessions of a person. */
export function listSessions(db: Db, userId: Id<'user'>, now: Date): Promise<ListedSession[]> {
  return selectSessions(db, userId, now)
}

/** Ends a session of this person at once; returns false if it is another person's, or gone. */
export async function endSession(db: Db, userId: Id<'user'>, id: Id<'session'>): Promise<boolean> {
  return (await deleteSession(db, userId, id)) === 1
}

/** Ends all sessions of this person but one; returns how many those were. */
export function endOtherSessions(
  db: Db,
  userId: Id<'user'>,
  sessionId: Id<'session'>,
): Promise<number> {
  return deleteOtherSessions(db, userId, sessionId)
}

/** Which of the sessions are still alive, and their people still members of the business. */
export async function sessionsWithin(
  db: Db,
  businessId: Id<'business'>,
  request: { ids: readonly Id<'session'>[]; now: Date },
): Promise<ReadonlySet<Id<'session'>>> {
  const rows = await selectMembersSessions(db, businessId, request)
  return new Set(rows.map(({ id }) => id))
}
