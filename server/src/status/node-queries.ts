import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

export interface NodeRow {
  id: string
  role: 'api' | 'worker' | 'all'
  host: string
  startedAt: Date
  seenAt: Date
  /** By how much its clock jumped; null while it is right. */
  clockAheadMs: number | null
}

export function saveNode(db: Db, node: NodeRow): Promise<number> {
  const { id, role, host, startedAt, seenAt, clockAheadMs } = node
  return db.run(sql`
    insert into nodes (id, role, host, started_at, seen_at, clock_ahead_ms)
    values (${id}, ${role}, ${host}, ${startedAt}, ${seenAt}, ${clockAheadMs})
    on conflict (id) do update
    set seen_at = excluded.seen_at, clock_ahead_ms = excluded.clock_ahead_ms
  `)
}

export function endNode(db: Db, id: string, now: Date): Promise<number> {
  return db.run(sql`update nodes set stopped_at = ${now} where id = ${id}`)
}

/** The nodes that were seen since, and that did not stop of their own. */
export function listNodes(db: Db, since: Date): Promise<NodeRow[]> {
  return db.all(sql`
    select id, role, host, started_at as "startedAt", seen_at as "seenAt",
      clock_ahead_ms as "clockAheadMs"
    from nodes where seen_at >= ${since} and stopped_at is null
    order by role, host, started_at
  `)
}

export function addWork(
  db: Db,
  slot: Date,
  { kinds, amounts }: { kinds: readonly string[]; amounts: readonly number[] },
): Promise<number> {
  return db.run(sql`
    insert into node_work (slot, what, amount)
    select ${slot}, what, amount
    from unnest(${kinds}::text[], ${amounts}::bigint[]) as done (what, amount)
    order by what
    on conflict (slot, what) do update set amount = node_work.amount + excluded.amount
  `)
}

export interface WorkRow {
  slot: Date
  what: string
  amount: number
}

export function listWork(db: Db, since: Date): Promise<WorkRow[]> {
  return db.all(sql`
    select slot, what, amount from node_work where slot >= ${since} order by slot
  `)
}

export function deleteOldNodes(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from nodes where seen_at < ${before}`)
}

export function deleteOldWork(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from node_work where slot < ${before}`)
}
