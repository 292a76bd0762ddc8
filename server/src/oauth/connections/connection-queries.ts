/** Statements on connections. */

import { withAccessChange } from '../../core/access-changes.ts'
import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { ConnectionSummary, CurrentLimits, OwnLimits, Revocation } from './connection.ts'

export interface ConnectionsPage {
  before: Id<'connection'> | null
  limit: number
  now: Date
}

export interface ConnectionRow extends Omit<ConnectionSummary, 'redirectHost'> {
  redirectUri: string
}

/** Returns connections that have not ended and whose refresh token is still valid. */
export function selectConnections(
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

/** Returns true if this call ended it. */
export async function endConnection(db: Db, revocation: Revocation): Promise<boolean> {
  const userId = revocation.userId ?? null
  const ending = sql`
    update connections set revoked_at = ${revocation.now}, revoked_by = ${revocation.by}
    where id = ${revocation.connectionId} and revoked_at is null
      and (${userId}::uuid is null or user_id = ${userId})
    returning id as subject
  `
  return (await db.run(withAccessChange(ending, revocation.now))) === 1
}

/** What an app's connection of this person may do now, locked. Undefined if there is none. */
export function lockLimits(
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
export async function updateLimits(
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

/** Businesses that the person's connection reaches. */
export async function selectReached(
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

/** Keeps whether the client opens addresses for its person. */
export function updateOpensUrls(
  db: Db,
  { id, opensUrls }: { id: Id<'connection'>; opensUrls: boolean },
): Promise<number> {
  return db.run(sql`
    update connections set opens_urls = ${opensUrls}
    where id = ${id} and opens_urls <> ${opensUrls}
  `)
}

export async function selectOpensUrls(db: Db, id: Id<'connection'>): Promise<boolean> {
  const row = await db.maybe<{ opensUrls: boolean }>(sql`
    select opens_urls as "opensUrls" from connections where id = ${id}
  `)
  return row?.opensUrls ?? false
}

export async function selectRedirectUri(db: Db, id: Id<'connection'>): Promise<string | undefined> {
  const row = await db.maybe<{ uri: string | null }>(sql`
    select redirect_uri as uri from connections where id = ${id}
  `)
  return row?.uri ?? undefined
}
