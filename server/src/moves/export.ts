/**
 * Writes everything of a business into one sealed file, from one snapshot, so that another
 * installation of the same version takes it over: its rows, its pictures, and the keys that check
 * its old links and hash its addresses.
 */
import { stopsOf } from '../accounts/stops/stops.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { readMovedKeys } from '../core/installation/moved-keys.ts'
import { FileMissing, type Files } from '../files/files.ts'
import { pathOf } from '../images/image.ts'
import { addressPurpose, type Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import { lastMigration } from '../lib/db/migrate.ts'
import { StartError } from '../lib/db/start-error.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { linkPurposes } from '../tracking/tokens.ts'
import { RowSum, rowsOf, tablesThatMove, withoutSeals } from './rows.ts'
import { type MoveRecord, writeSealed } from './sealed-file.ts'

/** The first record. */
export interface MoveFacts {
  kind: 'business'
  business_id: Id<'business'>
  name: string
  /** The last migration: only an installation with the same one has the same tables. */
  schema: string
  exported_at: string
  /** The row of the business, as JSON text. */
  business: string
  keys: { purpose: string; key: string }[]
  claims: { name: string; domain_id: string; degraded: boolean; claimed_at: string }[]
}

/** What follows it: the rows of a table in pages, then their sum; files in pieces; the end. */
export type MovePart =
  | { kind: 'rows'; table: string; rows: string[] }
  | { kind: 'sum'; table: string; rows: number; hash: string }
  | { kind: 'file'; name: string }
  | { kind: 'file_end'; bytes: number }
  | { kind: 'end'; rows: number }

export interface Moved {
  business_id: string
  name: string
  rows: number
  files: number
  tables: Record<string, { rows: number; hash: string }>
}

export interface MoveDeps {
  db: Database
  vault: Vault
  files: Files
  now: Date
  passphrase: string
  /** Told after each page. */
  onProgress?: (progress: { table: string; rows: number }) => void
}

export function exportBusiness(
  deps: MoveDeps,
  businessId: Id<'business'>,
  file: string,
): Promise<Moved> {
  return deps.db.tx(async (tx) => {
    await tx.run(plain('set transaction isolation level repeatable read, read only'))
    await tx.run(plain("set local timezone to 'UTC'"))
    await tx.run(plain("set local bytea_output to 'hex'"))
    const facts = await factsOf(tx, deps, businessId)
    const moved: Moved = {
      business_id: formatId('business', businessId),
      name: facts.name,
      rows: 0,
      files: 0,
      tables: {},
    }
    await writeSealed(file, deps.passphrase, recordsOf(tx, deps, { facts, moved }))
    return moved
  })
}

export const plain = (text: string) => ({ name: '', text, values: [] })

async function factsOf(db: Db, { vault, now }: MoveDeps, id: Id<'business'>): Promise<MoveFacts> {
  const found = await db.maybe<{ business: string; name: string; isTest: boolean }>(sql`
    select row_to_json(b)::text as business, name, test_of is not null as "isTest"
    from businesses b where id = ${id}
  `)
  if (!found || found.isTest) {
    const text = `There is no business ${formatId('business', id)}. See crier businesses list.`
    throw refuse('not_found', text, { field: 'business_id' })
  }
  const stops = await stopsOf(db, id)
  if (!stops.some(({ stoppedId }) => stoppedId === id)) throw sendsStill()
  const claims = await db.all<MoveFacts['claims'][number]>(sql`
    select c.name, c.domain_id, c.degraded, c.claimed_at from domain_claims c
    join domains d on d.business_id = ${id} and d.id = c.domain_id order by c.name
  `)
  return {
    kind: 'business',
    business_id: id,
    name: found.name,
    schema: await lastMigration(db),
    exported_at: now.toISOString(),
    business: found.business,
    keys: await keysOf(db, vault, id),
    claims,
  }
}

/** Otherwise both installations would send the same, or the copy would lack what is sent meanwhile. */
const sendsStill = () =>
  new StartError(
    'Stop all sending of the business first: in the app on the page Connections, or by crier businesses close.',
  )

/** Those of this installation, and of the ones before it. */
async function keysOf(db: Db, vault: Vault, id: Id<'business'>): Promise<MoveFacts['keys']> {
  const earlier = (await readMovedKeys(db, vault)).filter(({ businessId }) => businessId === id)
  const textOf = ({ purpose, key }: { purpose: string; key: Buffer }) => {
    return { purpose, key: key.toString('base64') }
  }
  const hashes = earlier.find(({ purpose }) => purpose === addressPurpose)
  const ofAddresses = hashes ?? { purpose: addressPurpose, key: vault.hmacKey(addressPurpose) }
  const ofLinks = linkPurposes.flatMap((purpose) => [
    { purpose, key: vault.hmacKey(purpose) },
    ...earlier.filter((key) => key.purpose === purpose),
  ])
  return [ofAddresses, ...ofLinks].map(textOf)
}

const pieceBytes = 1_000_000

async function* recordsOf(
  db: Tx,
  { vault, files, onProgress }: MoveDeps,
  { facts, moved }: { facts: MoveFacts; moved: Moved },
): AsyncGenerator<MoveRecord> {
  const { business_id: id } = facts
  yield JSON.stringify(facts)
  for (const table of await tablesThatMove(db)) {
    const sum = new RowSum()
    for await (const page of rowsOf(db, table, id)) {
      const rows = withoutSeals(vault, table.name, page)
      sum.add(rows)
      yield part({ kind: 'rows', table: table.name, rows })
      onProgress?.({ table: table.name, rows: sum.rows })
    }
    const { rows, hash } = sum
    yield part({ kind: 'sum', table: table.name, rows, hash })
    moved.tables[table.name] = { rows, hash }
    moved.rows += rows
  }
  const images = await db.all<{ file: string; kind: 'png' | 'jpeg' | 'gif' }>(sql`
    select file, kind from images where business_id = ${id} and deleted_at is null
  `)
  for (const { file, kind } of images) {
    const name = pathOf(file, kind)
    yield part({ kind: 'file', name })
    let bytes = 0
    try {
      for await (const chunk of files.read(name)) {
        for (let at = 0; at < chunk.length; at += pieceBytes) {
          yield Buffer.from(chunk.subarray(at, at + pieceBytes))
        }
        bytes += chunk.length
      }
      moved.files++
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error
    }
    yield part({ kind: 'file_end', bytes })
  }
  yield part({ kind: 'end', rows: moved.rows })
}

const part = (value: MovePart) => JSON.stringify(value)
