/** What keeps a database from being distributed, and what a cluster lacks. Each has its mend. */
import { sql } from '../db/db.ts'
import { pendingMigrations } from '../db/migrate.ts'
import type { Db } from '../db/types.ts'
import { later, minutes } from '../time/clock.ts'
import { isOfBusinesses, readTables } from './plan.ts'

export interface Lack {
  /** What it is about, in a word or two. */
  subject: string
  text: string
  mend: string
}

/** Older ones were not tried. */
const oldestVersion = 13
/** A node opens a connection for each one of the service, and its own for moving shards. */
const spareConnections = 20

/** Everything that has to be mended before `crier distribute`; `[]` if it can begin. */
export async function readLacks(
  db: Db,
  { connections, now }: { connections: number; now: Date },
): Promise<Lack[]> {
  const extension = await extensionLack(db)
  if (extension) return [extension]
  const nodes = await nodeLacks(db)
  if (nodes.length > 0) return nodes
  return [
    ...(await settingLacks(db, connections)),
    ...(await schemaLacks(db)),
    ...(await serviceLacks(db, now)),
  ]
}

async function extensionLack(db: Db): Promise<Lack | undefined> {
  const extension = await db.maybe<{ version: string }>(
    sql`select extversion as version from pg_extension where extname = 'citus'`,
  )
  const subject = 'extension'
  if (!extension) {
    return {
      subject,
      text: 'the database has no extension citus',
      mend: "Install Citus on every server, set shared_preload_libraries = 'citus', restart them, and as a superuser run there: create extension citus.",
    }
  }
  if (Number.parseInt(extension.version, 10) >= oldestVersion) return undefined
  return {
    subject,
    text: `Citus ${extension.version} is too old`,
    mend: `Upgrade Citus to ${oldestVersion} or newer on every server.`,
  }
}

interface Node {
  host: string
  port: number
  isCoordinator: boolean
  isActive: boolean
  hasShards: boolean
}

export function readNodes(db: Db): Promise<Node[]> {
  return db.all(sql`
    select nodename as host, nodeport as port, groupid = 0 as "isCoordinator",
      isactive as "isActive", shouldhaveshards as "hasShards"
    from pg_dist_node where noderole = 'primary' order by groupid
  `)
}

async function nodeLacks(db: Db): Promise<Lack[]> {
  const nodes = await readNodes(db)
  const lacks: Lack[] = []
  if (!nodes.some(({ isCoordinator }) => isCoordinator)) {
    lacks.push({
      subject: 'coordinator',
      text: 'the coordinator does not know its own address, so no other node could reach it',
      mend: "As a superuser: select citus_set_coordinator_host('its address', 5432).",
    })
  }
  if (!nodes.some(({ isActive, hasShards }) => isActive && hasShards)) {
    lacks.push({
      subject: 'nodes',
      text: 'no node takes rows',
      mend: "As a superuser, for each node: select citus_add_node('its address', 5432).",
    })
  }
  for (const { host, port, isActive } of nodes) {
    if (isActive) continue
    const mend = `Start it, or remove it: select citus_remove_node('${host}', ${port}).`
    lacks.push({ subject: 'nodes', text: `${host}:${port} is not active`, mend })
  }
  return lacks
}

export interface NodeSettings {
  host: string
  port: number
  /** Undefined where the node does not answer as this role. */
  settings?: {
    version: string
    citus: string | null
    walLevel: string
    freeConnections: number
  }
  fault?: string
}

/** What each node says of itself, asked as the role of this connection. */
export async function readSettings(db: Db): Promise<NodeSettings[]> {
  const rows = await db.all<{ host: string; port: number; success: boolean; result: string }>(sql`
    select nodename as host, nodeport as port, success, result
    from run_command_on_all_nodes(${settingsQuery}) answer join pg_dist_node using (nodeid)
    order by groupid
  `)
  return rows.map(({ host, port, success, result }) =>
    success ? { host, port, settings: JSON.parse(result) } : { host, port, fault: result },
  )
}

const settingsQuery = `
  select json_build_object(
    'version', current_setting('server_version'),
    'citus', (select extversion from pg_extension where extname = 'citus'),
    'walLevel', current_setting('wal_level'),
    'freeConnections', current_setting('max_connections')::int
      - (select count(*) from pg_stat_activity where backend_type = 'client backend')
  )`

async function settingLacks(db: Db, connections: number): Promise<Lack[]> {
  const nodes = await readSettings(db)
  const own = nodes[0]?.settings
  const minimum = connections + spareConnections
  return nodes.flatMap(({ host, port, settings, fault }): Lack[] => {
    const node = `${host}:${port}`
    if (!settings) {
      const mend =
        'Create the role of DATABASE_URL on every node, and let the nodes connect to each other with it: pg_hba.conf, or a password in pg_dist_authinfo.'
      return [{ subject: 'role', text: `${node} does not answer this role: ${fault}`, mend }]
    }
    const lacks: Lack[] = []
    if (majorOf(settings.version) !== majorOf(own?.version) || settings.citus !== own?.citus) {
      lacks.push({
        subject: 'versions',
        text: `${node} has PostgreSQL ${settings.version} and Citus ${settings.citus}, the coordinator ${own?.version} and ${own?.citus}`,
        mend: 'Give all nodes the same versions.',
      })
    }
    if (settings.freeConnections < minimum) {
      lacks.push({
        subject: 'connections',
        text: `${node} has ${settings.freeConnections} free connections, and ${minimum} are needed`,
        mend: 'Raise max_connections there, or lower DATABASE_POOL on the nodes of the service.',
      })
    }
    if (settings.walLevel !== 'logical') {
      lacks.push({
        subject: 'wal_level',
        text: `${node} has wal_level ${settings.walLevel}, so no shard could be moved while it is written to`,
        mend: 'Set wal_level = logical there, and restart it.',
      })
    }
    return lacks
  })
}

const majorOf = (version = ''): number => Number.parseInt(version, 10)

/** What Citus would refuse: a key over all businesses is checked on one node only. */
async function schemaLacks(db: Db): Promise<Lack[]> {
  const names = (await readTables(db)).filter(isOfBusinesses).map(({ table }) => table)
  const keys = await db.all<{ name: string; tableName: string }>(sql`
    select i.indexrelid::regclass::text as name, c.relname as "tableName"
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and not i.indisprimary and c.relnamespace = 'public'::regnamespace
      and c.relname = any(${names}::text[])
      and not exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'business_id' and a.attnum = any(i.indkey)
      )
  `)
  return keys.map(({ name, tableName }) => ({
    subject: 'keys',
    text: `the unique index ${name} of ${tableName} does not have business_id`,
    mend: 'It is none of Crier: drop it.',
  }))
}

async function serviceLacks(db: Db, now: Date): Promise<Lack[]> {
  const pending = await pendingMigrations(db)
  if (pending.length > 0) {
    const text = `${pending.length} migrations are not applied`
    return [{ subject: 'migrations', text, mend: 'crier migrate' }]
  }
  const lacks: Lack[] = []
  const fillings = await db.all<{ name: string }>(
    sql`select name from backfills where ended_at is null order by name`,
  )
  for (const { name } of fillings) {
    lacks.push({
      subject: 'migrations',
      text: `a job of the service still fills a table for ${name}`,
      mend: 'Let the service run until /status no longer shows it.',
    })
  }
  const running = await db.all<{ host: string; role: string }>(sql`
    select host, role from nodes where stopped_at is null and seen_at > ${later(now, -minutes(1))}
    order by host, role
  `)
  for (const { host, role } of running) {
    lacks.push({
      subject: 'service',
      text: `the service runs on ${host} (${role})`,
      mend: 'Stop it on every node. While tables are on both sides it would be refused, and it must learn of the nodes at its start.',
    })
  }
  return lacks
}
