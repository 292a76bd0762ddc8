import type { MergedContact, PersonalData } from '../contacts/personal-data.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

/**
 * Moves and erases the submissions of a contact. The forms' submission counts do not change,
 * because that many submissions were made.
 */
export const submissionPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveSubmissions(tx, moved)
  },
  async forget(tx, { businessId, contactIds }) {
    await deleteSubmissionsOf(tx, businessId, contactIds)
    return true
  },
}

/**
 * No index serves these two statements, because it would slow every submission for a rare request:
 * they read all submissions of the business.
 */
function moveSubmissions(tx: Tx, { businessId, from, to }: MergedContact): Promise<number> {
  return tx.run(sql`
    update submissions set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

function deleteSubmissionsOf(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  return tx.run(sql`
    delete from submissions
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
  `)
}
