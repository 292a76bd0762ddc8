/** Deletions of what has expired. Rows that someone is using are left to the next sweep. */

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
 * Clients registered before `before` that no one connected with and that hold no code.
 * An exchange that is just making a connection holds the client's row, so it is skipped.
 */
export function deleteIdleClients(db: Db, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from oauth_clients where id in (
      select id from oauth_clients client
      where created_at < ${before} and disabled_at is null
        and not exists (select 1 from connections where client_id = client.id)
        and not exists (select 1 from authorization_codes where client_id = client.id)
      order by created_at limit ${limit} for update skip locked
    )
  `)
}
