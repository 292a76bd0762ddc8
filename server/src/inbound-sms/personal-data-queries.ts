/** Statements about replies by contact. No index finds them so, since it is seldom asked. */

import type { ErasedPerson, MergedContact } from '../contacts/erasure/personal-data.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

export function moveReplies(tx: Tx, { businessId, from, to }: MergedContact): Promise<number> {
  return tx.run(sql`
    update replies set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

export function deleteRepliesOf(
  tx: Tx,
  { businessId, contactIds, addresses }: ErasedPerson,
): Promise<number> {
  return tx.run(sql`
    delete from replies
    where business_id = ${businessId}
      and (contact_id = any(${contactIds}::uuid[]) or phone = any(${addresses}::text[]))
  `)
}
