/** Stores an uploaded file and inspects it on the way. A job then checks it. */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Files } from '../../files/files.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { tooLarge } from '../model/faults.ts'
import { fileField, fileOf, type Import, importLimits } from '../model/import.ts'
import { importJob } from '../model/jobs.ts'
import { countInStates, lockImport, saveImport } from '../model/queries.ts'
import { type Inspected, inspector } from './inspect.ts'

export interface StoreDeps {
  db: Database
  clock: Clock
  files: Files
}

/** One of the uploads to an import. Each upload writes its own file. */
export interface Upload {
  businessId: Id<'business'>
  id: Id<'import'>
  uploads: number
}

/** Stores the file and queues the job that checks it. Returns the import. */
export async function storeFile(
  { db, clock, files }: StoreDeps,
  upload: Upload,
  source: AsyncIterable<Uint8Array>,
): Promise<Import | Refusal> {
  const { name } = fileOf(upload.businessId, upload)
  const look = inspector()
  const written = await writeInspected(files, { name, source, look })
  const now = clock.now()
  if (isRefusal(written)) {
    await db.tx((tx) => noteRefusal(tx, upload, { refusal: written, now }))
    return written
  }
  const stored = await db.tx((tx) => keep(tx, upload, { found: look.end(), now }))
  if (isRefusal(stored)) await files.remove(name)
  return stored
}

type Inspector = ReturnType<typeof inspector>

/** Nothing is stored of a file that is refused. */
async function writeInspected(
  files: Files,
  { name, source, look }: { name: string; source: AsyncIterable<Uint8Array>; look: Inspector },
): Promise<Refusal | undefined> {
  try {
    await files.write(name, inspected(source, look))
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** The import of a refused file is over, with the reason, unless another upload has begun since. */
async function noteRefusal(
  tx: Tx,
  { businessId, id, uploads }: Upload,
  { refusal, now }: { refusal: Refusal; now: Date },
): Promise<void> {
  const one = await lockImport(tx, businessId, id)
  if (one?.state !== 'awaiting_file' || one.uploads !== uploads) return
  const { code, message, details } = refusal
  const fault = { code, message, field: details.field ?? fileField }
  await saveImport(tx, businessId, { ...one, state: 'failed', fault, finishedAt: now })
}

async function keep(
  tx: Tx,
  { businessId, id, uploads }: Upload,
  { found, now }: { found: Inspected; now: Date },
): Promise<Import | Refusal> {
  const one = await lockImport(tx, businessId, id)
  if (one?.state !== 'awaiting_file' || one.uploads !== uploads) {
    const text = 'Another file was uploaded to this import, or it is over. Create another import.'
    return refuse('conflict', text)
  }
  const { n } = await countInStates(tx, businessId, ['checking', 'ready', 'running', 'paused'])
  if (n >= importLimits.withFile) {
    const text = `${n} imports of this business are not over, which is the most: confirm or cancel some of them.`
    return refuse('conflict', text, { fix: { tool: 'import.list', arguments: {} } })
  }
  const { bytes, sha256, encoding, markLength, isGuess } = found
  const text = { encoding, markLength, isGuess }
  const arrived = { ...one, bytes, sha256, startedAt: now, text }
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

const refuseFile = (message: string) => refuse('invalid_request', message, { field: fileField })
