/** An app that a person connected, as its tokens and its name stand in the database. */
import { createHash, randomBytes } from 'node:crypto'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { days, later } from 'crier-server/lib/time/clock.ts'
import { type Grant, type GrantOptions, newGrant } from './grants.ts'

/** Listed as a connection of the person, because it has a refresh token that is still good. */
export async function connectApp(
  db: Db,
  options: GrantOptions & { userId: Id<'user'>; redirectUri?: string },
): Promise<Grant> {
  const grant = await newGrant(db, options)
  const now = new Date()
  const hash = createHash('sha256').update(randomBytes(16)).digest()
  await db.run(sql`
    insert into refresh_tokens (hash, connection_id, created_at, expires_at)
    values (${hash}, ${grant.connectionId}, ${now}, ${later(now, days(30))})
  `)
  const redirectUri = options.redirectUri ?? 'https://claude.ai/api/mcp/auth_callback'
  await db.run(sql`
    update connections set redirect_uri = ${redirectUri} where id = ${grant.connectionId}
  `)
  return grant
}
