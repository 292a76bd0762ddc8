/** The statement that reads principals. Every call of the service waits for it. */

import type { Id } from '../../core/ids.ts'
import type { Role } from '../../core/operation.ts'
import { ids as uuids } from '../../lib/db/columns.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface PrincipalRow {
  connectionId: Id<'connection'>
  userId: Id<'user'>
  /** Separated by spaces, because the driver is slow with arrays. */
  scopes: string
  /** For an API key: its greatest role. */
  role: Role | null
  /** The most recipients it may reach in 24 hours. Every API key has such a limit. */
  recipientsPerDay: number | null
  /** The most to whom it may send transactional messages in 24 hours. */
  transactionalPerDay: number | null
  /** JSON: an array of `[id, name, tier, role]`, in no particular order. */
  businesses: string
}

/**
 * Live connections with the granted businesses in which the person is still a member. One row per
 * connection, with its businesses as JSON, costs half as much as a row for each business. The SQL
 * writes the JSON itself: a sorted `json_agg` of `json_build_array` looks up the type of each value
 * in the catalogue and took 20 µs of PostgreSQL for a connection of two businesses, while this
 * takes 14. A few ids are compared one by one. For many, `in (select unnest …)` hashes, so that a
 * grant of 500 businesses takes 1.5 ms instead of 5 with `= any (…)`. The ids are a query of their
 * own, so that a plan costs the same for any number of them. Otherwise PostgreSQL planned it for
 * each call, because single calls make that look cheap: for 16 connections, 27 µs each became 12.
 */
export function selectPrincipals(
  db: Db,
  ids: readonly Id<'connection'>[],
): Promise<PrincipalRow[]> {
  return db.all<PrincipalRow>(
    replanned(sql`
    select c.id as "connectionId", c.user_id as "userId",
      array_to_string(c.scopes, ' ') as scopes, c.role,
      c.recipients_per_day as "recipientsPerDay",
      c.transactional_per_day as "transactionalPerDay",
      '[' || array_to_string(array(
        select '["' || b.id || '",' || to_json(b.name) || ',"' || b.tier || '","' || m.role || '"]'
        from memberships m join businesses b on b.id = m.business_id
        where m.user_id = c.user_id and case
          when cardinality(c.business_ids) < 20 then m.business_id = any (c.business_ids)
          else m.business_id in (select unnest(c.business_ids))
        end
      ), ',') || ']' as businesses
    from connections c
    where c.id = any ((select ${uuids(ids)}::uuid[])::uuid[]) and c.revoked_at is null
  `),
  )
}
