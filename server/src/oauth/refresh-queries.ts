/** Statements on refresh tokens. */
import { noted } from '../platform/access-changes.ts'
import { type Db, sql } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import type { Grant, NewRefreshToken } from './grant.ts'

export interface Rotation {
  hash: Buffer
  clientId: string
  successor: NewRefreshToken
  now: Date
}

/**
 * Puts the successor in the token's place, in one statement: of any number at once one
 * wins, since the others wait on the row and then find it rotated; and an error of any
 * kind undoes both halves, so that the client can try again with the token it has.
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
      returning connection_id, user_id, client_id, scopes
    ), successor as (
      insert into refresh_tokens (hash, connection_id, created_at, expires_at)
      select ${rotation.successor.hash}, connection_id, ${rotation.now},
        ${rotation.successor.expiresAt}
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
}

export function findRefreshToken(db: Db, hash: Buffer): Promise<RefreshTokenState | undefined> {
  return db.maybe<RefreshTokenState>(sql`
    select connection_id as "connectionId", client_id as "clientId",
      rotated_at as "rotatedAt", revoked_at is not null as revoked
    from refresh_tokens join connections on connections.id = connection_id
    where hash = ${hash}
  `)
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
  await db.run(reuse.end ? noted(recording, reuse.now) : recording)
}
