/**
 * Reads over all nodes of a distributed database, where one of them may be away: Citus refuses such a
 * read as a whole, and the businesses of the other nodes are not to wait for it.
 */
import { sql } from '../db/db.ts'
import { eachPart, isSpread } from '../db/distribution.ts'
import type { Db, Sql } from '../db/types.ts'
import { seconds } from '../time/clock.ts'
import { serviceBusiness } from './job.ts'

export interface NodeReader {
  /**
   * Reads everything at once; after a fault, for some seconds, the businesses of one node at a time, so
   * that what the others have is found. Throws where no node answers.
   */
  read<Row>(ask: (businesses?: readonly string[]) => Promise<Row[]>): Promise<Row[]>
}

/** Where the lanes are that a read is about. */
export const onNodesOf = (businesses?: readonly string[]): Sql =>
  businesses ? sql`lanes.business_id = any(${businesses}::uuid[])` : sql`true`

/** How long nodes are read one at a time, until it is tried at once again. */
const apartForMs = seconds(5)

export function createNodeReader(db: Db, onFault: (error: unknown) => void): NodeReader {
  let businesses: string[][] = []
  let apartUntil = 0

  return {
    async read(ask) {
      if (apartUntil <= performance.now()) {
        try {
          return await ask()
        } catch (error) {
          if (!isSpread(db)) throw error
          onFault(error)
          businesses = await businessesByNode(db)
          apartUntil = performance.now() + apartForMs
        }
      }
      const answers = await eachPart(businesses, ask, onFault)
      return answers.flatMap(({ result }) => result)
    },
  }
}

/** All businesses, and the service's own work, by the node that has them. The coordinator knows. */
async function businessesByNode(db: Db): Promise<string[][]> {
  const nodes = await db.all<{ businesses: string[] }>(sql`
    select array_agg(all_of_them.id) as businesses
    from (select id from businesses union all select ${serviceBusiness}::uuid) as all_of_them
    join pg_dist_placement on shardid =
      get_shard_id_for_distribution_column('lanes'::regclass, all_of_them.id)
    group by groupid
  `)
  return nodes.map((node) => node.businesses)
}
