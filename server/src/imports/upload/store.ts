/** Stores an uploaded file and inspects it on the way. A job then checks it. */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Files } from '../../files/files.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { fileOf, type Import, importLimits } from '../model/import.ts'
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
  try {
    await files.write(name, bounded(source, look.take))
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
  const now = clock.now()
  const found = look.end()
  const stored = await db.tx((tx) => keep(tx, upload, { found, now }))
  if (isRefusal(stored) || !stored.hasFile) await files.remove(name)
  return stored
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
  const { bytes, sha256, encoding, markLength, isGuess, fault } = found
  const common = { ...one, bytes, sha256, startedAt: now }
  if (fault !== undefined) {
    const failed: Import = {
      ...common,
      state: 'failed',
      fault: { code: 'invalid_request', message: fault },
      finishedAt: now,
    }
    await saveImport(tx, businessId, failed)
    return failed
  }
  const text = { encoding, markLength, isGuess }
  const checking: Import = { ...common, hasFile: true, state: 'checking', text }
  await saveImport(tx, businessId, checking)
  await enqueue(tx, [importJob('check', { businessId, id })], now)
  return checking
}

/** Throws a refusal as soon as the file exceeds the size limit. */
async function* bounded(source: AsyncIterable<Uint8Array>, take: (chunk: Uint8Array) => void) {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > importLimits.fileBytes) {
      const text = 'The file is larger than 1 GB. Split it, and import one part after the other.'
      throw refuse('too_large', text)
    }
    take(chunk)
    yield chunk
  }
}
