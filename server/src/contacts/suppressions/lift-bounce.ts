import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { forgetFailures, keepComplaint } from './suppression-list-queries.ts'

/**
 * Lifts the suppression of an address to which mail could not be delivered, and no other one. A
 * complaint about it stays.
 */
export async function liftBounce(
  tx: Tx,
  businessId: Id<'business'>,
  mark: Buffer,
  now: Date,
): Promise<void> {
  await forgetFailures(tx, businessId, mark)
  if (await keepComplaint(tx, businessId, mark, now)) return
  await tx.run(sql`
    delete from suppressions
    where business_id = ${businessId} and channel = 'email' and address_hmac = ${mark}
      and reason = 'bounce'
  `)
}
