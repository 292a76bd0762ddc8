/** Copies a database to an empty one of another server: the schema by migrations, then all rows. */

import type { EventEmitter } from 'node:events'
import type net from 'node:net'
import pg from 'pg'
import { openDatabase, sql } from '../db/db.ts'
import { migrate, pendingMigrations } from '../db/migrate.ts'
import { schemaText } from '../db/schema-text.ts'
import { StartError } from '../db/start-error.ts'
import type { Database } from '../db/types.ts'

export interface CopyProgress {
  rows: number
  ofRows: number
  bytes: number
  /** Milliseconds since the first row. */
  elapsed: number
}

export interface Copied {
  tables: number
  rows: number
}

interface Ends {
  /** A connection of a superuser to the database, on each server. */
  from: pg.ClientConfig
  to: pg.ClientConfig
  /** The service's own role, which owns the tables. */
  toAsOwner: pg.ClientConfig
  onProgress: (progress: CopyProgress) => void
}

/** Throws a StartError if the copy has another schema or other counts than the original. */
export async function copyDatabase({ from, to, toAsOwner, onProgress }: Ends): Promise<Copied> {
  const source = openDatabase({ connection: from, poolSize: 4 })
  const target = openDatabase({ connection: to, poolSize: 4 })
  try {
    await refuseOtherVersion(source)
    await migrate(toAsOwner)
    const owner = openDatabase({ connection: toAsOwner, poolSize: 1 })
    try {
      await makePartitions(source, owner)
    } finally {
      await owner.end()
    }
    refuseOtherSchema(await schemaText(source), await schemaText(target))
    const tables = await listTables(source)
    return await copyTables(tables, { from, to, onProgress })
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}

/** The schema of the copy is that of this version of Crier, so the original must have it too. */
async function refuseOtherVersion(source: Database): Promise<void> {
  const pending = await pendingMigrations(source)
  if (pending.length === 0) return
  throw new StartError(
    `The database lacks ${pending.length} migrations of this version. Run crier migrate first.`,
  )
}

function refuseOtherSchema(wanted: string, found: string): void {
  if (wanted === found) return
  const [there, here] = [new Set(wanted.split('\n')), new Set(found.split('\n'))]
  const differing =
    wanted.split('\n').find((line) => !here.has(line)) ??
    found.split('\n').find((line) => !there.has(line))
  throw new StartError(
    `The database holds something that the migrations of this version do not make: ${differing?.trim()}. Remove what was added by hand, or use the newer version of Crier that made it.`,
  )
}

async function makePartitions(source: Database, target: Database): Promise<void> {
  const partitions = await source.all<{ name: string; parent: string; bounds: string }>(sql`
    select quote_ident(child.relname) as name, quote_ident(parent.relname) as parent,
      pg_get_expr(child.relpartbound, child.oid) as bounds
    from pg_inherits
    join pg_class parent on parent.oid = inhparent and parent.relkind = 'p'
    join pg_class child on child.oid = inhrelid
    where child.relnamespace = 'public'::regnamespace
    order by child.relname
  `)
  for (const { name, parent, bounds } of partitions) {
    const { there } = await target.one<{ there: boolean }>(
      sql`select to_regclass(${name}) is not null as there`,
    )
    if (there) continue
    // Made as the service makes its partitions, so that indexes get the same names.
    await target.run(ddl(`create table ${name} (like ${parent} including all)`))
    await target.run(ddl(`alter table ${parent} attach partition ${name} ${bounds}`))
  }
}

const ddl = (text: string) => ({ name: '', text, values: [] })

function listTables(source: Database): Promise<CopiedTable[]> {
  return source.all<CopiedTable>(sql`
    select c.relname as name,
      array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attgenerated = '')
        as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.relname
    order by c.relname
  `)
}

const countOf = async (client: pg.Client, name: string): Promise<number> => {
  const text = `select count(*)::float8 as n from ${pg.escapeIdentifier(name)}`
  const { rows } = await client.query<{ n: number }>(text)
  return rows[0]?.n ?? 0
}

const truncateAll = `do $$ begin
  execute (select 'truncate ' || string_agg(oid::regclass::text, ', ') from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'));
end $$`

type RowEnds = Pick<Ends, 'from' | 'to' | 'onProgress'>

async function copyTables(
  tables: readonly CopiedTable[],
  { from, to, onProgress }: RowEnds,
): Promise<Copied> {
  const [source, target] = [new pg.Client(from), new pg.Client(to)]
  // The statement under way reports the error.
  for (const client of [source, target]) client.on('error', () => {})
  await source.connect()
  await target.connect()
  try {
    await source.query('begin isolation level repeatable read read only')
    // Rows arrive table by table: foreign keys are checked by nobody until all are there.
    await target.query('set session_replication_role = replica')
    // Migrations have written rows of their own.
    await target.query(truncateAll)
    const counts = new Map<string, number>()
    for (const { name } of tables) counts.set(name, await countOf(source, name))
    const ofRows = [...counts.values()].reduce((sum, n) => sum + n, 0)
    const began = performance.now()
    let [rows, bytes] = [0, 0]
    for (const table of tables) {
      await copyRows(source, target, table, (more, size) => {
        rows = Math.min(ofRows, rows + more)
        bytes += size
        onProgress({ rows, ofRows, bytes, elapsed: performance.now() - began })
      })
      const [wanted, found] = [counts.get(table.name), await countOf(target, table.name)]
      if (wanted === found) continue
      throw new StartError(
        `The copy of ${table.name} holds ${found} rows and the original ${wanted}: nothing was changed.`,
      )
    }
    onProgress({ rows: ofRows, ofRows, bytes, elapsed: performance.now() - began })
    await target.query('analyze')
    return { tables: tables.length, rows: ofRows }
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}

interface CopiedTable {
  name: string
  /** Quoted, without generated ones. */
  columns: readonly string[]
}

/**
 * Copies the rows of one table from one server to another, in PostgreSQL's binary form, which all
 * its versions read. The rows pass through this process in pieces; none is decoded.
 *
 * Returns the number of rows. `onRows` gets the rows and bytes since its last call.
 */
async function copyRows(
  from: pg.Client,
  to: pg.Client,
  { name, columns }: CopiedTable,
  onRows: (rows: number, bytes: number) => void,
): Promise<number> {
  const list = `${pg.escapeIdentifier(name)} (${columns.join(', ')})`
  const [source, target] = [socketOf(from), socketOf(to)]
  const reading = copyQuery(`copy ${list} to stdout (format binary)`)
  const writing = copyQuery(`copy ${list} from stdin (format binary)`)
  const begun = Promise.withResolvers<Writer>()
  writing.handleCopyInResponse = (writer) => begun.resolve(writer)
  const written = ended(writing)
  written.catch(begun.reject)
  to.query(writing as never)
  const writer = await begun.promise

  let pieces: Buffer[] = []
  let pendingBytes = 0
  const flush = () => {
    writer.sendCopyFromChunk(Buffer.concat(pieces, pendingBytes))
    onRows(pieces.length, pendingBytes)
    pieces = []
    pendingBytes = 0
    if (!target.writableNeedDrain || source.isPaused()) return
    // A target that is slower than the source makes the source wait.
    source.pause()
    target.once('drain', () => source.resume())
  }
  // The server sends one message for each row.
  reading.handleCopyData = ({ chunk }) => {
    // The driver reuses its buffer.
    pieces.push(Buffer.from(chunk))
    pendingBytes += chunk.length
    if (pendingBytes >= pieceBytes) flush()
  }
  const read = ended(reading)
  from.query(reading as never)
  await Promise.race([read, written])
  if (pendingBytes > 0) flush()
  writer.endCopyFrom()
  return written
}

const pieceBytes = 64 * 1024

interface Writer {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** The methods that the driver calls on a query but does not declare. */
interface CopyQuery extends EventEmitter {
  handleCopyInResponse(writer: Writer): void
  handleCopyData(message: { chunk: Buffer }): void
}

const copyQuery = (text: string) => new pg.Query(text) as unknown as CopyQuery

function ended(query: CopyQuery): Promise<number> {
  return new Promise((resolve, reject) => {
    query.once('end', (result: pg.QueryResult) => resolve(result.rowCount ?? 0))
    query.once('error', reject)
  })
}

const socketOf = (client: pg.Client) =>
  (client as unknown as { connection: { stream: net.Socket } }).connection.stream
