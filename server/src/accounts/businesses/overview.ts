/** Lists businesses of the installation, for its operator only. */

import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import { highestId } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Business } from './business.ts'
import { selectBusinesses } from './queries.ts'

/** Oldest first, with the number of members. */
export function allBusinesses(
  db: Db,
): Promise<(Business & { members: number; closedAt: Date | null })[]> {
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

export interface BusinessesPage {
  before: Id<'business'> | null
  limit: number
  /** Part of a name or of a member's address, in lower case. Empty: all. */
  search: string
  tier: Tier | null
}

export interface FoundBusiness {
  id: Id<'business'>
  name: string
  tier: Tier
  members: number
  createdAt: Date
}

/** Statements for the operator's list of businesses. No call by a connection may use them. */
export function selectPage(
  db: Db,
  { before, limit, search, tier }: BusinessesPage,
): Promise<FoundBusiness[]> {
  return db.all(sql`
    select b.id, b.name, b.tier, b.created_at as "createdAt",
      (select count(*) from memberships m where m.business_id = b.id) as members
    from businesses b
    where b.test_of is null and b.id < ${before ?? highestId} and (${tier}::text is null or b.tier = ${tier})
      and (${search} = '' or position(${search} in lower(b.name)) > 0 or exists (
        select from memberships m join users u on u.id = m.user_id
        where m.business_id = b.id and position(${search} in u.email) > 0
      ))
    order by b.id desc limit ${limit}
  `)
}

export function selectOwners(
  db: Db,
  businesses: readonly Id<'business'>[],
  limit: number,
): Promise<{ businessId: Id<'business'>; email: string }[]> {
  return db.all(sql`
    select owner."businessId", owner.email from (
      select m.business_id as "businessId", u.email,
        row_number() over (partition by m.business_id order by m.created_at, u.id) as place
      from memberships m join users u on u.id = m.user_id
      where m.business_id = any (${[...businesses]}::uuid[]) and m.role = 'owner'
    ) as owner
    where owner.place <= ${limit} order by owner."businessId", owner.place
  `)
}

export function selectTiers(db: Db): Promise<{ tier: Tier; businesses: number }[]> {
  return db.all(sql`
    select tier, count(*)::integer as businesses from businesses
    where test_of is null group by tier
  `)
}
