import { formatId, type Id } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import type { DataOf } from '../../events/catalog.ts'
import { emitAll } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'

export interface ErasedContacts {
  businessId: Id<'business'>
  ids: readonly Id<'contact'>[]
  reason: DataOf<'contact.erased'>['reason']
  origin?: Origin | undefined
}

/**
 * Writes the event of each erased contact. It names only the contact's id, so it stays when the
 * events about the person are blanked.
 */
export async function announceErased(
  tx: Tx,
  { businessId, ids, reason, origin }: ErasedContacts,
  now: Date,
): Promise<void> {
  await emitAll(
    tx,
    ids.map((id) => {
      const data = { contact_id: formatId('contact', id), reason }
      return { businessId, type: 'contact.erased', data, origin }
    }),
    now,
  )
}
