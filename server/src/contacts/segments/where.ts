import { timeZoneOf } from '../../accounts/businesses/time-zone.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Sql } from '../../lib/db/types.ts'
import { asksForSuppressions, compileFilter, type Range } from '../filters/compile.ts'
import type { Filter } from '../filters/filter.ts'
import { readFilter } from '../filters/read.ts'
import { markAddresses } from '../suppressions/hash-addresses.ts'
import { expandSegments, type FilterLocation } from './expand-segments.ts'

type Context = Pick<BusinessContext, 'db' | 'now' | 'hmac'> & {
  business: Pick<BusinessContext['business'], 'id'>
}

/** A filter as a condition on rows `c` of contacts, for any range of them. */
export type Condition = (range?: Range) => Sql

/** The condition of a filter that a caller wrote. */
export async function readAndCompileFilter(context: Context, input: unknown): Promise<Condition> {
  const filter = readFilter(input)
  return compileCondition(context, filter)
}

/** The condition of a filter that was read before. */
export async function compileCondition(
  { db, now, hmac, business }: Context,
  filter: Filter,
  location?: FilterLocation,
): Promise<Condition> {
  const [whole, zone] = await Promise.all([
    expandSegments(db, business.id, filter, location),
    timeZoneOf(db, business.id),
  ])
  if (asksForSuppressions(whole)) await markAddresses(db, hmac, business.id)
  return (range) =>
    compileFilter(whole, { businessId: business.id, now, zone, ...(range && { range }) })
}

/** The place of a filter to which a caller refers by its segment's id. */
export const bySegmentId: FilterLocation = { at: 'segment_id', isOwn: false }
