/** What the steps of one transaction leave to its end, where one statement serves them all. */

import { placeLater, type UnplacedEvent } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { type Counter, countTaken } from '../../usage/reserve.ts'
import { countFields } from '../fields/count-fields.ts'
import type { FieldChange } from '../fields/field-changes.ts'
import { type NewAddress, suppressHashed } from '../suppressions/hashed-queries.ts'

export interface LeftToEnd {
  unplaced: UnplacedEvent[]
  fields: FieldChange[]
  /** What was taken of the tiers' allowance. */
  taken: Counter[]
  /** New addresses, which another service's list may suppress. */
  fresh: NewAddress[]
}

export const nothingLeft = (): LeftToEnd => ({ unplaced: [], fields: [], taken: [], fresh: [] })

/** Counts what all steps took and changed, and queues the jobs for their events. */
export async function endSaving(
  tx: Tx,
  { unplaced, fields, taken, fresh }: LeftToEnd,
  now: Date,
): Promise<void> {
  const writes = tx.pipelined
  await countTaken(writes, taken, now)
  if (fresh.length > 0) await suppressHashed(writes, fresh, 'suppression.import', now)
  await placeLater(writes, unplaced, now)
  // Last, because all saves of the business's contacts change the same few rows.
  await countFields(tx, fields)
}
