import { timeZoneOf } from '../../accounts/businesses/time-zone.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Sql } from '../../lib/db/types.ts'
import { markAddresses } from '../suppression/hash-addresses.ts'
import { asksForSuppressions, compileFilter } from './compile.ts'
import { readFilter } from './read.ts'

/** The condition on rows `c` of contacts that a caller's filter comes to. */
export async function whereOf(
  { db, now, hmac, business }: Pick<BusinessContext, 'db' | 'now' | 'hmac' | 'business'>,
  written: unknown,
): Promise<Sql | Refusal> {
  const filter = readFilter(written)
  if (isRefusal(filter)) return filter
  if (asksForSuppressions(filter)) await markAddresses(db, hmac, business.id)
  const zone = await timeZoneOf(db, business.id)
  return compileFilter(filter, { businessId: business.id, now, zone })
}
