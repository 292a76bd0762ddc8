import type { Id } from '../core/ids.ts'
import type { Tx } from '../lib/db/types.ts'

/** A merge: the data of contact `from` moves to contact `to`. */
export interface MergedContact {
  businessId: Id<'business'>
  from: Id<'contact'>
  to: Id<'contact'>
}

/** An erased person: all ids they ever had, and their normalised addresses. */
export interface ErasedPerson {
  businessId: Id<'business'>
  contactIds: readonly Id<'contact'>[]
  addresses: readonly string[]
}

/** The personal data that another domain holds about contacts; `worker.ts` lists them. */
export interface PersonalData {
  /** Assigns the data of one contact to another, in the transaction that merges them. */
  move(tx: Tx, moved: MergedContact): Promise<void>
  /**
   * Deletes the data of an erased person; it may be called again. Returns false while some of the
   * data is still needed, such as by a message that is being sent.
   */
  forget(tx: Tx, erased: ErasedPerson, now: Date): Promise<boolean>
}
