/** Which of several filters each of some contacts fits, with one statement for all. */
import { timeZoneOf } from '../../accounts/businesses/time-zone.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { plannedAnew, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { asksForSuppressions, type Compiling, compileFilter } from '../filters/compile.ts'
import type { Filter } from '../filters/filter.ts'
import { markAddresses } from '../suppressions/hash-addresses.ts'
import { expandSegments } from './expand-segments.ts'

interface Fitting {
  businessId: Id<'business'>
  filters: readonly Filter[]
  contactIds: readonly Id<'contact'>[]
  hmac: Hmac
  now: Date
}

/** For each contact the bits of the filters that it fits. Contacts that are gone are missing. */
export async function fitsOf(
  db: Db,
  { businessId, filters, contactIds, hmac, now }: Fitting,
): Promise<Map<Id<'contact'>, number>> {
  if (filters.length === 0 || contactIds.length === 0) return new Map()
  const whole = await wholeFilters(db, businessId, filters)
  if (whole.some(asksForSuppressions)) await markAddresses(db, hmac, businessId)
  const zone = await timeZoneOf(db, businessId)
  const range = { among: contactIds }
  const bits = bitsOf(whole, { businessId, now, zone, range })
  const rows = await db.all<{ id: Id<'contact'>; bits: number }>(
    plannedAnew(sqlWithin`
      select c.id, ${bits} as bits from contacts c
      where c.business_id = ${businessId} and c.id = any(${contactIds}::uuid[])
    `),
  )
  return new Map(rows.map((row) => [row.id, row.bits]))
}

/** The filters with those of their segments. Of a segment that is gone nobody is a member. */
export async function wholeFilters(
  db: Db,
  businessId: Id<'business'>,
  filters: readonly Filter[],
): Promise<Filter[]> {
  const whole: Filter[] = []
  for (const filter of filters) {
    const expanded = await orRefusal(() => expandSegments(db, businessId, filter))
    whole.push(isRefusal(expanded) ? nobody : expanded)
  }
  return whole
}

/** No tag is empty. */
const nobody: Filter = { tag: '' }

/** A number for a row `c` of contacts: a bit for each filter that it fits, in their order. */
export function bitsOf(filters: readonly Filter[], compiling: Compiling): Sql {
  return filters
    .map((filter, n) => {
      const clause = compileFilter(filter, compiling)
      return sqlWithin`(case when ${clause} then ${1 << n}::int else 0 end)`
    })
    .reduce((sum, bit) => sqlWithin`${sum} + ${bit}`, sql`0`)
}
