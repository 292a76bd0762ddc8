/**
 * A cluster of Citus that exists, named by CITUS_URL: a database of its coordinator where the extension
 * is created and the nodes are known, with a superuser. Tests then run on distributed databases.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { distribute } from 'crier-server/lib/citus/distribute.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import { migrate } from 'crier-server/lib/db/migrate.ts'
import pg from 'pg'
import { testRole } from './template.ts'

export const citusVariable = 'CITUS_URL'

interface Node {
  host: string
  port: number
}

/** The coordinator is the first one. */
async function nodesOf(url: string): Promise<Node[]> {
  return onNode({ connectionString: url }, async (client) => {
    const { rows } = await client.query<Node>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows
  })
}

async function onNode<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export interface CitusCluster {
  /** The superuser's connection to a database of the coordinator that tests do not change. */
  server: pg.ClientConfig
  create(name: string, template?: string): Promise<void>
  drop(name: string): Promise<void>
}

export async function citusCluster(url: string): Promise<CitusCluster> {
  const nodes = await nodesOf(url)
  const { host, port, user } = new pg.Client(url)
  const server = { host, port, user: user ?? '', database: 'postgres' }
  const everywhere = async (
    work: (client: pg.Client) => Promise<unknown>,
    database = 'postgres',
  ) => {
    for (const node of nodes) await onNode({ ...server, ...node, database }, work)
  }
  return {
    server,
    async create(name, template) {
      await everywhere((client) =>
        template === undefined
          ? client.query(`create database ${name} owner ${testRole}`)
          : copyDatabase(client, name, template),
      )
      if (template !== undefined) return
      await everywhere((client) => client.query('create extension citus'), name)
      await onNode({ ...server, database: name }, async (client) => {
        const [coordinator, ...workers] = nodes
        await client.query('select citus_set_coordinator_host($1, $2)', values(coordinator))
        for (const node of workers)
          await client.query('select citus_add_node($1, $2)', values(node))
      })
    },
    drop: (name) =>
      everywhere((client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

const values = (node: Node | undefined) => [node?.host, node?.port]

/** Also the identifiers of the tables stay the same, by which the metadata of Citus know them. */
async function copyDatabase(client: pg.Client, name: string, template: string): Promise<void> {
  await client.query(`alter database ${template} allow_connections false`)
  for (let attempt = 1; ; attempt++) {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [template],
    )
    try {
      await client.query(`create database ${name} owner ${testRole} template ${template}`)
      return
    } catch (error) {
      // A daemon of the extension may have connected again.
      if (attempt === 50) throw error
      await sleep(100)
    }
  }
}

/** Makes a template of which every table is distributed, unless an earlier run did. It stays. */
export async function distributedTemplate(cluster: CitusCluster, name: string): Promise<void> {
  if (await isComplete(cluster, name)) return
  await cluster.drop(name)
  await cluster.create(name)
  const connection = { ...cluster.server, user: testRole, database: name }
  await migrate(connection)
  const db = openDatabase({ connection, poolSize: 1 })
  await distribute(db, { shards: 8, lanes: [] })
  await db.end()
  await onNode(cluster.server, (client) =>
    client.query(`alter database ${name} connection limit ${complete}`),
  )
}

/** No such limit is otherwise in use: the sign that every table of a template is distributed. */
const complete = 47

const isComplete = (cluster: CitusCluster, name: string): Promise<boolean> =>
  onNode(cluster.server, async (client) => {
    const { rowCount } = await client.query(
      'select from pg_database where datname = $1 and datconnlimit = $2',
      [name, complete],
    )
    return rowCount === 1
  })
