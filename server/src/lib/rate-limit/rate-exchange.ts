/** The statements with which nodes exchange their counts of requests. */

import { sql } from '../db/db.ts'
import type { Database } from '../db/types.ts'
import { type Counts, windowSeconds } from './rate-window.ts'

export interface KeyCounts extends Counts {
  key: string
}

/** Each column has one entry for every key. */
export interface CountColumns {
  keys: string[]
  lastSeconds: number[]
  /** Array literals, such as `{1,0,2}`. */
  counts: string[]
}

/**
 * Builds columns at once rather than rows: a second's rows of thousands of keys would wait for the
 * statement's answer and so outlive a collection of the young heap.
 */
export function columnsOf(mine: Iterable<KeyCounts>): CountColumns {
  const columns: CountColumns = { keys: [], lastSeconds: [], counts: [] }
  for (const { key, lastSecond, counts } of mine) {
    columns.keys.push(key)
    columns.lastSeconds.push(lastSecond)
    columns.counts.push(`{${counts.join()}}`)
  }
  return columns
}

/**
 * Writes this node's counts of the last minute and reads back the counts of the other nodes for the
 * same keys. A lost commit loses a second of counts, so commits are not waited for.
 */
export function exchangeCounts(db: Database, node: string, mine: CountColumns, second: number) {
  const { keys, lastSeconds, counts } = mine
  return db.tx(async (tx) => {
    await tx.run(sql`set local synchronous_commit = off`)
    return tx.all<KeyCounts>(sql`
      with mine as (
        insert into request_seconds (key, node, last_second, counts)
        select key, ${node}, last_second, counts::smallint[]
        from unnest(${keys}::text[], ${lastSeconds}::bigint[], ${counts}::text[])
          as mine (key, last_second, counts)
        on conflict (key, node) do update
        set last_second = excluded.last_second, counts = excluded.counts
      )
      select key, last_second as "lastSecond", counts
      from request_seconds
      where key = any(${keys}) and node <> ${node} and last_second >= ${second - windowSeconds}
    `)
  })
}

/** The key under which a node records that it exists; no request is counted under it. */
const presence = ''

/** Records that this node is here, and returns whether another was in the last minute. */
export async function meetNodes(db: Database, node: string, second: number): Promise<boolean> {
  const { met } = await db.one<{ met: boolean }>(sql`
    with here as (
      insert into request_seconds (key, node, last_second, counts)
      values (${presence}, ${node}, ${second}, '{}')
      on conflict (key, node) do update set last_second = excluded.last_second
    )
    select exists (
      select from request_seconds
      where key = ${presence} and node <> ${node} and last_second >= ${second - windowSeconds}
    ) as met
  `)
  return met
}

/** Deletes counts that no window reaches any more, including those of nodes that are gone. */
export function sweepCounts(db: Database, second: number): Promise<number> {
  return db.run(sql`delete from request_seconds where last_second < ${second - windowSeconds}`)
}
