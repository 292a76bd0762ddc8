/**
 * Some rows of a file go on the list of suppressions, and the place where the next begin is kept, in
 * one transaction.
 */

import { type ToSuppress, takeOver } from '../../contacts/suppressions/import.ts'
import { fileSource } from '../../contacts/suppressions/suppression.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { SuppressionRow } from '../mapping/suppression-of.ts'
import { keepErrors, type RowError } from '../model/change-queries.ts'
import { type Counts, importLimits, noCounts } from '../model/import.ts'
import { leftOutFault } from '../model/left-out.ts'
import { keepNamed, type NamedAddress } from '../model/named-queries.ts'
import { commitWithoutWaiting, lockProgress, saveProgress } from '../model/progress-queries.ts'
import { rawTextOf } from '../reading/reader.ts'
import { type Chunk, endOf, type SavingChunk } from './chunk.ts'

/** False where the import was stopped, or another worker has come further. */
export async function saveSuppressions(
  tx: Tx,
  chunk: Chunk,
  { hmac, now }: Pick<SavingChunk, 'hmac' | 'now'>,
): Promise<boolean> {
  const { businessId, id, window, rows, from, workedMs, plan } = chunk
  await commitWithoutWaiting(tx)
  const one = await lockProgress(tx, businessId, id)
  if (one?.state !== 'running' || one.nextByte !== from) return false
  const counts: Counts = { ...noCounts, ...one.counts }
  const errors = rows.flatMap((row, i): RowError[] => {
    if (row.fault) counts.refused++
    counts.left_out += row.leftOut?.length ?? 0
    const fault = row.fault ?? leftOutFault(row.leftOut, plan.columns)
    if (!fault || counts.refused + counts.left_out > importLimits.errors) return []
    const raw = rawTextOf(window, row, plan).slice(0, importLimits.errorCharacters)
    return [{ row: one.nextRow + i + 1, raw, ...fault }]
  })
  const people = rows.flatMap(({ suppression }) => suppression ?? [])
  const listed = people.map((person) => suppressionsOf(person, now))
  const taking = { businessId, hmac, source: fileSource, now }
  const taken = await takeOver(tx, taking, listed.flat())
  let place = 0
  for (const { length } of listed) {
    const own = taken.slice(place, place + length)
    place += length
    const changes = new Set(own.map(({ change }) => change))
    const change = (['created', 'updated'] as const).find((word) => changes.has(word))
    counts[change ?? 'unchanged']++
  }
  const ofImport = { businessId, importId: id }
  // Of an address that several rows name, the first says what was there before.
  const named = new Map<string, NamedAddress>()
  for (const { mark, channel, change, before } of taken) {
    const name = mark.toString('hex')
    if (!named.has(name)) named.set(name, { mark, channel, isNew: change === 'created', before })
  }
  if (named.size > 0) await keepNamed(tx, ofImport, [...named.values()])
  if (errors.length > 0) await keepErrors(tx, ofImport, errors)
  await saveProgress(tx, ofImport, {
    nextByte: endOf(chunk),
    nextRow: one.nextRow + rows.length,
    counts,
    workedMs: one.workedMs + workedMs,
  })
  return true
}

/** A row with several addresses has one suppression for each. */
function suppressionsOf(
  { email, phone, sha256, reason, at }: SuppressionRow,
  now: Date,
): ToSuppress[] {
  const told = at === undefined ? now : new Date(at)
  const common = { reason, at: told > now ? now : told }
  const addresses: ToSuppress['address'][] = []
  if (email !== undefined) addresses.push({ channel: 'email', text: email })
  if (phone !== undefined) addresses.push({ channel: 'sms', text: phone })
  if (sha256 !== undefined) addresses.push({ sha256: Buffer.from(sha256, 'hex') })
  return addresses.map((address) => ({ address, ...common }))
}
