/**
 * Turns a database into a distributed one. Each step is one statement of Citus, which copies the rows
 * and commits, or leaves everything as it was: a run that is killed at any moment is run again.
 */
import { sql } from '../db/db.ts'
import { readIsDistributed } from '../db/distribution.ts'
import { StartError } from '../db/start-error.ts'
import type { Database, Db, Sql } from '../db/types.ts'
import { nameBusinesses } from '../jobs/businesses.ts'
import type { LaneName } from '../jobs/job.ts'
import { readPlan, type Step } from './plan.ts'

export interface DistributeOptions {
  /** Parts into which the rows of all businesses are divided; Citus moves a part as a whole. */
  shards: number
  /** The lanes of the queue that may be paused without a job, whose business nothing else tells. */
  lanes: readonly LaneName[]
  onStep?: (progress: { step: Step; done: number; ofSteps: number }) => void
}

export async function distribute(
  db: Database,
  { shards, lanes, onStep }: DistributeOptions,
): Promise<Step[]> {
  await setMode(db)
  const done: Step[] = []
  // Distributing leaves the old copy, which is a step more.
  for (let plan = await readPlan(db); plan.length > 0; plan = await readPlan(db)) {
    const ofSteps = done.length + plan.length
    for (const step of plan) {
      onStep?.({ step, done: done.length, ofSteps })
      await run(db, step, { shards, lanes })
      done.push(step)
    }
  }
  return done
}

/**
 * Refuses a database of which a part is distributed: `distribute` ended before its last table, and the
 * service would write to both sides. An old copy that is left is nobody's.
 */
export async function refuseInterrupted(db: Db): Promise<void> {
  if (!(await hasPlacedTables(db))) return
  // Of contacts the service knows whether it is distributed. What else is open and empty, it does itself.
  const isKnown = await readIsDistributed(db)
  const [open] = isKnown ? await stepsOn(db, 'filled') : await readPlan(db)
  if (!open) return
  throw new StartError(
    `crier distribute was interrupted, or a migration filled a new table: ${open.table} is not on the nodes yet. Run crier distribute again; it goes on where it was.`,
  )
}

async function hasPlacedTables(db: Db): Promise<boolean> {
  const { hasNodes } = await db.one<{ hasNodes: boolean }>(
    sql`select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasNodes"`,
  )
  if (!hasNodes) return false
  const { isBegun } = await db.one<{ isBegun: boolean }>(sql`
    select exists (
      select from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = 'public'::regnamespace and (partmethod = 'h' or repmodel = 't')
    ) as "isBegun"
  `)
  return isBegun
}

/** What is left to do for tables that have rows, or for those that have none. */
async function stepsOn(db: Db, tables: 'filled' | 'empty'): Promise<Step[]> {
  const steps: Step[] = []
  for (const step of await readPlan(db)) {
    if (step.step === 'remove the old copy') continue
    const row = await db.maybe(statement(`select 1 from ${step.table} limit 1`))
    if ((row !== undefined) === (tables === 'filled')) steps.push(step)
  }
  return steps
}

/** Distributes the new tables of a migration, which are empty. Nothing else is changed. */
export async function distributeNew(db: Database): Promise<string[]> {
  const steps = await stepsOn(db, 'empty')
  for (const step of steps) {
    await run(db, step, { shards: 0, lanes: [] }).catch(async (error: unknown) => {
      // Another node that starts may have done it.
      const open = await readPlan(db)
      if (open.some(({ step: kind, table }) => kind === step.step && table === step.table)) {
        throw error
      }
    })
  }
  return steps.map(({ table }) => table)
}

/**
 * The role's transactions touch tables that refer to reference tables, for which Citus asks for one
 * connection a node. It holds for connections that are opened afterwards.
 */
async function setMode(db: Db): Promise<void> {
  const { role, database } = await db.one<{ role: string; database: string }>(
    sql`select quote_ident(current_user) as role, quote_ident(current_database()) as database`,
  )
  await db.run(
    statement(`alter role ${role} in database ${database}
      set citus.multi_shard_modify_mode = 'sequential'`),
  )
}

async function run(
  db: Database,
  step: Step,
  { shards, lanes }: Pick<DistributeOptions, 'shards' | 'lanes'>,
): Promise<void> {
  const { table } = step
  switch (step.step) {
    case 'key by business':
      // Named in each step: until the key is changed, a killed run leaves all as it was.
      await db.tx(async (tx) => {
        await nameBusinesses(tx, lanes)
        await tx.run(
          statement(`alter table ${table} drop constraint ${table}_pkey,
          add constraint ${table}_pkey primary key (business_id, shard, id)`),
        )
      })
      break
    case 'copy to all nodes':
      await db.run(sql`select create_reference_table(${table})`)
      break
    case 'drop foreign key':
      await db.run(statement(`alter table ${table} drop constraint ${step.key}`))
      break
    case 'distribute': {
      const first = await db.maybe<{ name: string }>(sql`
        select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' limit 1
      `)
      await db.run(
        first
          ? sql`select create_distributed_table(${table}, 'business_id', colocate_with => ${first.name})`
          : sql`select create_distributed_table(${table}, 'business_id', shard_count => ${shards})`,
      )
      break
    }
    case 'remove the old copy':
      await db.run(sql`select truncate_local_data_after_distributing_table(${table}::regclass)`)
      break
  }
}

/** Of names from the catalogue. */
const statement = (text: string): Sql => ({ name: '', text, values: [] })

/**
 * Gives the business a shard of its own in every table, and moves it to the node while it is written
 * to. Returns the number of tables. A business that has its own shard is only moved.
 */
export async function placeBusiness(
  db: Db,
  businessId: string,
  node: { host: string; port: number },
): Promise<number> {
  const before = await shardOf(db, businessId)
  if (before.low !== before.high) {
    await db.run(sql`
      select isolate_tenant_to_new_shard('contacts', ${businessId}::uuid, 'CASCADE',
        shard_transfer_mode => 'auto')
    `)
  }
  const shard = await shardOf(db, businessId)
  if (shard.host !== node.host || shard.port !== node.port) {
    await db.run(sql`
      select citus_move_shard_placement(${shard.id}::bigint, ${shard.host}, ${shard.port}::int,
        ${node.host}, ${node.port}::int, 'auto')
    `)
  }
  const { tables } = await db.one<{ tables: number }>(sql`
    select count(*)::int as tables from pg_dist_shard
    where shardminvalue = ${shard.low} and shardmaxvalue = ${shard.high}
  `)
  return tables
}

/** The shard of the contacts of a business, and where it is; those of other tables go with it. */
function shardOf(db: Db, businessId: string): Promise<BusinessShard> {
  return db.one(sql`
    select s.shardid::text as id, s.shardminvalue as low, s.shardmaxvalue as high,
      n.nodename as host, n.nodeport as port
    from pg_dist_shard s
    join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
    where s.shardid = get_shard_id_for_distribution_column('contacts', ${businessId}::uuid)
      and n.noderole = 'primary'
  `)
}

interface BusinessShard {
  id: string
  low: string
  high: string
  host: string
  port: number
}
