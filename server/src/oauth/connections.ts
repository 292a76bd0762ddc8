/** Connections as their owner sees them: one grant by one person to one client. */
import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import { type Scope, scopes } from '../platform/operation.ts'
import {
  type ConnectionRow,
  endConnection,
  selectConnections,
  selectRedirectUri,
} from './connection-queries.ts'
import { redirectHost } from './redirect-uri.ts'

export interface ConnectionSummary {
  id: Id<'connection'>
  /** A stranger's text: escape it, and say that no one verified it. */
  clientName: string
  redirectHost: string
  scopes: Scope[]
  /** What it reaches now: the businesses granted in which the person is still a member. */
  businesses: { id: Id<'business'>; name: string }[]
  createdAt: Date
  /** The last call, to within the seconds between two flushes. */
  lastUsedAt: Date | null
  /** Uses of rotated-out refresh tokens that came too late to be a race. */
  lateReuses: number
  lastLateReuseAt: Date | null
  /** Times that the code which made it was sent again. */
  codeReuses: number
  lastCodeReuseAt: Date | null
}

/** The person's connections that can still be used, newest first. */
export async function listConnections(
  db: Db,
  userId: Id<'user'>,
  now: Date,
): Promise<ConnectionSummary[]> {
  const rows = await selectConnections(db, userId, now)
  return rows.map(summary)
}

function summary({ redirectUri, ...row }: ConnectionRow): ConnectionSummary {
  return {
    ...row,
    redirectHost: redirectHost(redirectUri),
    scopes: scopes.filter((scope) => row.scopes.includes(scope)),
  }
}

/** The redirect URI a connection was made with; its host tells which assistant calls. */
export function redirectUriOf(db: Db, id: Id<'connection'>): Promise<string | undefined> {
  return selectRedirectUri(db, id)
}

/** Who ended a connection: its person, its client, the operator, or a late reuse of a token or code. */
export type RevokedBy = 'user' | 'client' | 'operator' | 'late_reuse' | 'code_reuse'

export interface Revocation {
  connectionId: Id<'connection'>
  by: RevokedBy
  /** Where given, only a connection of this person is ended. */
  userId?: Id<'user'>
  now: Date
}

/**
 * Ends a connection: its next call gets 401, its next refresh 400, and nobody is told.
 * False where there was none to end.
 */
export function revokeConnection(db: Db, revocation: Revocation): Promise<boolean> {
  return endConnection(db, revocation)
}
