import { Readable } from 'node:stream'
import { refuse } from '../core/errors.ts'
import { type Id, newId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { Type } from '../lib/schema/schema.ts'
import { inUnits } from '../lib/text/byte-units.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import { hours, later } from '../lib/time/clock.ts'
import {
  beginUpload,
  callIdOf,
  countInStates,
  findImport,
  findSameFile,
  type Import,
  type ImportFacility,
  importJob,
  importLimits,
  insertImport,
  noCounts,
} from './import.ts'
import { importKinds } from './plan.ts'
import { storeFile, uploadKey } from './upload.ts'
import { fieldsOf, importFields, sameFile, sameFileFields } from './view.ts'

export function importCreate(facility: ImportFacility) {
  return operation({
    name: 'import.create',
    title: 'Begin an import of a file',
    area: 'contacts',
    summary:
      'Import CSV: as text (csv, 1 MB at most), or a file (1 GB at most) sent by PUT to the address that it gives. It is checked and nothing is saved: see import.get.',
    reach: 'business',
    scope: 'audience:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'POST /v1/imports',
    status: 201,
    file: fileTypes,
    // Each byte of the text may be escaped, and a little stands around it.
    bodyBytes: importLimits.textBytes * 2 + 64 * 1024,
    input: {
      file_name: Type.Optional(Type.String({ minLength: 1, maxLength: importLimits.fileName })),
      csv: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: importLimits.textBytes,
          description: 'The whole file as text, its first line the headings.',
        }),
      ),
      kind: Type.Optional(Type.Enum(importKinds)),
    },
    output: Type.Object({
      ...importFields,
      ...sameFileFields,
      upload_url: Type.Optional(Type.String()),
      upload_until: Type.Optional(Type.String({ description: 'ISO 8601, UTC.' })),
    }),

    async run(context, { file_name, csv, kind = 'contacts' }) {
      const { business, file = csv === undefined ? undefined : textFile(csv) } = context
      if (context.file && csv !== undefined) {
        const text = 'The call has a file already: leave out csv.'
        throw refuse('invalid_request', text, { field: 'csv', data: { reason: 'one_of' } })
      }
      if (csv === undefined && file_name === undefined) {
        const text = 'Pass the file as text in csv, or the file_name of a file that you send.'
        throw refuse('invalid_request', text, { field: 'file_name', data: { reason: 'missing' } })
      }
      const fileName = singleLine(file_name ?? 'pasted.csv')
      if (!isSingleLine(fileName)) {
        const text = 'file_name must be one line of text.'
        throw refuse('invalid_request', text, { field: 'file_name', data: { reason: 'one_line' } })
      }
      const begun = await context.write((tx) => begin(tx, context, { fileName, kind }))
      const { id } = begun
      return file
        ? withFile(facility, context, { id, file })
        : withAddress(facility, context, { businessId: business.id, id })
    },
  })
}

/** What was pasted, as a file that arrives in one piece. */
function textFile(csv: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(csv)
  if (bytes.length <= importLimits.textBytes) return Readable.from([bytes])
  const text = `csv takes ${inUnits(importLimits.textBytes)}, and this is ${inUnits(bytes.length)}: leave it out, and send the file to the upload_url of the answer.`
  throw refuse('too_large', text, {
    field: 'csv',
    data: { reason: 'pasted_too_large', limit: importLimits.textBytes },
  })
}

async function begin(
  tx: Tx,
  { business, now, origin }: BusinessContext,
  file: Pick<Import, 'fileName' | 'kind'>,
): Promise<{ id: Id<'import'> }> {
  const { n } = await countInStates(tx, business.id, ['awaiting_file'])
  if (n >= importLimits.awaiting) {
    const text = `${n} imports of this business wait for their file, which is the most: send it, or cancel some of them.`
    throw refuse('conflict', text, {
      fix: { tool: 'import.list', arguments: {} },
      data: { reason: 'too_many_imports', limit: importLimits.awaiting },
    })
  }
  const id = newId('import')
  await insertImport(tx, business.id, newImport(id, { ...file, origin, now }))
  const dueAt = later(now, hours(importLimits.uploadHours))
  await enqueue(tx, [importJob('expire', { businessId: business.id, id, dueAt })], now)
  return { id }
}

function newImport(
  id: Id<'import'>,
  {
    fileName,
    kind,
    origin,
    now,
  }: Pick<BusinessContext, 'origin' | 'now'> & Pick<Import, 'fileName' | 'kind'>,
): Import {
  return {
    id,
    state: 'awaiting_file',
    kind,
    fileName,
    uploads: 0,
    bytes: null,
    sha256: null,
    hasFile: false,
    text: null,
    layout: null,
    choices: null,
    found: null,
    nextByte: 0,
    nextRow: 0,
    counts: noCounts,
    workedMs: 0,
    fault: null,
    userId: origin.userId ?? null,
    connectionId: origin.connectionId,
    callId: callIdOf(origin),
    createdAt: now,
    startedAt: null,
    finishedAt: null,
  }
}

async function withAddress(
  { gatewayUrl, db }: ImportFacility,
  { hmac }: BusinessContext,
  key: { businessId: Id<'business'>; id: Id<'import'> },
) {
  const importRow = await stored(db, key.businessId, key.id)
  const until = later(importRow.createdAt, hours(importLimits.uploadHours))
  return {
    ...fieldsOf(importRow, { whole: false }),
    upload_url: `${gatewayUrl}/v1/imports/files/${uploadKey(hmac, key)}`,
    upload_until: until.toISOString(),
  }
}

async function withFile(
  facility: ImportFacility,
  { business, now }: BusinessContext,
  { id, file }: { id: Id<'import'>; file: AsyncIterable<Uint8Array> },
) {
  const { db } = facility
  const since = later(now, -hours(importLimits.uploadHours))
  const upload = await beginUpload(db, business.id, { id, since })
  // The call was repeated under its idempotency key, and the file has arrived already.
  if (!upload) return fieldsOf(await stored(db, business.id, id), { whole: false })
  const importRow = await storeFile(facility, { ...upload, businessId: business.id }, file)
  const { sha256 } = importRow
  const same = sha256 && (await findSameFile(db, business.id, { id, sha256 }))
  return { ...fieldsOf(importRow, { whole: false }), ...sameFile(same) }
}

async function stored(db: Db, businessId: Id<'business'>, id: Id<'import'>): Promise<Import> {
  const importRow = await findImport(db, businessId, id)
  if (!importRow) throw new Error('an import is gone that was just made')
  return importRow
}

/** Media types under which browsers and programs send CSV files. */
const fileTypes = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/csv',
  'application/vnd.ms-excel',
  'application/octet-stream',
] as const
