/** Sends statements over a connection of the pool. */

import type pg from 'pg'
import { followed, isFollowed } from '../observing/observed.ts'
import { sendTogether } from './pipeline.ts'
import type { Answer, Db, Sql } from './types.ts'

/** A connection that one caller holds, and whether it may go back to the pool. */
export interface Loan {
  client: pg.PoolClient
  broken: Error | undefined
}

type Send = (statement: Sql) => Promise<Answer>

/** The same, with a span of each statement where traces are on. */
export function inTraces(send: Send): Send {
  return (statement) => {
    if (!isFollowed()) return send(statement)
    const text = statement.text.trim()
    const details = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, mostText) }
    const name = text.split('\n', 1)[0]?.split(' ', 1)[0] ?? ''
    return followed({ kind: 'statement', name, details }, () => send(statement))
  }
}

/** Characters of a statement in a trace. Values are never among them: they are sent apart. */
const mostText = 2_000

export function statementsOn(send: Send): Db {
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
    run: async (statement) => (await send(statement)).rowCount,
  }
}

/**
 * Runs of a statement, over all connections of a pool, before its plan is cached (see
 * `replanned`).
 */
const plannedAnew = 500
const runs = new WeakMap<pg.PoolClient, RunCounts>()

type RunCounts = Map<string, number>

/**
 * Creates the run counter for a pool's connections. The growth of tables is counted once for all of
 * them: with a count for each, ten connections planned 2,500 times.
 */
export function runCounter(): (client: pg.PoolClient) => void {
  const counts: RunCounts = new Map()
  return (client) => void runs.set(client, counts)
}

/** Whether the statement is planned anew this time. */
function isUnsettled(client: pg.PoolClient, { name }: Sql): boolean {
  const counts = runs.get(client)
  const count = counts?.get(name) ?? 0
  if (count >= plannedAnew) return false
  counts?.set(name, count + 1)
  return true
}

/** The statement as it is sent over this connection. Without its name it is planned anew. */
export function settled(client: pg.PoolClient, statement: Sql): Sql {
  return statement.replan && isUnsettled(client, statement) ? { ...statement, name: '' } : statement
}

/** Runs one statement by itself. */
export function ask(client: pg.PoolClient, statement: Sql): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sendTogether(client, [{ statement: settled(client, statement), resolve, reject }])
  })
}
