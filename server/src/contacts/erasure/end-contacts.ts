import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { countFields, deleteUncounted } from '../fields/count-fields.ts'
import { deleteContacts } from './former-queries.ts'

/**
 * Deletes contacts and removes them from the field catalogue, with the values that nobody else has.
 * Returns how many there were. The caller deletes or moves the contacts' other data.
 */
export async function endContacts(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  if (contactIds.length === 0) return 0
  const ended = await deleteContacts(tx, businessId, contactIds)
  await countFields(
    tx,
    ended.map((before) => ({ businessId, before, after: null })),
  )
  await deleteUncounted(tx, businessId)
  return ended.length
}
