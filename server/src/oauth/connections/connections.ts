/** Connections as their owner sees them. Each is a grant by one person to one client. */

import { formatId, type Id } from '../../core/ids.ts'
import { scopes } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { redirectHost } from '../clients/redirect-uri.ts'
import type { ConnectionSummary, OwnRevocation, Revocation } from './connection.ts'
import {
  type ConnectionRow,
  type ConnectionsPage,
  endConnection,
  selectConnections,
  selectReached,
  selectRedirectUri,
} from './connection-queries.ts'

/** The person's usable connections, newest first. */
export async function listConnections(
  db: Db,
  userId: Id<'user'>,
  page: ConnectionsPage,
): Promise<ConnectionSummary[]> {
  const rows = await selectConnections(db, userId, page)
  return rows.map(summary)
}

function summary({ redirectUri, ...row }: ConnectionRow): ConnectionSummary {
  return {
    ...row,
    redirectHost: redirectHost(redirectUri),
    scopes: scopes.filter((scope) => row.scopes.includes(scope)),
  }
}

/** The redirect URI a connection was made with. Its host names the assistant. A key has none. */
export function redirectUriOf(db: Db, id: Id<'connection'>): Promise<string | undefined> {
  return selectRedirectUri(db, id)
}

/**
 * Ends a connection. Its next call gets 401 and its next refresh 400, and nobody is notified.
 * Returns false if there was no connection to end.
 */
export function revokeConnection(db: Db, revocation: Revocation): Promise<boolean> {
  return endConnection(db, revocation)
}

/** Ends a connection of this person, and records it in each business that the connection reached. */
export async function revokeOwnConnection(
  tx: Tx,
  { connectionId, userId, origin, now }: OwnRevocation,
): Promise<boolean> {
  const reached = await selectReached(tx, connectionId, userId)
  const subject = formatId('connection', connectionId)
  const entry = { action: 'connection.revoke', subject, origin }
  const entries = reached.map((businessId) => ({ ...entry, businessId }))
  await recordAudit(tx, entries, now)
  return endConnection(tx, { connectionId, by: 'user', userId, now })
}
