/** Statements that delete expired rows. Rows in use are left for the next sweep. */

import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

export function deleteExpiredCodes(db: Db, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from authorization_codes where hash in (
      select hash from authorization_codes where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked
    )
  `)
}

export function deleteExpiredTokens(db: Db, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from refresh_tokens where hash in (
      select hash from refresh_tokens where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked
    )
  `)
}

/**
 * Deletes clients registered before `before` that have neither a connection nor a code. An exchange
 * that is creating a connection has locked the client's row, so that client is skipped.
 */
export function deleteIdleClients(db: Db, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from oauth_clients where id in (
      select id from oauth_clients client
      where created_at < ${before}
        and (disabled_at is null or (removed_at is not null and kind = 'dynamic'))
        and not exists (select 1 from connections where client_id = client.id)
        and not exists (select 1 from authorization_codes where client_id = client.id)
      order by created_at limit ${limit} for update skip locked
    )
  `)
}
