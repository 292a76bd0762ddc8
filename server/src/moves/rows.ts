/** The rows of a business as the file of a move has them, table by table, and how they are compared. */
import { createHash } from 'node:crypto'
import type { Id } from '../core/ids.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import { type KeyedTable, keyedTables } from '../retention/business-rows.ts'
import { contextOf as keyContext } from '../sender-domains/keys/key-pair.ts'
import { contextOf as secretContext } from '../webhooks/model/secrets.ts'

/** What does not move: access, which a person gives anew, and what lasts for minutes or hours. */
export const tablesThatStay: Readonly<Record<string, string>> = {
  api_keys: 'access is given anew',
  connection_consents: 'access is given anew',
  factor_resets: 'of members, whose access is given anew',
  held_removals: 'of connections, which do not move',
  idempotency_keys: 'answers of the last 24 hours, to connections that do not move',
  identity_providers: 'access is given anew',
  invitations: 'access is given anew',
  jobs: 'the import queues what has to go on',
  key_recipients: 'counts of keys, which do not move',
  lanes: 'of jobs, which do not move',
  last_saves: 'by connections and sessions, which do not move',
  mandate_orders: 'of mandates, which do not move',
  mandates: 'of connections, which do not move',
  memberships: 'access is given anew',
  ownership_offers: 'of members, whose access is given anew',
  provider_domains: 'their proofs name the installation',
  recent_messages: 'hashes of two minutes',
  removed_members: 'of members, whose access is given anew',
  retention_runs: 'the next night begins anew',
  sending_stops: 'of connections; the import stops all sending itself',
  unapproved_reach: 'counts of the last 24 hours, of connections',
  unapproved_reach_buckets: 'counts of the last 24 hours, of connections',
}

export interface MovedTable extends KeyedTable {
  /** Without generated columns, quoted. */
  columns: string[]
}

export async function tablesThatMove(db: Db): Promise<MovedTable[]> {
  const columns = await db.all<{ name: string; columns: string[] }>(sql`
    select c.oid::regclass::text as name,
      array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attgenerated = ''
    group by c.oid
  `)
  const byName = new Map(columns.map((table) => [table.name, table.columns]))
  const tables = await keyedTables(db)
  return tables
    .filter(({ name }) => !(name in tablesThatStay))
    .map((table) => ({ ...table, columns: byName.get(table.name) ?? [] }))
    .toSorted((a, b) => orderOf(a) - orderOf(b))
}

/** Webhooks come before their secrets, which name them by a foreign key. */
const orderOf = ({ name }: KeyedTable) => (name === 'webhook_secrets' ? 1 : 0)

const rowsPerPage = 500

/** Rows as JSON text, in pages, in the order of the key. The time zone must be UTC. */
export function rowsOf(
  tx: Tx,
  table: MovedTable,
  businessId: Id<'business'>,
): AsyncGenerator<string[]> {
  let after: string[] | null = null
  return readAhead(async () => {
    const page: { row: string; key: string[] }[] = await tx.all(
      pageOf(table, { businessId, after }),
    )
    after = page.at(-1)?.key ?? null
    return page.map(({ row }) => row)
  })
}

/**
 * The same rows in no order, by one pass of a cursor. Rows that this transaction wrote are not in the
 * planner's statistics yet: it would sort all that are left for each page of an ordered reading.
 */
export async function* unorderedRows(
  tx: Tx,
  { name, columns }: MovedTable,
  businessId: Id<'business'>,
): AsyncGenerator<string[]> {
  const text = `declare moved_rows no scroll cursor for select row_to_json(r)::text as row
    from ${name} t cross join lateral (select ${columns.map((column) => `t.${column}`).join(', ')}) r
    where t.business_id = $1`
  await tx.run({ name: '', text, values: [businessId] })
  const fetching = { name: '', text: `fetch ${rowsPerPage} from moved_rows`, values: [] }
  yield* readAhead(async () => {
    const page = await tx.all<{ row: string }>(fetching)
    return page.map(({ row }) => row)
  })
  await tx.run({ name: '', text: 'close moved_rows', values: [] })
}

/** The database reads a page while the one before it is worked on. The first that is not full is the last. */
async function* readAhead(read: () => Promise<string[]>): AsyncGenerator<string[]> {
  let reading: Promise<string[]> | undefined = read()
  while (reading) {
    const page: string[] = await reading
    reading = page.length < rowsPerPage ? undefined : read()
    // It is awaited above, unless whoever reads the pages fails first.
    reading?.catch(() => undefined)
    if (page.length > 0) yield page
  }
}

/** Names come from the database's own catalogue, never from a caller. */
function pageOf(
  { name, key, columns }: MovedTable,
  { businessId, after }: { businessId: Id<'business'>; after: string[] | null },
): Sql {
  const keys = key.map(({ column }) => `t.${column}`).join(', ')
  const from = key.map(({ type }, index) => `($2::text[])[${index + 1}]::${type}`).join(', ')
  const text = `select row_to_json(r)::text as row,
      array[${key.map(({ column }) => `t.${column}::text`).join(', ')}]::text[] as key
    from ${name} t
    cross join lateral (select ${columns.map((column) => `t.${column}`).join(', ')}) r
    where t.business_id = $1 ${after ? `and (${keys}) > (${from})` : ''}
    ${keys === '' ? '' : `order by ${keys}`} limit ${rowsPerPage}`
  return { name: '', text, values: [businessId, ...(after ? [after] : [])] }
}

/** Inserts a page of rows. */
export function insertRows(
  tx: Tx,
  { name, columns }: Pick<MovedTable, 'name' | 'columns'>,
  rows: readonly string[],
): Promise<number> {
  const list = columns.join(', ')
  const text = `insert into ${name} (${list})
    select ${list} from json_populate_recordset(null::${name}, $1::json)`
  return tx.run({ name: '', text, values: [`[${rows.join(',')}]`] })
}

/** Counts rows, and adds their hashes up, so that two sets are compared whatever their order. */
export class RowSum {
  rows = 0
  #sum = 0n

  add(rows: readonly string[]): void {
    for (const row of rows) {
      const hash = createHash('sha256').update(row).digest()
      this.#sum = BigInt.asUintN(
        128,
        this.#sum + hash.readBigUInt64BE() * 2n ** 64n + hash.readBigUInt64BE(8),
      )
      this.rows++
    }
  }

  get hash(): string {
    return this.#sum.toString(16).padStart(32, '0')
  }
}

/** Sealed columns by table, with the context of each. */
const sealedColumns: Readonly<
  Record<string, Record<string, (row: Record<string, unknown>) => string>>
> = {
  domain_keys: {
    rsa_private: ({ domain_id, slot }) => keyContext(String(domain_id), Number(slot), 'rsa-sha256'),
    ed25519_private: ({ domain_id, slot }) =>
      keyContext(String(domain_id), Number(slot), 'ed25519-sha256'),
  },
  webhook_secrets: {
    sealed: ({ webhook_id, version }) =>
      secretContext({ webhookId: String(webhook_id) as Id<'webhook'>, version: Number(version) }),
  },
}

/** Opens what the installation sealed. The file is sealed as a whole. */
export const withoutSeals = (vault: Vault, table: string, rows: string[]): string[] =>
  changed(table, rows, (context, bytes) => vault.open(context, bytes))

/** Seals it again, with the secret of this installation. */
export const withSeals = (vault: Vault, table: string, rows: string[]): string[] =>
  changed(table, rows, (context, bytes) => vault.seal(context, bytes))

function changed(
  table: string,
  rows: string[],
  change: (context: string, bytes: Buffer) => Buffer,
): string[] {
  const columns = sealedColumns[table]
  if (!columns) return rows
  return rows.map((text) => {
    const row = JSON.parse(text) as Record<string, unknown>
    for (const [column, contextOf] of Object.entries(columns)) {
      const hex = row[column]
      if (typeof hex !== 'string') continue
      const bytes = change(contextOf(row), Buffer.from(hex.slice(2), 'hex'))
      row[column] = `\\x${bytes.toString('hex')}`
    }
    return JSON.stringify(row)
  })
}
