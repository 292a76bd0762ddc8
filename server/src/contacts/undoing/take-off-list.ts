/** What an import put on the list of suppressions goes from there, where nothing was said of it since. */

import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import {
  deleteHashes,
  deleteHashesBeside,
  deleteImported,
  hashesBeside,
  type Listed,
  restoreListed,
} from '../suppression/listed-queries.ts'

/** Of a contact whose address was found among the hashes of a list. */
const hashedSource = 'suppression.import'

export interface Imported {
  /** Address hashes that the import added. */
  marks: readonly Buffer[]
  /** SHA-256 that it added without an address. */
  hashes: readonly Buffer[]
  /** What the suppressions were that it made stricter. */
  former: readonly Listed[]
  source: string
}

export async function takeOffList(
  tx: Tx,
  businessId: Id<'business'>,
  { marks, hashes, former, source }: Imported,
): Promise<{ deleted: number; restored: number }> {
  const unhashed = hashes.length > 0 ? await deleteHashes(tx, businessId, hashes) : []
  // A contact was found that has the address: it is on the list by that as well.
  const all = [...marks, ...unhashed.flatMap(({ mark }) => mark ?? [])]
  const sources = [source, hashedSource]
  const deleted =
    all.length > 0 ? await deleteImported(tx, businessId, { marks: all, sources }) : []
  const gone = new Set(deleted.map(({ mark }) => mark.toString('hex')))
  const byAddress = marks.filter((mark) => gone.has(mark.toString('hex')))
  if (byAddress.length > 0) await deleteHashesBeside(tx, businessId, byAddress)
  const restored =
    former.length > 0 ? await restoreListed(tx, businessId, { rows: former, source }) : []
  return { deleted: byAddress.length + unhashed.length, restored: restored.length }
}

/** The SHA-256 that are kept beside suppressed addresses, each with the address hash. */
export async function hashesOf(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<{ sha256: Buffer; mark: Buffer }[]> {
  return marks.length > 0 ? hashesBeside(tx, businessId, marks) : []
}
