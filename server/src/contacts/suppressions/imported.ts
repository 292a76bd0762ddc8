/**
 * A list of suppressions from elsewhere is taken over. An address is kept as its hash, and beside it
 * as its SHA-256: the list can be exported again, also where no contact has the address. Of erased
 * people nothing is kept.
 */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import { insertHashed, setHashedMarks } from './hashed-queries.ts'
import { findHashes, lockListed } from './listed-queries.ts'
import type { FormerSuppression, SuppressionReason } from './suppression.ts'
import { insertSuppressions, type SuppressionRow } from './suppression-queries.ts'
import { isMarketingOnly, markOf, sha256Of } from './suppressions.ts'

export const importedReasons = ['unsubscribed', 'complaint', 'bounce', 'manual'] as const
export type ImportedReason = (typeof importedReasons)[number]

export interface ToSuppress {
  address: { channel: Channel; text: string } | { sha256: Buffer }
  reason: ImportedReason
  at: Date
}

export interface TakenOver {
  /** The address hash, or the SHA-256 that was given. */
  mark: Buffer
  channel: Channel | null
  change: 'created' | 'updated' | 'unchanged'
  before: FormerSuppression | null
}

interface Taking {
  businessId: Id<'business'>
  hmac: Hmac
  source: string
  now: Date
}

/** In the order of the rows; of an address that several of them name, the strictest reason counts. */
export async function takeOver(
  tx: Tx,
  taking: Taking,
  rows: readonly ToSuppress[],
): Promise<TakenOver[]> {
  const { businessId, hmac } = taking
  const marked = rows.map((row): Marked => {
    const { address } = row
    return 'sha256' in address
      ? { row, channel: null, mark: address.sha256, sha256: address.sha256 }
      : {
          row,
          channel: address.channel,
          mark: markOf(hmac, businessId, address.text),
          sha256: sha256Of(address.text),
        }
  })
  const [listed, hashes] = await Promise.all([
    lockListed(
      tx,
      businessId,
      marked.flatMap(({ channel, mark }) => (channel ? [{ channel, mark }] : [])),
    ),
    findHashes(
      tx,
      businessId,
      marked.map(({ sha256 }) => sha256),
    ),
  ])
  const known = new Map(listed.map((entry) => [`${entry.channel} ${hex(entry.mark)}`, entry]))
  const knownHashes = new Map(hashes.map((entry) => [hex(entry.sha256), entry]))
  const isErased = ({ channel, mark }: Marked) =>
    known.get(`${channel} ${hex(mark)}`)?.reason === 'erased'
  const kept = marked.filter((entry) => !isErased(entry))
  const suppressions = kept.flatMap((entry): SuppressionRow[] => {
    if (!entry.channel) return []
    const { channel, mark, row, sha256 } = entry
    const { source } = taking
    const own = { businessId, channel, mark, source, reason: row.reason, at: row.at }
    // What a list of hashes said of the address counts as well, now that the address is known.
    const hash = knownHashes.get(hex(sha256))
    return hash && !hash.mark ? [own, { ...own, reason: hash.reason, at: hash.at }] : [own]
  })
  if (suppressions.length > 0) await insertSuppressions(tx, suppressions, taking.now)
  const newHashes = kept.map(({ sha256, row }) => ({ sha256, reason: row.reason, at: row.at }))
  if (newHashes.length > 0) await insertHashed(tx, businessId, newHashes, taking)
  const named = kept.filter(({ channel }) => channel !== null)
  if (named.length > 0) await setHashedMarks(tx, businessId, named)
  const seen = new Set<string>()
  return marked.map((entry) => {
    const { channel, mark, row, sha256 } = entry
    const name = `${channel} ${hex(mark)}`
    const before = channel ? known.get(name) : knownHashes.get(hex(mark))
    const isRepeated = seen.has(name)
    seen.add(name)
    const same = { mark, channel, change: 'unchanged' as const, before: null }
    if (isRepeated || isErased(entry)) return same
    // Its hash stood on a list already.
    const isKnown = before ?? knownHashes.get(hex(sha256))
    if (!isKnown) return { ...same, change: 'created' as const }
    if (!channel || !before || !('source' in before) || !outweighs(row.reason, before.reason))
      return same
    const { reason, source, at } = before
    return { ...same, change: 'updated' as const, before: { reason, source, at } }
  })
}

interface Marked {
  row: ToSuppress
  channel: Channel | null
  mark: Buffer
  sha256: Buffer
}

const hex = (bytes: Buffer) => bytes.toString('hex')

/** As `insertSuppressions` decides it. */
function outweighs(reason: ImportedReason, before: SuppressionReason): boolean {
  if (before === 'complaint') return !isMarketingOnly(reason)
  return before === 'unsubscribed' && reason !== 'unsubscribed'
}
