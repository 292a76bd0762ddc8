/** Lists businesses of the installation, for its operator only. */
import type { Tier } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Business } from './business.ts'
import {
  type BusinessesPage,
  type FoundBusiness,
  selectOwners,
  selectPage,
  selectTiers,
} from './overview-queries.ts'
import { selectBusinesses } from './queries.ts'

/** Oldest first, with the number of members. */
export function allBusinesses(db: Db): Promise<(Business & { members: number })[]> {
  return selectBusinesses(db)
}

/** The most owners of a business that a list names. */
const ownersShown = 3

export interface ListedBusiness extends FoundBusiness {
  owners: string[]
}

/** A page of businesses, newest first. */
export async function listBusinesses(db: Db, page: BusinessesPage): Promise<ListedBusiness[]> {
  const rows = await selectPage(db, page)
  const ids = rows.map(({ id }) => id)
  const owners = Map.groupBy(await selectOwners(db, ids, ownersShown), (owner) => owner.businessId)
  return rows.map((row) => ({
    ...row,
    owners: (owners.get(row.id) ?? []).map(({ email }) => email),
  }))
}

/** How many businesses have each tier. */
export async function countTiers(db: Db): Promise<Map<Tier, number>> {
  const rows = await selectTiers(db)
  return new Map(rows.map(({ tier, businesses }) => [tier, businesses]))
}
