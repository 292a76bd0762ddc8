/** Connections as their owner sees them. Each is a grant by one person to one client. */

import { withAccessChange } from '../../core/access-changes.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { type Origin, type Principal, scopes } from '../../core/operation.ts'
import { highestId } from '../../core/paging.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { redirectHost } from '../clients/redirect-uri.ts'
import type {
  ConnectionSummary,
  CurrentLimits,
  OwnLimits,
  OwnRevocation,
  Revocation,
} from './connection.ts'
import { checkLimits } from './loosening.ts'

/** A page of connections, those older than `before`. */
interface ConnectionsPage {
  before: Id<'connection'> | null
  limit: number
  now: Date
}

/** The person's usable connections, newest first. */
export async function listConnections(
  db: Db,
  userId: Id<'user'>,
  page: ConnectionsPage,
): Promise<ConnectionSummary[]> {
  const rows = await selectConnections(db, userId, page)
  return rows.map(summary)
}

interface ConnectionRow extends Omit<ConnectionSummary, 'redirectHost'> {
  redirectUri: string
}

function summary({ redirectUri, ...row }: ConnectionRow): ConnectionSummary {
  return {
    ...row,
    redirectHost: redirectHost(redirectUri),
    scopes: scopes.filter((scope) => row.scopes.includes(scope)),
    withheldScopes: scopes.filter((scope) => row.withheldScopes.includes(scope)),
  }
}

/** Returns connections that have not ended and whose refresh token is still valid. */
function selectConnections(
  db: Db,
  userId: Id<'user'>,
  { before, limit, now }: ConnectionsPage,
): Promise<ConnectionRow[]> {
  return db.all<ConnectionRow>(sql`
    select c.id, client.name as "clientName", c.redirect_uri as "redirectUri", c.scopes,
      c.withheld_scopes as "withheldScopes", c.recipients_per_day as "recipientsPerDay",
      c.transactional_per_day as "transactionalPerDay",
      c.sees_masked as "seesMasked", c.takes_data_out as "takesDataOut",
      c.created_at as "createdAt", c.last_used_at as "lastUsedAt",
      c.late_reuses as "lateReuses", c.last_late_reuse_at as "lastLateReuseAt",
      c.code_reuses as "codeReuses", c.last_code_reuse_at as "lastCodeReuseAt",
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name) order by b.name), '[]')
        from memberships m join businesses b on b.id = m.business_id
        where m.user_id = c.user_id and m.business_id = any (c.business_ids) and b.closed_at is null
      ) as businesses
    from connections c join oauth_clients client on client.id = c.client_id
    where c.user_id = ${userId} and c.revoked_at is null and c.id < ${before ?? highestId}
      and exists (
        select 1 from refresh_tokens t
        where t.connection_id = c.id and t.rotated_at is null and t.expires_at > ${now}
      )
    order by c.id desc
    limit ${limit}
  `)
}

/** The redirect URI a connection was made with. Its host names the assistant. A key has none. */
export async function redirectUriOf(db: Db, id: Id<'connection'>): Promise<string | undefined> {
  const row = await db.maybe<{ uri: string | null }>(sql`
    select redirect_uri as uri from connections where id = ${id}
  `)
  return row?.uri ?? undefined
}

/** Whether the client of the connection opens addresses for its person, as it last said. */
export async function doesOpenUrls(db: Db, id: Id<'connection'>): Promise<boolean> {
  const row = await db.maybe<{ opensUrls: boolean }>(sql`
    select opens_urls as "opensUrls" from connections where id = ${id}
  `)
  return row?.opensUrls ?? false
}

export async function keepOpensUrls(
  db: Db,
  { id, opensUrls }: { id: Id<'connection'>; opensUrls: boolean },
): Promise<void> {
  await db.run(sql`
    update connections set opens_urls = ${opensUrls}
    where id = ${id} and opens_urls <> ${opensUrls}
  `)
}

/**
 * Ends a connection. Its next call gets 401 and its next refresh 400, and nobody is notified.
 * Returns false if there was no connection to end.
 */
export async function revokeConnection(db: Db, revocation: Revocation): Promise<boolean> {
  const userId = revocation.userId ?? null
  const ending = sql`
    update connections set revoked_at = ${revocation.now}, revoked_by = ${revocation.by}
    where id = ${revocation.connectionId} and revoked_at is null
      and (${userId}::uuid is null or user_id = ${userId})
    returning id as subject
  `
  return (await db.run(withAccessChange(ending, revocation.now))) === 1
}

/** Ends a connection of this person, and records it in each business that the connection reached. */
export async function revokeOwnConnection(
  tx: Tx,
  { connectionId, userId, origin, now }: OwnRevocation,
): Promise<boolean> {
  const reached = await reachedBy(tx, connectionId, userId)
  const subject = formatId('connection', connectionId)
  const entry = { action: 'connection.revoke', subject, origin }
  const entries = reached.map((businessId) => ({ ...entry, businessId }))
  await recordAudit(tx, entries, now)
  return revokeConnection(tx, { connectionId, by: 'user', userId, now })
}

/** The businesses that a live connection of this person reaches. */
export async function reachedBy(
  db: Db,
  id: Id<'connection'>,
  userId: Id<'user'>,
): Promise<Id<'business'>[]> {
  const rows = await db.all<{ id: Id<'business'> }>(sql`
    select m.business_id as id
    from connections c join memberships m on m.business_id = any (c.business_ids)
    where c.id = ${id} and c.user_id = ${userId} and m.user_id = ${userId}
      and c.revoked_at is null
    order by m.business_id
  `)
  return rows.map((row) => row.id)
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
  const reached = await reachedBy(tx, connectionId, userId)
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
  await setLimits(tx, connectionId, limits)
  return 'done'
}

/** What an app's connection of this person may do now, locked. Undefined if there is none. */
function lockLimits(
  tx: Tx,
  id: Id<'connection'>,
  userId: Id<'user'>,
): Promise<CurrentLimits | undefined> {
  return tx.maybe(sql`
    select recipients_per_day as "recipientsPerDay",
      transactional_per_day as "transactionalPerDay", withheld_scopes as "withheldScopes",
      sees_masked as "seesMasked", takes_data_out as "takesDataOut"
    from connections
    where id = ${id} and user_id = ${userId} and client_id is not null and revoked_at is null
    for no key update
  `)
}

/** Sets what a connection may do, whosever it is: the caller has checked that, and locked it. */
export async function setLimits(
  tx: Tx,
  id: Id<'connection'>,
  {
    isReadOnly,
    recipientsPerDay,
    transactionalPerDay,
    businessIds,
    seesMasked,
    takesDataOut,
    now,
  }: Omit<OwnLimits, 'connectionId' | 'userId'>,
): Promise<void> {
  const limiting = sqlWithin`
    update connections set
      scopes = case
        when ${isReadOnly === undefined} then scopes
        when ${isReadOnly === true}
          then array(select s from unnest(scopes) as s where s like '%:read')
        else scopes || withheld_scopes
      end,
      withheld_scopes = case
        when ${isReadOnly === undefined} then withheld_scopes
        when ${isReadOnly === true} then withheld_scopes
          || array(select s from unnest(scopes) as s where s not like '%:read')
        else '{}'
      end,
      recipients_per_day = case when ${recipientsPerDay === undefined}
        then recipients_per_day else ${recipientsPerDay ?? null}::integer end,
      transactional_per_day = case when ${transactionalPerDay === undefined}
        then transactional_per_day else ${transactionalPerDay ?? null}::integer end,
      sees_masked = coalesce(${seesMasked ?? null}::boolean, sees_masked),
      takes_data_out = coalesce(${takesDataOut ?? null}::boolean, takes_data_out),
      business_ids = case when ${businessIds === undefined} then business_ids
        else array(select b from unnest(business_ids) as b where b = any (${businessIds ?? []}::uuid[])) end
    where id = ${id}
    returning id as subject
  `
  await tx.run(withAccessChange(limiting, now))
}

export function noSuchConnection(id: string): Refusal {
  const text = `You have no connection ${id}. It may have been ended already.`
  return refuse('not_found', text, { field: 'connection_id' })
}
