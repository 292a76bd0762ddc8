import { timeZoneOf } from '../../accounts/businesses/time-zone.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Sql } from '../../lib/db/types.ts'
import { markAddresses } from '../suppression/hash-addresses.ts'
import { asksForSuppressions, compileFilter } from './compile.ts'
import type { Filter } from './filter.ts'
import { readFilter } from './read.ts'

type Asking = Pick<BusinessContext, 'db' | 'now' | 'hmac' | 'business'>

/** The condition on rows `c` of contacts that a caller's filter comes to. */
export async function whereOf(context: Asking, written: unknown): Promise<Sql | Refusal> {
  const filter = readFilter(written)
  return isRefusal(filter) ? filter : conditionOf(context, filter)
}

/** The same of a filter that was read before. */
export async function conditionOf(
  { db, now, hmac, business }: Asking,
  filter: Filter,
): Promise<Sql> {
  if (asksForSuppressions(filter)) await markAddresses(db, hmac, business.id)
  const zone = await timeZoneOf(db, business.id)
  return compileFilter(filter, { businessId: business.id, now, zone })
}
