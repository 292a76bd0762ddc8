/**
 * Reads what saving many people needs to know, before the first of them is saved. While the
 * database writes some of them, the next are prepared, and nothing waits for an answer.
 */
import type { Refusal } from '../../core/errors.ts'
import type { Tx } from '../../lib/db/types.ts'
import { lockStored } from '../save.ts'
import { type Addressed, findErasedPeople } from './find-erased-people.ts'
import { type Directory, directoryOf } from './plan.ts'

export interface FoundAhead<Asked> {
  /** The refusals of people whose address belongs to an erased person. */
  erased: ReadonlyMap<Asked, Refusal>
  directory: Directory
}

/** Locks their contacts. The caller has locked the count of contacts, so none are created. */
export async function readAhead<Asked extends { item: Addressed }>(
  tx: Tx,
  asked: readonly Asked[],
): Promise<FoundAhead<Asked>> {
  const [erased, stored] = await Promise.all([findErasedPeople(tx, asked), lockStored(tx, asked)])
  return { erased, directory: directoryOf(stored) }
}
