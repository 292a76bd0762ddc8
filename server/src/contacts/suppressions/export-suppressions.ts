/** The list of suppressions as it goes out: of an address that nothing names, its row stays here. */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import { markAddresses } from './hash-addresses.ts'
import { hashesAfter, suppressionsAfter } from './listed-queries.ts'
import type { SuppressionReason } from './suppression.ts'

export interface OutgoingSuppression {
  /** Null where only the hash of an address or of a number was given. */
  channel: Channel | null
  address: string | null
  sha256: Buffer | null
  reason: SuppressionReason
  source: string
  at: Date
}

const perPage = 1_000

/** Page by page; a page may be empty where none of its addresses has a name. */
export async function* exportSuppressions(
  db: Db,
  businessId: Id<'business'>,
  hmac: Hmac,
): AsyncGenerator<OutgoingSuppression[]> {
  await markAddresses(db, hmac, businessId)
  for (let after: { channel: Channel; mark: Buffer } | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof suppressionsAfter>> = await suppressionsAfter(
      db,
      businessId,
      { after, limit: perPage },
    )
    const last = rows.at(-1)
    if (!last) break
    after = last
    yield rows.filter(({ address, sha256 }) => address !== null || sha256 !== null)
  }
  for (let after: Buffer | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof hashesAfter>> = await hashesAfter(db, businessId, {
      after,
      limit: perPage,
    })
    const last = rows.at(-1)
    if (!last) return
    after = last.sha256
    const source = 'suppression.import'
    yield rows.map((row) => ({ ...row, channel: null, address: null, source }))
  }
}
