/**
 * Maintains the field catalogue: code that changes or ends contacts calls it in its transaction.
 */
import type { Tx } from '../../lib/db/types.ts'
import { catalogueChangesOf, type FieldChange } from './field-changes.ts'
import { addFieldCounts, addTagCounts } from './queries.ts'

/** The writes are pipelined, so a caller that needs no other result does not wait for them. */
export async function countFields(tx: Tx, changes: readonly FieldChange[]): Promise<void> {
  const { fields, tags } = catalogueChangesOf(changes)
  await Promise.all([
    fields.length > 0 && addFieldCounts(tx.pipelined, fields),
    tags.length > 0 && addTagCounts(tx.pipelined, tags),
  ])
}
