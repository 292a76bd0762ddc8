/**
 * Tables that only grow are partitioned by time. Old rows are dropped with their partition, which
 * costs nothing, and never deleted one by one. Each such table has a default partition, so that no
 * insert fails because a partition is missing. Rows in the default partition are moved when their
 * partition is created.
 */

import { days, later } from '../time/clock.ts'
import { sql } from './db.ts'
import type { Database, Db, Sql, Tx } from './types.ts'

export interface PartitionedTable {
  name: string
  /** The timestamp column that the table is partitioned by. */
  column: string
  step: 'day' | 'month'
  keepDays: number
}

/** How many partitions are created in advance: the worker may be down for that long. */
const ahead = { day: 7, month: 2 }
/** DDL waits for every open transaction, and all writers queue behind it. */
const lockMs = 300

/** Creates the partitions that will be needed and drops those past their retention. */
export async function keepPartitions(
  db: Database,
  table: PartitionedTable,
  now: Date,
): Promise<{ made: string[]; dropped: string[] }> {
  const existing = new Set((await listPartitions(db, table.name)).map((row) => row.name))
  const oldest = later(now, -days(table.keepDays))
  const periods = Array.from({ length: ahead[table.step] + 1 }, (_, i) => periodAt(table, now, i))
  const missing = periods.filter(({ name }) => !existing.has(name))
  for (const period of missing) await db.tx((tx) => makePartition(tx, table, period))

  const dropped = [...existing].filter((name) => {
    const start = startOf(table.name, name)
    return start !== undefined && periodAt(table, start, 1).from <= oldest
  })
  for (const name of dropped) {
    await db.tx(async (tx) => {
      await limitWait(tx)
      await tx.run(statement(`drop table ${name}`))
    })
  }
  await db.run(
    statement(`delete from ${table.name}_default where ${table.column} < ${literal(oldest)}`),
  )
  return { made: missing.map(({ name }) => name), dropped }
}

interface Period {
  name: string
  from: Date
  to: Date
}

/** The UTC day or month `n` after the one that `moment` falls in. */
function periodAt(table: Pick<PartitionedTable, 'name' | 'step'>, moment: Date, n: number): Period {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
  const start = (i: number) =>
    new Date(table.step === 'day' ? Date.UTC(year, month, day + i) : Date.UTC(year, month + i))
  const from = start(n)
  const digits = from.toISOString().replaceAll('-', '')
  const name = `${table.name}_${digits.slice(0, table.step === 'day' ? 8 : 6)}`
  return { name, from, to: start(n + 1) }
}

/** The start of the partition with this name; undefined for a table that may not be dropped. */
function startOf(table: string, name: string): Date | undefined {
  const digits = /_(\d{4})(\d{2})(\d{2})?$/.exec(name)
  if (!digits) return undefined
  const [, year, month, day = '01'] = digits
  const start = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const step = digits[3] === undefined ? 'month' : 'day'
  if (Number.isNaN(start.getTime())) return undefined
  return periodAt({ name: table, step }, start, 0).name === name ? start : undefined
}

async function makePartition(tx: Tx, { name, column }: PartitionedTable, period: Period) {
  const [from, to] = [literal(period.from), literal(period.to)]
  await limitWait(tx)
  // All other transactions wait here, before they choose a partition. The default partition would
  // reject the row of a writer that chose it before the new one is attached. A reader that chose it
  // would find the moved rows in neither partition.
  await tx.run(statement(`lock table only ${name} in access exclusive mode`))
  await tx.run(statement(`create table ${period.name} (like ${name} including all)`))
  await tx.run(
    statement(`
      with moved as (
        delete from ${name}_default where ${column} >= ${from} and ${column} < ${to} returning *
      )
      insert into ${period.name} select * from moved
    `),
  )
  await tx.run(
    statement(`
      alter table ${name} attach partition ${period.name} for values from (${from}) to (${to})
    `),
  )
}

function limitWait(tx: Tx): Promise<number> {
  return tx.run(sql`select set_config('lock_timeout', ${String(lockMs)}, true)`)
}

/** DDL of our own names and times. It takes no parameters, and it is unnamed since it is rare. */
function statement(text: string): Sql {
  return { name: '', text, values: [] }
}

const literal = (moment: Date) => `'${moment.toISOString()}'::timestamptz`

/** How many partitions of each partitioned table begin after `now`. */
export async function partitionsAhead(db: Db, now: Date): Promise<Record<string, number>> {
  const all = await db.all<{ table: string; name: string }>(sql`
    select parent.relname as "table", child.relname as name
    from pg_inherits
    join pg_class parent on parent.oid = inhparent and parent.relkind = 'p'
    join pg_class child on child.oid = inhrelid
    order by parent.relname
  `)
  const ahead: Record<string, number> = {}
  for (const { table, name } of all) {
    const start = startOf(table, name)
    ahead[table] = (ahead[table] ?? 0) + (start && start > now ? 1 : 0)
  }
  return ahead
}

function listPartitions(db: Db, table: string): Promise<{ name: string }[]> {
  return db.all(sql`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = ${table}::regclass
  `)
}
