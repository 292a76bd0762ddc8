/** Keeps the field catalogue: whoever changes or ends contacts says so here, in the same transaction. */
import type { Tx } from '../../lib/db/types.ts'
import { catalogueChangesOf, type FieldChange } from './field-changes.ts'
import { addFieldCounts, addTagCounts } from './queries.ts'

/** Writes blind: a caller that needs nothing else need not wait for it. */
export async function countFields(tx: Tx, changes: readonly FieldChange[]): Promise<void> {
  const { fields, tags } = catalogueChangesOf(changes)
  await Promise.all([
    fields.length > 0 && addFieldCounts(tx.blind, fields),
    tags.length > 0 && addTagCounts(tx.blind, tags),
  ])
}
