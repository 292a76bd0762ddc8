/**
 * What an import put on the list of suppressions goes from there. Where something else has named the
 * address since, as strictly or more mildly, that stays in its place: who said no stays no.
 */

import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import {
  deleteHashes,
  deleteHashesBeside,
  deleteImported,
  hashesBeside,
  type Listed,
  leaveBeside,
  leaveHashesBeside,
  restoreListed,
} from '../suppressions/listed-queries.ts'
import { hashedSource } from '../suppressions/suppression.ts'

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
  const byAddress = await takeOff(tx, businessId, { marks, sources: [source] })
  if (byAddress.length > 0) await deleteHashesBeside(tx, businessId, byAddress)
  // Of a contact that has the address of a hash, the suppression goes with the hash.
  const found = unhashed.flatMap(({ mark }) => mark ?? [])
  await takeOff(tx, businessId, { marks: found, sources: [source, hashedSource] })
  if (hashes.length > 0) await leaveHashesBeside(tx, businessId, hashes)
  const restored =
    former.length > 0 ? await restoreListed(tx, businessId, { rows: former, source }) : []
  return { deleted: byAddress.length + unhashed.length, restored: restored.length }
}

async function takeOff(
  tx: Tx,
  businessId: Id<'business'>,
  listed: { marks: readonly Buffer[]; sources: readonly string[] },
): Promise<Buffer[]> {
  if (listed.marks.length === 0) return []
  // First the deletion, which leaves alone what the update turns into something else's.
  const deleted = await deleteImported(tx, businessId, listed)
  await leaveBeside(tx, businessId, listed)
  return deleted.map(({ mark }) => mark)
}

/** The SHA-256 that are kept beside suppressed addresses, each with the address hash. */
export async function hashesOf(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<{ sha256: Buffer; mark: Buffer }[]> {
  return marks.length > 0 ? hashesBeside(tx, businessId, marks) : []
}
