/** Statements on the operator's own rules for redirect URIs. */

import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export async function insertAllowedRedirect(db: Db, uri: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into allowed_redirects (uri, created_at) values (${uri}, ${now})
    on conflict (uri) do nothing
  `)
}

/** Returns rules that equal this URI, or end in a star and are a prefix of it. */
export async function possibleRedirectRules(db: Db, uri: string): Promise<string[]> {
  const rows = await db.all<{ uri: string }>(sql`
    select uri from allowed_redirects
    where uri = ${uri} or (right(uri, 1) = '*' and starts_with(${uri}, left(uri, -1)))
  `)
  return rows.map((row) => row.uri)
}
