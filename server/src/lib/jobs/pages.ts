/** Rows of the queue in sets that one statement takes, whatever their number. */
import { partsOf } from '../db/distribution.ts'
import type { Db } from '../db/types.ts'
import { serviceBusiness } from './job.ts'

/** The key of a lane or a job. */
export interface Key {
  businessId: string
  shard: number
  id: string
}

export interface Page {
  /** The last key of the page before. */
  after: Pick<Key, 'shard' | 'id'>
  limit: number
}

const pageRows = 10_000

/** Reads page after page, in the order of shard and id, and splits each by business where `db` is distributed. */
export async function* keysInParts<Row extends Key>(
  db: Db,
  read: (page: Page) => Promise<Row[]>,
  limit = pageRows,
): AsyncGenerator<Row[]> {
  let after: Page['after'] = { shard: -1, id: serviceBusiness }
  for (;;) {
    const rows = await read({ after, limit })
    yield* partsOf(db, rows)
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = last
  }
}
