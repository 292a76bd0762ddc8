/** Statements on the latest calls of connections. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { RecentCall } from './connection.ts'

/**
 * Adds calls, newest first, to those that are kept already, and keeps the newest of all. Rows are written in the
 * order of their ids, so that flushes of two nodes cannot deadlock. A connection that was deleted
 * meanwhile is left out.
 */
export async function mergeCalls(
  db: Db,
  rows: readonly { id: Id<'connection'>; calls: readonly RecentCall[] }[],
  { kept, now }: { kept: number; now: Date },
): Promise<void> {
  await db.run(sql`
    insert into connection_calls (connection_id, calls, called_at)
    select id, u.calls::jsonb, ${now}
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ calls }) => JSON.stringify(calls))}::text[]
    ) as u (id, calls)
    join connections using (id)
    order by id
    on conflict (connection_id) do update set
      calls = (
        select jsonb_agg(call order by call->>'at' desc, place)
        from (
          select call, place
          from jsonb_array_elements(excluded.calls || connection_calls.calls)
            with ordinality as each (call, place)
          order by call->>'at' desc, place
          limit ${kept}
        ) as newest
      ),
      called_at = greatest(excluded.called_at, connection_calls.called_at)
  `)
}

export async function selectCalls(
  db: Db,
  id: Id<'connection'>,
  after: Date,
): Promise<RecentCall[]> {
  const row = await db.maybe<{ calls: RecentCall[] }>(sql`
    select calls from connection_calls where connection_id = ${id} and called_at > ${after}
  `)
  return row?.calls ?? []
}

export function deleteOldCalls(db: Db, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from connection_calls where connection_id in (
      select connection_id from connection_calls where called_at <= ${before}
      order by called_at limit ${limit} for update skip locked
    )
  `)
}
