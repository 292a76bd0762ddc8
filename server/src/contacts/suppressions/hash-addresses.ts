import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { findToMark, markContacts } from './address-hash-queries.ts'
import { markOf } from './suppressions.ts'

const perStatement = 5_000

/**
 * Hashes addresses of contacts that were saved before hashes were stored; call it before a
 * statement that joins suppressions. If there is nothing to do, it costs one look at an empty
 * index.
 */
export async function markAddresses(db: Db, hmac: Hmac, businessId: Id<'business'>): Promise<void> {
  for (;;) {
    const found = await findToMark(db, businessId, perStatement)
    if (found.length === 0) return
    const mark = (address: string | null) =>
      address === null ? null : markOf(hmac, businessId, address)
    const marked = found.map((entry) => {
      return { ...entry, emailMark: mark(entry.email), phoneMark: mark(entry.phone) }
    })
    await markContacts(db, businessId, marked)
    if (found.length < perStatement) return
  }
}
