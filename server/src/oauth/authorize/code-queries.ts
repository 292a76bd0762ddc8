/** Statements on authorization codes. */

import { withAccessChange } from '../../core/access-changes.ts'
import type { Id } from '../../core/ids.ts'
import type { Scope } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Grant } from '../model/grant.ts'

export interface NewCode {
  hash: Buffer
  /** The connection that the exchange will create. */
  connectionId: Id<'connection'>
  userId: Id<'user'>
  clientId: string
  redirectUri: string
  codeChallenge: string
  scopes: Scope[]
  transactionalPerDay: number
  seesMasked: boolean
  takesDataOut: boolean
  createdAt: Date
  expiresAt: Date
}

/** Reads the memberships in the same statement, so that they cannot change in between. */
export async function insertCode(db: Db, code: NewCode): Promise<void> {
  await db.run(sql`
    insert into authorization_codes (hash, connection_id, user_id, client_id, redirect_uri,
      code_challenge, scopes, business_ids, transactional_per_day, sees_masked, takes_data_out,
      created_at, expires_at)
    select ${code.hash}, ${code.connectionId}, ${code.userId}, ${code.clientId},
      ${code.redirectUri}, ${code.codeChallenge}, ${code.scopes},
      array(select business_id from memberships where user_id = ${code.userId} order by 1),
      ${code.transactionalPerDay}, ${code.seesMasked}, ${code.takesDataOut}, ${code.createdAt}, ${code.expiresAt}
  `)
}

export interface CodeExchange {
  hash: Buffer
  clientId: string
  redirectUri: string
  codeChallenge: string
  refreshHash: Buffer
  refreshExpiresAt: Date
  /** The limit of a connection whose code names none. */
  transactionalPerDay: number
  now: Date
}

/**
 * Uses the code up and creates its connection and first refresh token, all of them or none. Of any
 * number of simultaneous exchanges exactly one succeeds, because the others wait for the row and
 * then find the code used. A wrong verifier uses nothing up.
 */
export function exchangeCodeRow(db: Db, exchange: CodeExchange): Promise<Grant | undefined> {
  return db.maybe<Grant>(sql`
    with code as (
      update authorization_codes set used_at = ${exchange.now}
      where hash = ${exchange.hash} and used_at is null and expires_at > ${exchange.now}
        and client_id = ${exchange.clientId} and redirect_uri = ${exchange.redirectUri}
        and code_challenge = ${exchange.codeChallenge}
        and exists (
          select 1 from oauth_clients where id = ${exchange.clientId} and disabled_at is null
        )
      returning *
    ), connection as (
      insert into connections
        (id, user_id, client_id, redirect_uri, scopes, business_ids, transactional_per_day,
        sees_masked, takes_data_out, created_at)
      select connection_id, user_id, client_id, redirect_uri, scopes, business_ids,
        coalesce(transactional_per_day, ${exchange.transactionalPerDay}::integer), sees_masked,
        takes_data_out, ${exchange.now}
      from code
      returning *
    ), token as (
      insert into refresh_tokens (hash, connection_id, created_at, expires_at)
      select ${exchange.refreshHash}, id, ${exchange.now}, ${exchange.refreshExpiresAt}
      from connection
    )
    select id as "connectionId", user_id as "userId", client_id as "clientId", scopes
    from connection
  `)
}

export interface CodeState {
  connectionId: Id<'connection'>
  usedAt: Date | null
  expiresAt: Date
  clientId: string
  redirectUri: string
}

/** Only explains a refusal. It decides nothing. */
export function findCode(db: Db, hash: Buffer): Promise<CodeState | undefined> {
  return db.maybe<CodeState>(sql`
    select connection_id as "connectionId", used_at as "usedAt", expires_at as "expiresAt",
      client_id as "clientId", redirect_uri as "redirectUri"
    from authorization_codes
    where hash = ${hash}
  `)
}

/**
 * Records on the code's connection that the code was used again, and ends the connection if
 * requested.
 */
export async function recordCodeReuse(
  db: Db,
  id: Id<'connection'>,
  reuse: { end: boolean; now: Date },
): Promise<void> {
  const recording = sql`
    update connections set
      code_reuses = code_reuses + 1,
      last_code_reuse_at = ${reuse.now},
      revoked_at = case when ${reuse.end} then ${reuse.now}::timestamptz end,
      revoked_by = case when ${reuse.end} then 'code_reuse' end
    where id = ${id} and revoked_at is null
    returning id as subject
  `
  await db.run(reuse.end ? withAccessChange(recording, reuse.now) : recording)
}
