/**
 * Statements about submissions by contact. No index serves them, because an index would slow every
 * submission for a rare query. The statements read all submissions of the business.
 */

import type { MergedContact } from '../contacts/personal-data.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

export function moveSubmissions(tx: Tx, { businessId, from, to }: MergedContact): Promise<number> {
  return tx.run(sql`
    update submissions set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

export function deleteSubmissionsOf(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  return tx.run(sql`
    delete from submissions
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
  `)
}
