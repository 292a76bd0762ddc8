/** Lists all connections and clients of the installation, for its operator only. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** Usable connections, newest first. */
export function allConnections(db: Db, now: Date): Promise<AnyConnection[]> {
  return selectAllConnections(db, now)
}

/** Clients, newest first, with the number of their live connections. */
export function allClients(db: Db): Promise<RegisteredClient[]> {
  return selectClients(db)
}

/** The rules added by `clients allow`, and those that `clients disable` refuses. */
export function addedRedirects(db: Db): Promise<AddedRedirect[]> {
  return selectAllowedRedirects(db)
}

/** A row of the operator's lists: no call by a person or a client may run these statements. */
interface AnyConnection {
  id: Id<'connection'>
  email: string
  /** A stranger's text. */
  clientName: string
  redirectUri: string
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  /** How often a rotated-out refresh token was reused too late to be a race. */
  lateReuses: number
  /** How often the code that created it was sent again. */
  codeReuses: number
}

interface RegisteredClient {
  id: string
  kind: 'dynamic' | 'document'
  /** A stranger's text. */
  name: string
  redirectUris: string[]
  connections: number
  createdAt: Date
  disabledAt: Date | null
}

/** All connections of the installation that have not ended and have a valid refresh token. */
function selectAllConnections(db: Db, now: Date): Promise<AnyConnection[]> {
  return db.all(sql`
    select c.id, u.email, client.name as "clientName", c.redirect_uri as "redirectUri", c.scopes,
      c.created_at as "createdAt", c.last_used_at as "lastUsedAt", c.late_reuses as "lateReuses",
      c.code_reuses as "codeReuses"
    from connections c
    join users u on u.id = c.user_id
    join oauth_clients client on client.id = c.client_id
    where c.revoked_at is null
      and exists (
        select 1 from refresh_tokens t
        where t.connection_id = c.id and t.rotated_at is null and t.expires_at > ${now}
      )
    order by c.created_at desc, c.id desc
  `)
}

function selectClients(db: Db): Promise<RegisteredClient[]> {
  return db.all(sql`
    select client.id, client.kind, client.name, client.redirect_uris as "redirectUris",
      client.created_at as "createdAt", client.disabled_at as "disabledAt",
      (
        select count(*) from connections c
        where c.client_id = client.id and c.revoked_at is null
      ) as connections
    from oauth_clients client
    where client.removed_at is null
    order by client.created_at desc, client.id
  `)
}

interface AddedRedirect {
  uri: string
  createdAt: Date
  /** Set where the operator refuses what the rule matches. */
  disabledAt: Date | null
}

function selectAllowedRedirects(db: Db): Promise<AddedRedirect[]> {
  return db.all(sql`
    select uri, created_at as "createdAt", disabled_at as "disabledAt"
    from allowed_redirects order by created_at, uri
  `)
}
