/** Statements on refresh tokens. */

import { withAccessChange } from '../../core/access-changes.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Grant, NewRefreshToken } from '../model/grant.ts'

export interface Rotation {
  hash: Buffer
  clientId: string
  successor: NewRefreshToken
  limit: RefreshLimit
  now: Date
}

/** The most refreshes that one connection may make after `since`. */
export interface RefreshLimit {
  refreshes: number
  since: Date
}

/**
 * Replaces the token by its successor, in one statement. Of any number at once one succeeds,
 * because the others wait for the row and then find it rotated. Any error undoes both halves, so
 * that the client can try again with the token it has. Nothing changes either if the connection has
 * used up its refreshes. The token `refreshes` links back in the chain is the oldest that counts, so one
 * row is enough for any limit.
 */
export function rotateRefreshToken(db: Db, rotation: Rotation): Promise<Grant | undefined> {
  return db.maybe<Grant>(sql`
    with rotated as (
      update refresh_tokens set rotated_at = ${rotation.now}
      from connections, oauth_clients
      where refresh_tokens.hash = ${rotation.hash} and rotated_at is null
        and expires_at > ${rotation.now}
        and connections.id = connection_id and connections.revoked_at is null
        and oauth_clients.id = connections.client_id and oauth_clients.id = ${rotation.clientId}
        and oauth_clients.disabled_at is null
        and not exists (
          select from refresh_tokens oldest
          where oldest.connection_id = refresh_tokens.connection_id and oldest.generation > 0
            and oldest.generation = refresh_tokens.generation + 1 - ${rotation.limit.refreshes}::int
            and oldest.created_at > ${rotation.limit.since}
        )
      returning connection_id, user_id, client_id, scopes, generation
    ), successor as (
      insert into refresh_tokens (hash, connection_id, created_at, expires_at, generation)
      select ${rotation.successor.hash}, connection_id, ${rotation.now},
        ${rotation.successor.expiresAt}, generation + 1
      from rotated
    )
    select connection_id as "connectionId", user_id as "userId", client_id as "clientId", scopes
    from rotated
  `)
}

export interface RefreshTokenState {
  connectionId: Id<'connection'>
  clientId: string
  rotatedAt: Date | null
  revoked: boolean
  expiresAt: Date
  generation: number
}

export function findRefreshToken(db: Db, hash: Buffer): Promise<RefreshTokenState | undefined> {
  return db.maybe<RefreshTokenState>(sql`
    select connection_id as "connectionId", client_id as "clientId",
      rotated_at as "rotatedAt", revoked_at is not null as revoked,
      expires_at as "expiresAt", generation
    from refresh_tokens join connections on connections.id = connection_id
    where hash = ${hash}
  `)
}

/** When the connection's refresh of that generation was made. */
export async function refreshedAt(
  db: Db,
  connectionId: Id<'connection'>,
  generation: number,
): Promise<Date | undefined> {
  const row = await db.maybe<{ at: Date }>(sql`
    select created_at as at from refresh_tokens
    where connection_id = ${connectionId} and generation = ${generation}
  `)
  return row?.at
}

export async function recordLateReuse(
  db: Db,
  id: Id<'connection'>,
  reuse: { end: boolean; now: Date },
): Promise<void> {
  const recording = sql`
    update connections set
      late_reuses = late_reuses + 1,
      last_late_reuse_at = ${reuse.now},
      revoked_at = case when ${reuse.end} then ${reuse.now}::timestamptz end,
      revoked_by = case when ${reuse.end} then 'late_reuse' end
    where id = ${id} and revoked_at is null
    returning id as subject
  `
  await db.run(reuse.end ? withAccessChange(recording, reuse.now) : recording)
}
