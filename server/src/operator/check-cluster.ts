/** Checks the nodes of a distributed database. */
import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import { readPlan } from '../lib/citus/plan.ts'
import { readNodes, readSettings } from '../lib/citus/readiness.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'

const check = 'cluster'
/** As many as the pool of one node of the service has by default. */
const fewConnections = 10

/** Nothing where the database is one PostgreSQL. */
export async function* clusterFindings(db: Database): AsyncGenerator<Finding> {
  if (!(await db.findNodes())) return
  yield* nodeFindings(db)
  const open = await readPlan(db)
  yield open.length === 0
    ? ok(check, 'every table is where it belongs')
    : warn(
        check,
        `${open.length} steps are left, such as ${open[0]?.step} ${open[0]?.table}`,
        'crier distribute',
      )
  yield await placementFinding(db)
  const { mode } = await db.one<{ mode: string }>(
    sql`select current_setting('citus.multi_shard_modify_mode') as mode`,
  )
  yield mode === 'sequential'
    ? ok(check, 'citus.multi_shard_modify_mode is sequential')
    : fail(
        check,
        `citus.multi_shard_modify_mode is ${mode}, which refuses some transactions`,
        "alter role … in database … set citus.multi_shard_modify_mode = 'sequential', and restart the service.",
      )
}

async function* nodeFindings(db: Database): AsyncGenerator<Finding> {
  for (const { host, port, isActive } of await readNodes(db)) {
    if (!isActive) yield fail(check, `${host}:${port} is not active`, 'Start it, or remove it.')
  }
  for (const { host, port, settings, fault } of await readSettings(db)) {
    const node = `${host}:${port}`
    if (!settings) {
      yield fail(check, `${node} does not answer: ${fault}`, 'Its businesses wait. Start it.')
    } else if (settings.freeConnections < fewConnections) {
      const text = `${node} has ${settings.freeConnections} free connections`
      yield warn(check, text, 'Raise max_connections there.')
    } else
      yield ok(check, `${node} answers: PostgreSQL ${settings.version}, Citus ${settings.citus}`)
  }
}

/** A shard without a node that takes rows has businesses that cannot be reached. */
async function placementFinding(db: Database): Promise<Finding> {
  const { shards, lost } = await db.one<{ shards: number; lost: number }>(sql`
    select count(*)::int as shards, (count(*) filter (where n.nodeid is null))::int as lost
    from pg_dist_shard s
    left join pg_dist_placement p using (shardid)
    left join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive
    where s.logicalrelid = to_regclass('contacts')
  `)
  if (lost === 0) return ok(check, `${shards} parts, each on a node`)
  return fail(check, `${lost} of ${shards} parts are on no node`, 'Add the node again.')
}
