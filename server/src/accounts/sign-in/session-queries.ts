/** Statements about sessions. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { type ListedSession, listedSessions } from './listed-session.ts'

export interface NewSession {
  hash: Buffer
  id: Id<'session'>
  userId: Id<'user'>
  now: Date
  expiresAt: Date
  agent: string | null
  address: string | null
  country: string | null
  proof: StoredProof | undefined
  company: CompanySession | undefined
}

/** What a provider said of the sign-in that opened a session. */
export interface CompanySession {
  issuer: string
  subject: string
  /** The provider's name of the session there. */
  providerSession: string | null
  /** When the session ends, however often it is used. */
  endsAt: Date
}

/** How a person proved in a session that it is they, beside the mail. */
export interface StoredProof {
  by: 'passkey' | 'code' | 'recovery_code'
  /** The passkey. */
  with?: Id<'passkey'>
}

export function insertSession(db: Db, session: NewSession): Promise<number> {
  const { company } = session
  return db.run(sql`
    insert into sessions
      (hash, id, user_id, created_at, last_used_at, expires_at, agent, address, proven_at,
      proven_by, proven_with, country, ends_at, issuer, subject, provider_session)
    values (${session.hash}, ${session.id}, ${session.userId}, ${session.now}, ${session.now},
      ${session.expiresAt}, ${session.agent}, ${session.address},
      ${session.proof ? session.now : null}, ${session.proof?.by ?? null},
      ${session.proof?.with ?? null}, ${session.country}, ${company?.endsAt ?? null},
      ${company?.issuer ?? null}, ${company?.subject ?? null}, ${company?.providerSession ?? null})
  `)
}

/** Records how a person signed in, for their list of members. */
export function recordSignIn(
  db: Db,
  userId: Id<'user'>,
  { by, now }: { by: StoredProof['by'] | 'mail' | 'company'; now: Date },
): Promise<number> {
  return db.run(sql`
    update users set last_signed_in_at = ${now}, last_signed_in_by = ${by} where id = ${userId}
  `)
}

export interface FoundSession {
  id: Id<'session'>
  userId: Id<'user'>
  email: string
  createdAt: Date
  lastUsedAt: Date
  provenAt: Date | null
  provenBy: StoredProof['by'] | null
  provenWith: Id<'passkey'> | null
  factorWaitsUntil: Date | null
}

export function findSession(db: Db, hash: Buffer, now: Date): Promise<FoundSession | undefined> {
  return db.maybe(sql`
    select s.id, s.user_id as "userId", u.email, s.created_at as "createdAt",
      s.last_used_at as "lastUsedAt", s.proven_at as "provenAt",
      s.proven_by as "provenBy", s.proven_with as "provenWith",
      u.factor_waits_until as "factorWaitsUntil"
    from sessions s join users u on u.id = s.user_id
    where s.hash = ${hash} and s.expires_at > ${now}
  `)
}

export function touchSession(
  db: Db,
  touch: { hash: Buffer; now: Date; expiresAt: Date },
): Promise<number> {
  return db.run(sql`
    update sessions set last_used_at = ${touch.now}, expires_at = least(${touch.expiresAt}, ends_at)
    where hash = ${touch.hash}
  `)
}

/** Records that the person of a session used a passkey in it, or gave a code. */
export function recordProof(
  db: Db,
  id: Id<'session'>,
  proof: StoredProof & { now: Date },
): Promise<number> {
  return db.run(sql`
    update sessions
    set proven_at = ${proof.now}, proven_by = ${proof.by}, proven_with = ${proof.with ?? null}
    where id = ${id}
  `)
}

export function selectSessions(db: Db, userId: Id<'user'>, now: Date): Promise<ListedSession[]> {
  return db.all(sql`
    select id, created_at as "createdAt", last_used_at as "lastUsedAt", agent, address, country,
      proven_at as "provenAt"
    from sessions where user_id = ${userId} and expires_at > ${now}
    order by last_used_at desc, id desc
    limit ${listedSessions}
  `)
}

/** Ends a session of this person; returns 0 if it is another person's, or no longer exists. */
export function deleteSession(db: Db, userId: Id<'user'>, id: Id<'session'>): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId} and id = ${id}`)
}

export function deleteOtherSessions(
  db: Db,
  userId: Id<'user'>,
  sessionId: Id<'session'>,
): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId} and id <> ${sessionId}`)
}

export function deleteSessions(db: Db, expiredBefore: Date): Promise<number> {
  return db.run(sql`delete from sessions where expires_at < ${expiredBefore}`)
}

/** Which of the sessions are alive, of people who are members of the business. */
export function selectMembersSessions(
  db: Db,
  businessId: Id<'business'>,
  { ids, now }: { ids: readonly Id<'session'>[]; now: Date },
): Promise<{ id: Id<'session'> }[]> {
  return db.all(sql`
    select s.id from sessions s join memberships m on m.user_id = s.user_id
    where m.business_id = ${businessId} and s.id = any(${ids}::uuid[]) and s.expires_at > ${now}
  `)
}
