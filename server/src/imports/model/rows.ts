/** Finds and locks imports for callers and jobs, and every statement on their rows alone. */

import { type Id, parseId } from '../../core/ids.ts'
import type { BusinessContext, Locate, Tier } from '../../core/operation.ts'
import { highestId, type Page } from '../../core/paging.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Choices, ImportKind } from '../mapping/plan.ts'
import type { Import, ImportState } from './import.ts'
import { noSuchImport } from './view.ts'

/** Finds the business that has the import `imp_…`. */
export const byImport: Locate = async (db, businesses, text) => {
  const id = parseId('import', text)
  return id && (await findImportOwner(db, businesses, id))?.businessId
}

export async function importOf(
  { db, business }: BusinessContext,
  importId: string,
): Promise<Import> {
  const id = parseId('import', importId)
  const importRow = id && (await findImport(db, business.id, id))
  if (!importRow) throw noSuchImport(importId)
  return importRow
}

export async function steer<T>(
  context: BusinessContext,
  importId: string,
  change: (tx: Tx, importRow: RunningImport) => Promise<T>,
): Promise<T> {
  const existing = await importOf(context, importId)
  return context.write(async (tx) => {
    const importRow = await lockImport(tx, context.business.id, existing.id)
    if (importRow) return change(tx, importRow)
    throw noSuchImport(importId)
  })
}

const wholeImport = sql`
  i.id, i.state, i.kind, i.file_name as "fileName", i.uploads, i.bytes, i.sha256,
  i.has_file as "hasFile", i.text, i.layout, i.choices, i.found, i.next_byte as "nextByte", i.next_row as "nextRow", i.counts,
  i.worked_ms as "workedMs", i.fault, i.user_id as "userId", i.connection_id as "connectionId",
  i.call_id as "callId", i.created_at as "createdAt", i.started_at as "startedAt",
  i.finished_at as "finishedAt"
`

const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value))

export function insertImport(
  tx: Tx,
  businessId: Id<'business'>,
  importRow: Import,
): Promise<number> {
  return tx.run(sql`
    insert into imports (business_id, id, state, kind, file_name, uploads, has_file,
      next_byte, next_row, counts, worked_ms, user_id, connection_id, call_id, created_at)
    values (${businessId}, ${importRow.id}, ${importRow.state}, ${importRow.kind}, ${importRow.fileName}, ${importRow.uploads}, false,
      0, 0,
      ${JSON.stringify(importRow.counts)}, 0, ${importRow.userId}, ${importRow.connectionId}, ${importRow.callId},
      ${importRow.createdAt})
  `)
}

export function findImport(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<Import | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeImport} from imports i where i.business_id = ${businessId} and i.id = ${id}
  `)
}

export type RunningImport = Import & { tier: Tier; businessName: string }

/** Locks the row, so that no other worker or caller changes the import at the same time. */
export function lockImport(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<RunningImport | undefined> {
  return tx.maybe(sqlWithin`
    select ${wholeImport}, b.tier, b.name as "businessName"
    from imports i join businesses b on b.id = i.business_id
    where i.business_id = ${businessId} and i.id = ${id}
    for no key update of i
  `)
}

export function saveImport(tx: Tx, businessId: Id<'business'>, importRow: Import): Promise<number> {
  return tx.run(sql`
    update imports set state = ${importRow.state}, bytes = ${importRow.bytes}, sha256 = ${importRow.sha256},
      has_file = ${importRow.hasFile}, text = ${jsonOrNull(importRow.text)},
      layout = ${jsonOrNull(importRow.layout)}, choices = ${jsonOrNull(importRow.choices)}, found = ${jsonOrNull(importRow.found)},
      next_byte = ${importRow.nextByte}, next_row = ${importRow.nextRow},
      counts = ${JSON.stringify(importRow.counts)}, worked_ms = ${importRow.workedMs},
      fault = ${jsonOrNull(importRow.fault)}, user_id = ${importRow.userId},
      connection_id = ${importRow.connectionId}, call_id = ${importRow.callId},
      started_at = ${importRow.startedAt}, finished_at = ${importRow.finishedAt}
    where business_id = ${businessId} and id = ${importRow.id}
  `)
}

/** Begins an upload if the import waits for a file. */
export function beginUpload(
  db: Db,
  businessId: Id<'business'>,
  { id, since }: { id: Id<'import'>; since: Date },
): Promise<{ id: Id<'import'>; uploads: number } | undefined> {
  return db.maybe(sql`
    update imports set uploads = uploads + 1
    where business_id = ${businessId} and id = ${id} and state = 'awaiting_file'
      and created_at > ${since}
    returning id, uploads
  `)
}

export function listImports(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: Page<'import'>,
): Promise<Import[]> {
  return db.all(sqlWithin`
    select ${wholeImport} from imports i
    where i.business_id = ${businessId} and i.id < ${before ?? highestId}
    order by i.id desc limit ${limit}
  `)
}

export function countInStates(
  db: Db,
  businessId: Id<'business'>,
  states: readonly ImportState[],
): Promise<{ n: number }> {
  return db.one(sql`
    select count(*) as n from imports
    where business_id = ${businessId} and state = any(${states}::text[])
  `)
}

/** Finds an earlier import of exactly the same file. */
export function findSameFile(
  db: Db,
  businessId: Id<'business'>,
  { id, sha256 }: { id: Id<'import'>; sha256: Buffer },
): Promise<{ id: Id<'import'>; createdAt: Date; state: ImportState } | undefined> {
  return db.maybe(sql`
    select id, created_at as "createdAt", state from imports
    where business_id = ${businessId} and sha256 = ${sha256} and id < ${id}
      and state in ('running', 'paused', 'done', 'undoing', 'undone')
    order by id desc limit 1
  `)
}

/** Imports among which one with the same headings is looked for. */
const lookedBack = 200

/** What was chosen for the last imported file with exactly these headings. */
export function findLastChoices(
  db: Db,
  businessId: Id<'business'>,
  { kind, columns }: { kind: ImportKind; columns: readonly string[] },
): Promise<{ choices: Choices } | undefined> {
  return db.maybe(sql`
    select choices from (
      select id, choices, layout from imports
      where business_id = ${businessId} and kind = ${kind} and started_at is not null
        and state in ('running', 'paused', 'done', 'undoing', 'undone')
      order by id desc limit ${lookedBack}
    ) latest
    where (layout->'columns')::text = ${JSON.stringify(columns)}
      and layout->>'hasHeader' = 'true' and choices is not null
    order by id desc limit 1
  `)
}

/** Finds the imports of the business whose file is stored. */
export function findWithFiles(db: Db, businessId: Id<'business'>): Promise<Import[]> {
  return db.all(sqlWithin`
    select ${wholeImport} from imports i
    where i.business_id = ${businessId} and i.has_file order by i.id
  `)
}

export function findImportOwner(
  db: Db,
  businesses: readonly Id<'business'>[],
  id: Id<'import'>,
): Promise<{ businessId: Id<'business'> } | undefined> {
  return db.maybe(sql`
    select business_id as "businessId" from imports
    where business_id = any(${businesses}::uuid[]) and id = ${id}
  `)
}
