/**
 * An import of suppressions is undone: whom it put on the list goes from there, unless another import
 * named them as well or something was reported of them since.
 */

import { fileSource } from '../../contacts/suppressions/suppression.ts'
import { hashesOf, type Imported, takeOffList } from '../../contacts/suppressions/take-off-list.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Counts } from '../model/import.ts'
import { handOver, type NamedAddress, type OfImport, takeNamed } from '../model/named-queries.ts'

/** Undefined where nothing is left to undo. */
export async function undoSuppressions(
  tx: Tx,
  ofImport: OfImport,
  limit: number,
): Promise<Counts['undone'] | undefined> {
  const taken = await takeNamed(tx, ofImport, limit)
  if (taken.length === 0) return undefined
  const { businessId } = ofImport
  const changed = taken.filter(({ isNew, before }) => isNew || before)
  if (changed.length === 0) return { deleted: 0, restored: 0, left: 0 }
  const elsewhere = await namedElsewhere(tx, ofImport, changed)
  const own = changed.filter(({ mark }) => !elsewhere.has(hex(mark)))
  const added = own.filter(({ isNew }) => isNew)
  const { deleted, restored } = await takeOffList(tx, businessId, {
    marks: added.flatMap(({ channel, mark }) => (channel === null ? [] : [mark])),
    hashes: added.flatMap(({ channel, mark }) => (channel === null ? [mark] : [])),
    former: own.flatMap(formerOf),
    source: fileSource,
  })
  return { deleted, restored, left: changed.length - deleted - restored }
}

/** Those that another import has named as well, by the address or by its hash. */
async function namedElsewhere(
  tx: Tx,
  ofImport: OfImport,
  changed: readonly NamedAddress[],
): Promise<ReadonlySet<string>> {
  const marks = changed.flatMap(({ channel, mark }) => (channel === null ? [] : [mark]))
  const beside = await hashesOf(tx, ofImport.businessId, marks)
  const byHash = new Map(beside.map(({ sha256, mark }) => [hex(sha256), hex(mark)]))
  const hashes = beside.map(({ sha256 }) => {
    return { mark: sha256, channel: null, isNew: true, before: null }
  })
  const found = await handOver(tx, ofImport, [...changed, ...hashes])
  return new Set(found.map(({ mark }) => byHash.get(hex(mark)) ?? hex(mark)))
}

function formerOf({ mark, channel, before }: NamedAddress): Imported['former'] {
  return channel && before ? [{ mark, channel, ...before }] : []
}

const hex = (bytes: Buffer) => bytes.toString('hex')
