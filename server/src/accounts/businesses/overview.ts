/** Lists every business of the installation, for its operator only. */
import type { Db } from '../../lib/db/types.ts'
import type { Business } from './business.ts'
import { selectBusinesses } from './queries.ts'

/** Oldest first, with the number of members. */
export function allBusinesses(db: Db): Promise<(Business & { members: number })[]> {
  return selectBusinesses(db)
}
