/** Statements about what came back from relays. */
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

/** Does nothing for a relay that was heard of before, and then takes no lock. */
export function insertHeard(
  tx: Tx,
  { routes, source }: { routes: readonly string[]; source: string },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into relay_feedback (route, heard_at, source)
    select route, ${now}, ${source} from unnest(${routes}::text[]) as heard (route)
    on conflict do nothing
  `)
}

export function findHeard(db: Db, route: string): Promise<{ heardAt: Date } | undefined> {
  return db.maybe(sql`select heard_at as "heardAt" from relay_feedback where route = ${route}`)
}
