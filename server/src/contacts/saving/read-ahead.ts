/**
 * Reads what saving many people needs to know, before the first of them is saved. While the
 * database writes some of them, the next are prepared, and nothing waits for an answer.
 */
import type { Tx } from '../../lib/db/types.ts'
import type { HeldCounters } from '../../usage/reserve.ts'
import { findErasedPeople } from './find-erased-people.ts'
import { directoryOf } from './plan.ts'
import { type ImportedContact, lockStored, type ReadAhead } from './save.ts'

/** Locks their contacts. The caller has locked the count of contacts, so none are created. */
export async function readAhead(
  tx: Tx,
  items: readonly ImportedContact[],
  counters: HeldCounters,
): Promise<ReadAhead> {
  const asked = items.map((item) => ({ item }))
  const [erased, stored] = await Promise.all([findErasedPeople(tx, asked), lockStored(tx, asked)])
  return {
    erased: new Map([...erased].map(([{ item }, refusal]) => [item, refusal])),
    directory: directoryOf(stored),
    counters,
  }
}
