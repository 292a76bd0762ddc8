/** Statements on the operator's own rules for redirect URIs. */

import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export async function insertAllowedRedirect(db: Db, uri: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into allowed_redirects (uri, created_at) values (${uri}, ${now})
    on conflict (uri) do update set disabled_at = null
  `)
}

/** Returns rules that equal this URI, or end in a star and are a prefix of it. */
export function possibleRedirectRules(
  db: Db,
  uri: string,
): Promise<{ uri: string; isDisabled: boolean }[]> {
  return db.all(sql`
    select uri, disabled_at is not null as "isDisabled" from allowed_redirects
    where uri = ${uri} or (right(uri, 1) = '*' and starts_with(${uri}, left(uri, -1)))
  `)
}
