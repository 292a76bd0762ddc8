import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'

/** A contact that becomes part of another one. */
export interface Moved {
  businessId: Id<'business'>
  from: Id<'contact'>
  to: Id<'contact'>
}

/** A person who was erased: all ids they ever had, and their addresses as they were kept. */
export interface Erased {
  businessId: Id<'business'>
  contactIds: readonly Id<'contact'>[]
  addresses: readonly string[]
}

/** What another domain holds of contacts; `worker.ts` lists them. */
export interface PersonalData {
  /** Gives what it holds of the one to the other, within the transaction that joins them. */
  move(tx: Tx, moved: Moved): Promise<void>
  /**
   * Takes out what it holds of an erased person, and may be asked again. False while some of
   * it is still needed, such as by a message under way.
   */
  forget(tx: Tx, erased: Erased, now: Date): Promise<boolean>
}
