/** Finds messages by the ids that a provider gave them when it accepted them. */
import type { Db } from '../../lib/db/types.ts'
import { findByTakenAs, type TakenMessage } from './report-queries.ts'

/**
 * Finds messages by provider ids on this route. A receipt may arrive before the acceptance is in
 * the database, which takes some dozens of milliseconds.
 */
export function findByProviderIds(
  db: Db,
  route: string,
  ids: readonly string[],
): Promise<TakenMessage[]> {
  return findByTakenAs(db, route, ids)
}
