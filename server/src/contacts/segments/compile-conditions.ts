/** Compiles each condition of a filter separately, to find which are true of contacts. */
import { timeZoneOf } from '../../accounts/businesses/time-zone.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Sql } from '../../lib/db/types.ts'
import { type Compiling, compileFilter, type Range } from '../filters/compile.ts'
import type { Condition, Filter } from '../filters/filter.ts'
import { markAddresses } from '../suppressions/hash-addresses.ts'
import { expandSegments, type FilterLocation } from './expand-segments.ts'
import { evaluateOne } from './explain-queries.ts'
import { type SplitFilter, splitFilter } from './split-filter.ts'

type Context = Pick<BusinessContext, 'db' | 'hmac' | 'business' | 'now'>

export interface CompiledConditions extends SplitFilter {
  compiling: Compiling
  /** One clause for each condition, over rows `c` of contacts whose id lies in the range. */
  clauses: (range?: Range) => Sql[]
}

/** A refusal where a segment of the filter cannot be expanded. */
export async function compileConditions(
  { db, hmac, business, now }: Context,
  filter: Filter,
  location?: FilterLocation,
): Promise<CompiledConditions> {
  await expandSegments(db, business.id, filter, location)
  const split = splitFilter(filter, location?.isOwn === false ? undefined : location?.at)
  const expanded: Filter[] = []
  for (const { condition } of split.conditions) {
    const expandedFilter = await expandSegments(db, business.id, condition)
    expanded.push(expandedFilter)
  }
  const [zone] = await Promise.all([
    timeZoneOf(db, business.id),
    markAddresses(db, hmac, business.id),
  ])
  const compiling = { businessId: business.id, now, zone }
  const clauses = (range?: Range) =>
    expanded.map((entry) => compileFilter(entry, { ...compiling, ...(range && { range }) }))
  return { ...split, compiling, clauses }
}

export interface JudgedCondition {
  /** The path of the condition in the filter, such as `filter.and[1]`. */
  path: string
  condition: Condition
  isTrue: boolean
}

/**
 * Which conditions of a filter are true of one contact; undefined if the filter can no longer be
 * compiled or the contact does not exist.
 */
export async function judgeConditions(
  context: Context,
  filter: Filter,
  { contactId, at }: { contactId: Id<'contact'>; at: string },
): Promise<JudgedCondition[] | undefined> {
  const compiled = await orRefusal(() => compileConditions(context, filter, { at }))
  if (isRefusal(compiled)) return undefined
  const range = { from: contactId, upTo: contactId }
  const query = { id: contactId, conditions: compiled.clauses(range) }
  const judged = await evaluateOne(context.db, context.business.id, query)
  return (
    judged &&
    compiled.conditions.map((placed, n) => ({ ...placed, isTrue: judged.met[n] ?? false }))
  )
}
