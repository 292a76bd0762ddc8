import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'

/** Cleans up when a membership ends, in the transaction that ends it. */
export interface Leaving {
  left(tx: Tx, member: { businessId: Id<'business'>; userId: Id<'user'>; now: Date }): Promise<void>
}
