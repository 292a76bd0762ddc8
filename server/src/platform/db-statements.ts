/** How a statement goes over a connection of the pool. */
import type pg from 'pg'
import type { Db, Sql } from './db.ts'
import { Query } from './db-query.ts'

/** A connection that one caller has, and whether the pool may have it back. */
export interface Loan {
  client: pg.PoolClient
  broken: Error | undefined
}

export function statementsOn(send: (statement: Sql) => Promise<pg.QueryResult>): Db {
  return {
    all: async <T>(statement: Sql) => (await send(statement)).rows as T[],
    maybe: async <T>(statement: Sql) => (await send(statement)).rows[0] as T | undefined,
    async one<T>(statement: Sql) {
      const { rows } = await send(statement)
      if (rows.length !== 1) {
        throw new Error(
          `expected one row, got ${rows.length}: ${statement.text.trim().slice(0, 80)}`,
        )
      }
      return rows[0] as T
    },
    run: async (statement) => (await send(statement)).rowCount ?? 0,
  }
}

/** Runs of a statement, on all connections of a pool, before its plan is kept (see `replanned`). */
const plannedAnew = 500
const runs = new WeakMap<pg.PoolClient, RunCounts>()

type RunCounts = Map<string, number>

/**
 * Gives what counts runs for the connections of one pool. What the tables have grown by is
 * known once for all of them: counted by each alone, ten connections planned 2,500 times.
 */
export function runCounter(): (client: pg.PoolClient) => void {
  const counts: RunCounts = new Map()
  return (client) => void runs.set(client, counts)
}

/** Whether it is planned anew this time. */
function isUnsettled(client: pg.PoolClient, { name }: Sql): boolean {
  const counts = runs.get(client)
  const count = counts?.get(name) ?? 0
  if (count >= plannedAnew) return false
  counts?.set(name, count + 1)
  return true
}

/**
 * By callback, since with the driver's own promises whatever was read lives on until the
 * next full collection (3,000 answers of 30 rows left 30 MB in the old heap, and so leave
 * nothing): it doubled what the service grew to under load.
 */
export function ask(client: pg.PoolClient, statement: Sql): Promise<pg.QueryResult> {
  const { text, values } = statement
  const name = statement.replan && isUnsettled(client, statement) ? '' : statement.name
  return new Promise((resolve, reject) => {
    client.query(
      new Query(name, text, values, (error, result) => (error ? reject(error) : resolve(result))),
    )
  })
}
