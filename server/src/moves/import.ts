/**
 * Takes a business over from the file of another installation, in one transaction: all of it is
 * there, equal by counts and hashes, or nothing is. It arrives closed. When every node was started
 * again, so that each has its keys, the operator opens it; until then nobody reaches it.
 */
import path from 'node:path'
import { Readable } from 'node:stream'
import { markClosed } from '../accounts/businesses/closing.ts'
import { addMember } from '../accounts/businesses/memberships.ts'
import { ensureUser } from '../accounts/sign-in/sign-up.ts'
import { formatId, type Id } from '../core/ids.ts'
import { saveMovedKeys } from '../core/installation/moved-keys.ts'
import { pathOf, readAddress } from '../images/image.ts'
import { sql } from '../lib/db/db.ts'
import { lastMigration } from '../lib/db/migrate.ts'
import { StartError } from '../lib/db/start-error.ts'
import type { Tx } from '../lib/db/types.ts'
import { type MoveDeps, type Moved, type MoveFacts, type MovePart, plain } from './export.ts'
import {
  insertRows,
  type MovedTable,
  RowSum,
  tablesThatMove,
  unorderedRows,
  withoutSeals,
  withSeals,
} from './rows.ts'
import { type MoveRecord, readSealed } from './sealed-file.ts'

export interface Arrival extends MoveDeps {
  /** The address of its owner here, in place of members, who do not move. */
  owner: string
}

export function importBusiness(deps: Arrival, file: string): Promise<Moved> {
  return deps.db.tx(async (tx) => {
    await tx.run(plain("set local timezone to 'UTC'"))
    await tx.run(plain("set local bytea_output to 'hex'"))
    const records = readSealed(file, deps.passphrase)
    try {
      return await takeOver(tx, deps, records)
    } finally {
      await records.return(undefined)
    }
  })
}

async function takeOver(
  tx: Tx,
  deps: Arrival,
  records: AsyncGenerator<MoveRecord>,
): Promise<Moved> {
  const { vault, now, owner } = deps
  const { value: first } = await records.next()
  if (typeof first !== 'string') throw unexpected()
  const facts = JSON.parse(first) as MoveFacts
  const { business_id: id } = facts
  await refuseUnfit(tx, facts)
  await insertRows(tx, await businessTable(tx), [
    JSON.stringify({
      ...(JSON.parse(facts.business) as object),
      closed_at: null,
      // They are names of a file of the other machine.
      relay_transactional: null,
      relay_marketing: null,
    }),
  ])
  const moved: Moved = {
    business_id: formatId('business', id),
    name: facts.name,
    rows: 0,
    files: 0,
    tables: {},
  }
  await readParts(tx, deps, { id, records, moved })
  for (const { name, domain_id, degraded, claimed_at } of facts.claims) {
    await tx.run(sql`
      insert into domain_claims (name, domain_id, degraded, claimed_at)
      values (${name}, ${domain_id}, ${degraded}, ${claimed_at})
    `)
  }
  const keys = facts.keys.map(({ purpose, key }) => ({ purpose, key: Buffer.from(key, 'base64') }))
  await saveMovedKeys(tx, vault, { id, keys, now })
  await settleOpen(tx, id, now)
  const { user } = await ensureUser(tx, owner, now)
  await addMember(tx, id, { userId: user.id, role: 'owner', now })
  await markClosed(tx, { businessId: id, closedBy: null, keepsSuppressions: false, now })
  return moved
}

/** Everything that can be refused is refused before a row is written. */
async function refuseUnfit(tx: Tx, { business_id: id, schema, name, claims }: MoveFacts) {
  const own = await lastMigration(tx)
  if (schema !== own) {
    throw new StartError(
      `The file was exported with the migration ${schema}, and this installation has ${own}. Bring both to the same version, and export it again; nothing was imported.`,
    )
  }
  const existing = await tx.maybe(sql`select from businesses where id = ${id}`)
  if (existing) {
    throw new StartError(
      `The business ${name} (${formatId('business', id)}) is here already. Nothing was imported.`,
    )
  }
  const names = claims.map((claim) => claim.name)
  const taken = await tx.maybe<{ name: string }>(sql`
    select name from domain_claims where name = any (${names}::text[]) order by name limit 1
  `)
  if (!taken) return
  throw new StartError(
    `Another business of this installation has the domain ${taken.name}. Remove it there first; nothing was imported.`,
  )
}

async function businessTable(tx: Tx): Promise<Pick<MovedTable, 'name' | 'columns'>> {
  const rows = await tx.all<{ column: string }>(sql`
    select quote_ident(attname) as column from pg_attribute
    where attrelid = 'businesses'::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum
  `)
  return { name: 'businesses', columns: rows.map(({ column }) => column) }
}

interface Reading {
  id: Id<'business'>
  records: AsyncGenerator<MoveRecord>
  moved: Moved
}

async function readParts(tx: Tx, deps: Arrival, { id, records, moved }: Reading): Promise<void> {
  const tables = new Map((await tablesThatMove(tx)).map((table) => [table.name, table]))
  // The database writes a page while the next one is read from the file.
  let writing: Promise<unknown> = Promise.resolve()
  for (;;) {
    const { value: record, done } = await records.next()
    if (done || typeof record !== 'string') throw unexpected()
    const part = JSON.parse(record) as MovePart
    if (part.kind === 'end') break
    if (part.kind === 'file') await takeFile(deps, { part, records, moved })
    else if (part.kind === 'rows' || part.kind === 'sum') {
      const table = tables.get(part.table)
      if (!table) throw unexpected()
      await writing
      if (part.kind === 'rows') {
        writing = insertRows(tx, table, withSeals(deps.vault, table.name, part.rows))
        // It is awaited before the next part and at the end, unless the file fails first.
        writing.catch(() => undefined)
        deps.onProgress?.({ table: table.name, rows: part.rows.length })
      } else await compare(tx, deps, { id, table, part, moved })
    } else throw unexpected()
  }
  await writing
  // Nothing may follow, and the last frame says that it is the last.
  if (!(await records.next()).done) throw unexpected()
}

/** Reads what was written, as the export read it. */
async function compare(
  tx: Tx,
  { vault }: Arrival,
  {
    id,
    table,
    part,
    moved,
  }: Omit<Reading, 'records'> & { table: MovedTable; part: Extract<MovePart, { kind: 'sum' }> },
): Promise<void> {
  const sum = new RowSum()
  for await (const page of unorderedRows(tx, table, id))
    sum.add(withoutSeals(vault, table.name, page))
  if (sum.rows !== part.rows || sum.hash !== part.hash) {
    throw new StartError(
      `The rows of ${table.name} are not those of the export: ${sum.rows} of ${part.rows}. Nothing was imported.`,
    )
  }
  moved.tables[table.name] = { rows: sum.rows, hash: sum.hash }
  moved.rows += sum.rows
}

async function takeFile(
  { files }: Arrival,
  { part, records, moved }: Omit<Reading, 'id'> & { part: Extract<MovePart, { kind: 'file' }> },
): Promise<void> {
  let end: MovePart | undefined
  let bytes = 0
  const content = async function* () {
    for (;;) {
      const { value, done } = await records.next()
      if (done) throw unexpected()
      if (typeof value === 'string') {
        end = JSON.parse(value) as MovePart
        return
      }
      bytes += value.length
      yield value
    }
  }
  if (!isOfPicture(part.name)) throw unexpected()
  await files.write(part.name, Readable.from(content()))
  if (end?.kind !== 'file_end' || end.bytes !== bytes) throw unexpected()
  if (bytes > 0) moved.files++
  else await files.remove(part.name)
}

/** A file of another operator must not name any other path. */
function isOfPicture(name: string): boolean {
  const address = readAddress(path.posix.basename(name).replace('-', '.'))
  return address !== undefined && pathOf(address.file, address.kind) === name
}

/**
 * Jobs do not move, so nothing that waits there is sent from here by itself: open messages are
 * cancelled, and campaigns and automations stay paused until a person resumes them.
 */
async function settleOpen(tx: Tx, id: Id<'business'>, now: Date): Promise<void> {
  await tx.run(sql`
    update messages set updated_at = ${now},
      state = case when state = 'attempting' then 'unknown' else 'cancelled' end
    where business_id = ${id} and state in ('scheduled', 'queued', 'deferred', 'attempting')
  `)
  await tx.run(sql`
    update imports set state = 'cancelled'
    where business_id = ${id} and state in ('awaiting_file', 'checking', 'ready', 'running', 'paused')
  `)
  // The ledger takes what was written since it last looked.
  await tx.run(sql`update suppressions set written_at = ${now} where business_id = ${id}`)
}

const unexpected = () =>
  new StartError(
    'The file is not as an export writes it. Export the business again; nothing was imported.',
  )
