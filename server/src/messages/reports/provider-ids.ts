/** Which message a provider means by a name that it gave itself when it took it. */
import type { Db } from '../../lib/db/types.ts'
import { findByTakenAs, type TakenMessage } from './report-queries.ts'

/**
 * Those of the provider's ids that are known on this route. A receipt may come before the
 * acceptance is in the database, which it is some dozens of milliseconds later.
 */
export function findByProviderIds(
  db: Db,
  route: string,
  ids: readonly string[],
): Promise<TakenMessage[]> {
  return findByTakenAs(db, route, ids)
}
