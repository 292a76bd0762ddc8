/** Each condition of a filter by itself: of all contacts, or of one. */
import { timeZoneOf } from '../../accounts/businesses/time-zone.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Sql } from '../../lib/db/types.ts'
import { compileFilter } from '../filters/compile.ts'
import type { Compiling, Range } from '../filters/compile-did.ts'
import type { Condition, Filter } from '../filters/filter.ts'
import { markAddresses } from '../suppression/hash-addresses.ts'
import { type TakenApart, takenApart } from './conditions.ts'
import { judgeOne } from './explain-queries.ts'
import { openOut, type Place } from './open-out.ts'

type Asking = Pick<BusinessContext, 'db' | 'hmac' | 'business' | 'now'>

export interface AskedApart extends TakenApart {
  compiling: Compiling
  /** Each condition on rows `c`, of a range of them. */
  clauses: (range?: Range) => Sql[]
}

/** A filter with its conditions, each ready to be asked by itself. */
export async function askedApart(
  { db, hmac, business, now }: Asking,
  filter: Filter,
  place?: Place,
): Promise<AskedApart | Refusal> {
  const whole = await openOut(db, business.id, filter, place)
  if (isRefusal(whole)) return whole
  const apart = takenApart(filter, place?.isOwn === false ? undefined : place?.at)
  const opened: Filter[] = []
  for (const { condition } of apart.conditions) {
    const one = await openOut(db, business.id, condition)
    if (isRefusal(one)) return one
    opened.push(one)
  }
  const [zone] = await Promise.all([
    timeZoneOf(db, business.id),
    markAddresses(db, hmac, business.id),
  ])
  const compiling = { businessId: business.id, now, zone }
  const clauses = (range?: Range) =>
    opened.map((one) => compileFilter(one, { ...compiling, ...(range && { range }) }))
  return { ...apart, compiling, clauses }
}

export interface JudgedCondition {
  /** Where it stands: `filter.and[1]`. */
  path: string
  condition: Condition
  isTrue: boolean
}

/** What of a filter is true of one contact; undefined where it cannot be asked. */
export async function judge(
  context: Asking,
  filter: Filter,
  { contactId, at }: { contactId: Id<'contact'>; at: string },
): Promise<JudgedCondition[] | undefined> {
  const asked = await askedApart(context, filter, { at })
  if (isRefusal(asked)) return undefined
  const range = { from: contactId, upTo: contactId }
  const one = { id: contactId, conditions: asked.clauses(range) }
  const judged = await judgeOne(context.db, context.business.id, one)
  return (
    judged &&
    asked.conditions.map((condition, n) => ({ ...condition, isTrue: judged.met[n] ?? false }))
  )
}
