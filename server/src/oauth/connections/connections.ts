/** Connections as their owner sees them. Each is a grant by one person to one client. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { type Origin, type Principal, scopes } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { redirectHost } from '../clients/redirect-uri.ts'
import type {
  ConnectionSummary,
  Limits,
  OwnLimits,
  OwnRevocation,
  Revocation,
} from './connection.ts'
import {
  type ConnectionRow,
  type ConnectionsPage,
  endConnection,
  lockLimits,
  selectConnections,
  selectOpensUrls,
  selectReached,
  selectRedirectUri,
  updateLimits,
  updateOpensUrls,
} from './connection-queries.ts'
import { checkLimits } from './loosening.ts'

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
    withheldScopes: scopes.filter((scope) => row.withheldScopes.includes(scope)),
  }
}

/** The redirect URI a connection was made with. Its host names the assistant. A key has none. */
export function redirectUriOf(db: Db, id: Id<'connection'>): Promise<string | undefined> {
  return selectRedirectUri(db, id)
}

/** Whether the client of the connection opens addresses for its person, as it last said. */
export function doesOpenUrls(db: Db, id: Id<'connection'>): Promise<boolean> {
  return selectOpensUrls(db, id)
}

export async function keepOpensUrls(
  db: Db,
  client: { id: Id<'connection'>; opensUrls: boolean },
): Promise<void> {
  await updateOpensUrls(db, client)
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

/** The businesses that a live connection of this person reaches. */
export function reachedBy(
  db: Db,
  id: Id<'connection'>,
  userId: Id<'user'>,
): Promise<Id<'business'>[]> {
  return selectReached(db, id, userId)
}

/** Sets what a connection may do, and records it in each business that the connection reached. */
export async function limitOwnConnection(
  tx: Tx,
  limits: OwnLimits,
  { origin, ...asking }: { origin: Origin; principal: Principal; appUrl: string },
): Promise<'done' | 'unknown' | 'not_reached'> {
  const { connectionId, userId, isReadOnly, businessIds, now } = limits
  const { recipientsPerDay, transactionalPerDay, seesMasked, takesDataOut } = limits
  const current = await lockLimits(tx, connectionId, userId)
  if (!current) return 'unknown'
  const reached = await selectReached(tx, connectionId, userId)
  if (businessIds?.some((id) => !reached.includes(id))) return 'not_reached'
  checkLimits(limits, current, { ...asking, now })
  const subject = formatId('connection', connectionId)
  const details = {
    ...(isReadOnly !== undefined && { read_only: isReadOnly }),
    ...(recipientsPerDay !== undefined && { recipients_per_day: recipientsPerDay }),
    ...(transactionalPerDay !== undefined && { transactional_per_day: transactionalPerDay }),
    ...(seesMasked !== undefined && { sees: seesMasked ? 'masked' : 'full' }),
    ...(takesDataOut !== undefined && { takes_data_out: takesDataOut }),
    businesses: (businessIds ?? reached).length,
  }
  const entry = { action: 'connection.save', subject, details, origin }
  const entries = reached.map((businessId) => ({ ...entry, businessId }))
  await recordAudit(tx, entries, now)
  await updateLimits(tx, connectionId, limits)
  return 'done'
}

/** The same for a connection that its caller has locked and recorded, such as that of a key. */
export function setLimits(
  tx: Tx,
  id: Id<'connection'>,
  limits: Limits & { now: Date },
): Promise<void> {
  return updateLimits(tx, id, limits)
}

export function noSuchConnection(id: string): Refusal {
  const text = `You have no connection ${id}. It may have been ended already.`
  return refuse('not_found', text, { field: 'connection_id' })
}
