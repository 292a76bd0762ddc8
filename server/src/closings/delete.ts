/**
 * Deletes a closed business in batches, each a short transaction that also saves where it ended, so
 * that nobody waits for it and a killed process loses one batch at most.
 *
 * The first deletion leaves what its links and its number need to answer: the business's own row and
 * its domains. After further days these are removed as well. What stays is the closing itself, and
 * the suppressions if its owner asked for them.
 */
import {
  closingLimits,
  type DeletionPayload,
  deletionJob,
  findClosing,
} from '../accounts/businesses/closing.ts'
import { type Id, twinOf } from '../core/ids.ts'
import { deleteMovedKeys } from '../core/installation/moved-keys.ts'
import type { Files } from '../files/files.ts'
import { filesToRemove } from '../images/jobs.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Sql, Tx } from '../lib/db/types.ts'
import type { Job, Verdict } from '../lib/jobs/job.ts'
import { type Clock, days, later } from '../lib/time/clock.ts'
import {
  deleteInbox,
  deleteJobs,
  deleteLanes,
  type KeyedTable,
  keyedTables,
} from '../retention/business-rows.ts'
import { closingMailJob, queueClosingMails } from './mail.ts'

export interface DeletionDeps {
  db: Database
  clock: Clock
  files: Files
  /** Rows of a batch. The default is for a transaction of some hundredths of a second. */
  batchSize?: number
}

const ownJobs = [deletionJob, closingMailJob]

const defaultBatchSize = 500
/** Batches of one turn of the job, after which others that wait have theirs. */
const batchesPerTurn = 20

/** What the addresses of its links need until they end. */
export const tablesOfAnswers = ['domain_keys', 'domains']
/** What is kept where the owner asked for it: hashes of addresses, and nothing that names a person. */
export const tablesOfSuppressions = ['suppressed_hashes', 'suppressions']

export async function runDeletion(deps: DeletionDeps, { payload }: Job): Promise<Verdict> {
  const { business_id: id } = payload as DeletionPayload
  const closing = await findClosing(deps.db, id)
  const now = deps.clock.now()
  if (!closing || closing.reopenedAt || closing.removedAt) return { outcome: 'done' }
  if (!closing.deletedAt) {
    if (closing.deleteAt > now) return { outcome: 'again', at: closing.deleteAt }
    if (!closing.deletionBeganAt && !(await begin(deps, id))) return { outcome: 'done' }
    return (await deleteSome(deps, id, 'deletion'))
      ? { outcome: 'again', at: now }
      : { outcome: 'again', at: later(now, days(closingLimits.daysOfAnswers)) }
  }
  const removeAt = later(closing.deletedAt, days(closingLimits.daysOfAnswers))
  if (removeAt > now) return { outcome: 'again', at: removeAt }
  return (await deleteSome(deps, id, 'removal'))
    ? { outcome: 'again', at: now }
    : { outcome: 'done' }
}

/** From now on it cannot be taken back. Files and what has no key of the business go first. */
async function begin({ db, clock, files }: DeletionDeps, id: Id<'business'>): Promise<boolean> {
  const both = [twinOf(id), id]
  const removeImages = await filesToRemove(db, files, both)
  const imports = await importFiles(db, id)
  const began = await db.tx(async (tx) => {
    const changed = await tx.run(sql`
      update business_closings set deletion_began_at = ${clock.now()}
      where id = ${id} and reopened_at is null and deletion_began_at is null
    `)
    if (changed === 0) return false
    for (const businessId of both) await deleteJobs(tx, businessId, ownJobs)
    await deleteInbox(tx, both)
    await deleteKeys(tx, id)
    return true
  })
  if (!began) return false
  await removeImages()
  for (const name of imports) await files.remove(name)
  return true
}

async function importFiles(db: Db, id: Id<'business'>): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select 'imports/' || business_id || '/' || id || '-' || uploads as name from imports
    where business_id = ${id} and uploads > 0
  `)
  return rows.map(({ name }) => name)
}

/** The connections of API keys, which are rows of the business alone. */
async function deleteKeys(tx: Tx, id: Id<'business'>): Promise<void> {
  const keys = await tx.all<{ id: Id<'connection'> }>(sql`
    delete from api_keys where business_id = ${id} returning id
  `)
  await tx.run(sql`
    delete from connections where id = any (${keys.map((key) => key.id)}::uuid[])
  `)
}

type Step = 'deletion' | 'removal'

interface Position {
  step: Step
  /** 0: the twin with the test data; 1: the business. */
  of: number
  table: string
  /** The key of the last deleted row, without the business. */
  after: string[] | null
}

/** Deletes some batches. Returns whether more is left. */
async function deleteSome(deps: DeletionDeps, id: Id<'business'>, step: Step): Promise<boolean> {
  const tables = await tablesOfStep(deps.db, id, step)
  for (let batch = 0; batch < batchesPerTurn; batch++) {
    if (!(await deps.db.tx((tx) => deleteBatch(tx, deps, { id, step, tables })))) return false
  }
  return true
}

interface Turn {
  id: Id<'business'>
  step: Step
  tables: readonly KeyedTable[]
}

async function deleteBatch(tx: Tx, deps: DeletionDeps, { id, step, tables }: Turn) {
  const { batchSize = defaultBatchSize } = deps
  const row = await tx.maybe<{ position: Position | null }>(sql`
    select position from business_closings where id = ${id} for update
  `)
  if (!row) return false
  const [first] = tables
  const saved = row.position?.step === step ? row.position : undefined
  const position = saved ?? (first && { step, of: 0, table: first.name, after: null })
  if (!position) return false
  const index = tables.findIndex(({ name }) => name >= position.table)
  const table = tables[index]
  if (!table) return nextBusiness(tx, deps, { id, step, position, tables })
  const businessId = position.of === 0 ? twinOf(id) : id
  const after = table.name === position.table ? position.after : null
  const { count, last } = await tx.one<{ count: number; last: string[] | null }>(
    deletion(table, { businessId, after, size: batchSize }),
  )
  // A table is read once more from its beginning, for rows that came while it was emptied.
  const again = last ?? (after === null ? undefined : null)
  const next: Position =
    again === undefined
      ? { ...position, table: tables[index + 1]?.name ?? '~', after: null }
      : { ...position, table: table.name, after: again }
  await savePosition(tx, id, { position: next, table: table.name, count })
  return true
}

async function nextBusiness(
  tx: Tx,
  { clock }: DeletionDeps,
  { id, step, position, tables }: Turn & { position: Position },
): Promise<boolean> {
  const [first] = tables
  if (position.of === 0 && first) {
    const next = { step, of: 1, table: first.name, after: null }
    await savePosition(tx, id, { position: next, table: '', count: 0 })
    return true
  }
  const now = clock.now()
  for (const businessId of [twinOf(id), id]) await deleteJobs(tx, businessId, ownJobs)
  if (step === 'deletion') {
    await tx.run(sql`
      update business_closings set deleted_at = ${now}, position = null where id = ${id}
    `)
    const closing = await findClosing(tx, id)
    if (closing) await queueClosingMails(tx, closing, { event: 'deleted', now })
    return false
  }
  await deleteMovedKeys(tx, id)
  for (const businessId of [twinOf(id), id]) {
    await deleteLanes(tx, businessId)
    await tx.run(sql`delete from businesses where id = ${businessId}`)
  }
  await tx.run(sql`
    update business_closings set removed_at = ${now}, position = null where id = ${id}
  `)
  return false
}

interface Batch {
  position: Position
  table: string
  count: number
}

function savePosition(
  tx: Tx,
  id: Id<'business'>,
  { position, table, count }: Batch,
): Promise<number> {
  return tx.run(sql`
    update business_closings set position = ${JSON.stringify(position)}::jsonb,
      deleted = case when ${count}::bigint = 0 then deleted else deleted || jsonb_build_object(
        ${table}::text, coalesce((deleted ->> ${table})::bigint, 0) + ${count}::bigint) end
    where id = ${id}
  `)
}

/** The tables that a step empties, by name. */
async function tablesOfStep(db: Db, id: Id<'business'>, step: Step): Promise<KeyedTable[]> {
  const closing = await findClosing(db, id)
  const exceptions = [
    ...(closing?.keepsSuppressions ? tablesOfSuppressions : []),
    ...(step === 'deletion' ? tablesOfAnswers : []),
  ]
  const tables = await keyedTables(db)
  return tables.filter(({ name }) => !exceptions.includes(name))
}

interface BatchOfRows {
  businessId: Id<'business'>
  after: string[] | null
  size: number
}

/** Names come from the database's own catalogue, never from a caller. */
function deletion({ name, key }: KeyedTable, { businessId, after, size }: BatchOfRows): Sql {
  if (key.length === 0) {
    const text = `with gone as (delete from ${name} where business_id = $1 returning 1)
      select count(*)::int as count, null::text[] as last from gone`
    return { name: '', text, values: [businessId] }
  }
  const columns = key.map(({ column }) => column).join(', ')
  const from = key.map(({ type }, index) => `($3::text[])[${index + 1}]::${type}`).join(', ')
  const same = key.map(({ column }) => `t.${column} = batch.${column}`).join(' and ')
  const newest = key.map(({ column }) => `${column} desc`).join(', ')
  const values = key.map(({ column }) => `${column}::text`).join(', ')
  const text = `with batch as (
      select ${columns} from ${name} where business_id = $1
        ${after ? `and (${columns}) > (${from})` : ''}
      order by ${columns} limit $2
    ), gone as (
      delete from ${name} t using batch where t.business_id = $1 and ${same} returning 1
    )
    select (select count(*) from gone)::int as count,
      (select array[${values}] from batch order by ${newest} limit 1) as last`
  return { name: '', text, values: [businessId, size, ...(after ? [after] : [])] }
}
