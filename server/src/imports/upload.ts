/** Receives a file at the upload address of an import. Anyone who has the address may send it. */

import { isUtf8 } from 'node:buffer'
import { createHash, timingSafeEqual } from 'node:crypto'
import { isRefusal, orRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import type { Files } from '../files/files.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { type Clock, hours, later } from '../lib/time/clock.ts'
import { type Encoding, isUtf16, lineMeter, longestRecord, longRow, markOf } from './csv.ts'
import type { ErrorsLink } from './errors-csv.ts'
import {
  beginUpload,
  countInStates,
  fileField,
  fileOf,
  findImport,
  findSameFile,
  type Import,
  importJob,
  importLimits,
  lockImport,
  saveImport,
  tooLarge,
} from './import.ts'
import { fieldsOf, sameFile } from './view.ts'

export async function receiveFile(
  deps: StoreDeps & { hmac: Hmac },
  key: string,
  source: AsyncIterable<Uint8Array>,
): Promise<object> {
  const { db, clock, hmac } = deps
  const importKey = readUploadKey(hmac, key)
  if (!importKey) throw refuse('not_found', 'This upload address is unknown.')
  const { businessId, id } = importKey
  const since = later(clock.now(), -hours(importLimits.uploadHours))
  const upload = await beginUpload(db, businessId, { id, since })
  if (!upload) {
    const text =
      'This upload link is no longer valid: it was used already, or has expired. import.create gives a new one.'
    throw refuse('gone', text)
  }
  const importRow = await storeFile(deps, { ...upload, businessId }, source)
  const { sha256 } = importRow
  const same = sha256 && (await findSameFile(db, businessId, { id, sha256 }))
  return { ...fieldsOf(importRow, { whole: false }), ...sameFile(same ?? undefined) }
}

export function findImportOf(
  db: Db,
  { business_id, import_id }: ErrorsLink,
): Promise<Import | undefined> {
  return findImport(db, business_id, import_id)
}

interface ImportKey {
  businessId: Id<'business'>
  id: Id<'import'>
}

const proofOf = (hmac: Hmac, { businessId, id }: ImportKey) =>
  hmac('import-upload', `${businessId} ${id}`)

export function uploadKey(hmac: Hmac, key: ImportKey): string {
  const ids = `${formatId('business', key.businessId)}.${formatId('import', key.id)}`
  return `${ids}.${proofOf(hmac, key).toString('base64url')}`
}

export function readUploadKey(hmac: Hmac, key: string): ImportKey | undefined {
  const [business = '', upload = '', proof = '', ...rest] = key.split('.', 4)
  const [businessId, id] = [parseId('business', business), parseId('import', upload)]
  if (!businessId || !id || rest.length > 0) return undefined
  const expected = Buffer.from(proofOf(hmac, { businessId, id }).toString('base64url'))
  const received = Buffer.from(proof)
  return received.length === expected.length && timingSafeEqual(received, expected)
    ? { businessId, id }
    : undefined
}

interface StoreDeps {
  db: Database
  clock: Clock
  files: Files
}

/** One of the uploads to an import. Each upload writes its own file. */
interface Upload {
  businessId: Id<'business'>
  id: Id<'import'>
  uploads: number
}

/** Stores the file and queues the job that checks it. Returns the import. */
export async function storeFile(
  { db, clock, files }: StoreDeps,
  upload: Upload,
  source: AsyncIterable<Uint8Array>,
): Promise<Import> {
  const { name } = fileOf(upload.businessId, upload)
  const look = inspector()
  // Nothing is stored of a file that is refused.
  const unreadable = await orRefusal(() => files.write(name, inspected(source, look)))
  const now = clock.now()
  if (isRefusal(unreadable)) {
    await db.tx((tx) => noteRefusal(tx, upload, { refusal: unreadable, now }))
    throw unreadable
  }
  const stored = await orRefusal(() => db.tx((tx) => keep(tx, upload, { found: look.end(), now })))
  if (!isRefusal(stored)) return stored
  await files.remove(name)
  throw stored
}

type Inspector = ReturnType<typeof inspector>

/** The import of a refused file is over, with the reason, unless another upload has begun since. */
async function noteRefusal(
  tx: Tx,
  { businessId, id, uploads }: Upload,
  { refusal, now }: { refusal: Refusal; now: Date },
): Promise<void> {
  const importRow = await lockImport(tx, businessId, id)
  if (importRow?.state !== 'awaiting_file' || importRow.uploads !== uploads) return
  const { code, message, details } = refusal
  const fault = { code, message, field: details.field ?? fileField }
  await saveImport(tx, businessId, { ...importRow, state: 'failed', fault, finishedAt: now })
}

async function keep(
  tx: Tx,
  { businessId, id, uploads }: Upload,
  { found: inspection, now }: { found: Inspected; now: Date },
): Promise<Import> {
  const importRow = await lockImport(tx, businessId, id)
  if (importRow?.state !== 'awaiting_file' || importRow.uploads !== uploads) {
    const text = 'Another file was uploaded to this import, or it is over. Create another import.'
    throw refuse('conflict', text, { data: { reason: 'other_file' } })
  }
  const { n } = await countInStates(tx, businessId, ['checking', 'ready', 'running', 'paused'])
  if (n >= importLimits.withFile) {
    const text = `${n} imports of this business are not over, which is the most: confirm or cancel some of them.`
    throw refuse('conflict', text, {
      fix: { tool: 'import.list', arguments: {} },
      data: { reason: 'too_many_imports', limit: importLimits.withFile },
    })
  }
  const { bytes, sha256, encoding, markLength, isGuess } = inspection
  const text = { encoding, markLength, isGuess }
  const arrived = { ...importRow, bytes, sha256, startedAt: now, text }
  const checking: Import = { ...arrived, hasFile: true, state: 'checking' }
  await saveImport(tx, businessId, checking)
  await enqueue(tx, [importJob('check', { businessId, id })], now)
  return checking
}

/** Throws a refusal at the first byte that shows that the file cannot be taken. */
async function* inspected(source: AsyncIterable<Uint8Array>, look: Inspector) {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > importLimits.fileBytes) throw tooLarge()
    const fault = look.take(chunk)
    if (fault !== undefined) throw refuseFile(fault)
    yield chunk
  }
  if (bytes === 0) throw refuseFile('The file is empty. Upload one with a line for each person.')
}

const refuseFile = (message: string) =>
  refuse('invalid_request', message, { field: fileField, data: { reason: 'unreadable_file' } })

interface Inspected {
  bytes: number
  sha256: Buffer
  encoding: Encoding
  /** The length of the byte-order mark that declared the encoding. */
  markLength: number
  /** Neither a mark nor the bytes show the encoding. It may be another of the older ones. */
  isGuess: boolean
}

/**
 * Inspects the bytes of a file as they arrive: whether all of them are UTF-8, and whether they can
 * be lines of text at all. So no second read of the file is needed, and an upload that cannot be a
 * CSV file ends at the bytes that show it.
 */
function inspector() {
  const hash = createHash('sha256')
  let bytes = 0
  let start = Buffer.alloc(0)
  const lines = lineMeter()
  let isUtf8SoFar = true
  /** The first bytes of a character whose last bytes arrive with the next chunk. */
  let open: Uint8Array = new Uint8Array(0)

  const faultSoFar = (chunk: Uint8Array): string | undefined => {
    if (start.length < startLength) {
      start = Buffer.concat([start, chunk.subarray(0, startLength - start.length)])
    }
    const { encoding } = markOf(start) ?? { encoding: 'utf-8' }
    const isWide = isUtf16(encoding)
    const kind = isWide ? undefined : kindFault(start)
    if (kind !== undefined) return kind
    if (chunk.includes(0) && !isWide) return notText
    // No encoding shrinks by more than half when it becomes UTF-8, which the reader measures.
    return lines.take(chunk) > 2 * longestRecord ? longRow(lines.startOfLine()) : undefined
  }

  return {
    /** Returns why the file cannot be CSV, as soon as that is certain. */
    take(chunk: Uint8Array): string | undefined {
      const fault = faultSoFar(chunk)
      if (fault !== undefined) return fault
      hash.update(chunk)
      bytes += chunk.length
      if (!isUtf8SoFar) return undefined
      const piece = open.length === 0 ? chunk : Buffer.concat([open, chunk])
      const whole = wholeCharacters(piece)
      isUtf8SoFar = isUtf8(piece.subarray(0, whole))
      open = Buffer.from(piece.subarray(whole))
      return undefined
    },

    end(): Inspected {
      const mark = markOf(start)
      const valid = isUtf8SoFar && open.length === 0
      const common = { bytes, sha256: hash.digest() }
      if (mark && (mark.encoding !== 'utf-8' || valid)) {
        return { ...common, encoding: mark.encoding, markLength: mark.length, isGuess: false }
      }
      const encoding = valid ? 'utf-8' : 'windows-1252'
      return { ...common, encoding, markLength: 0, isGuess: !valid }
    },
  }
}

const notText =
  'It holds NUL bytes, so it is no text, or UTF-16 without a byte order mark. Export it as CSV in UTF-8.'

/** The length of the bytes without an incomplete last character. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return back < length ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** What the file is, and what to upload instead. */
const kinds: readonly { starts: readonly string[]; fault: string }[] = [
  {
    starts: ['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'],
    fault:
      'It is a zip archive or an Excel workbook. Unpack it, or save the sheet as CSV, and upload that.',
  },
  {
    starts: ['\u00d0\u00cf\u0011\u00e0'],
    fault: 'It is an Excel workbook of the older kind. Save the sheet as CSV, and upload that.',
  },
  {
    starts: [
      '\u001f\u008b',
      'BZh',
      '\u00fd7zXZ',
      '7z\u00bc\u00af',
      'Rar!',
      '\u0028\u00b5\u002f\u00fd',
    ],
    fault: 'It is a compressed archive. Unpack it, and upload the CSV file in it.',
  },
  {
    starts: ['%PDF-', '{\\rtf'],
    fault: 'This is a document, not a table of contacts. Export the list as CSV, and upload that.',
  },
  {
    starts: ['BEGIN:VCARD'],
    fault: 'It is a file of contact cards (vCard). Export the contacts as CSV, and upload that.',
  },
  {
    starts: ['\u0089PNG', '\u00ff\u00d8\u00ff', 'GIF8'],
    fault: 'It is a picture. Export the list of people as CSV, and upload that.',
  },
]

/** The number of first bytes that decide it. */
const startLength = 16

function kindFault(start: Uint8Array): string | undefined {
  const text = Buffer.from(start).toString('latin1')
  return kinds.find(({ starts }) => starts.some((entry) => text.startsWith(entry)))?.fault
}
