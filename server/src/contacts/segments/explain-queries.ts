/** Statements that evaluate each condition of a filter separately, in one scan of the contacts. */
import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { plannedAnew, sqlWithin, within } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { type FilterTree, matchesSql } from './split-filter.ts'

/** A range of contacts, and the conditions to evaluate for each. */
interface Evaluation {
  /** Conditions on rows `c`. */
  conditions: readonly Sql[]
  before?: Id<'contact'> | null
  downTo?: Id<'contact'> | null
  /** Evaluates only this contact of the range. */
  only?: Id<'contact'>
}

function evaluated(
  businessId: Id<'business'>,
  { conditions, before, downTo, only }: Evaluation,
): Sql {
  const met = conditions.map((condition) => sqlWithin`(${condition}) is true`)
  const list = met.reduce((all, sql) => sqlWithin`${all}, ${sql}`)
  return sqlWithin`
    select c.id, c.email, c.phone, array[${list}] as met from contacts c
    where c.business_id = ${businessId} and c.id < ${before ?? highestId}
      and c.id >= ${downTo ?? oldest} and (${only ?? null}::uuid is null or c.id = ${only ?? null})
    -- Each condition is asked once, not wherever it is counted.
    offset 0
  `
}

const oldest = '00000000-0000-0000-0000-000000000000'

/** How many contacts of the range each of the conditions matches, in order. */
export async function countEach(
  db: Db,
  businessId: Id<'business'>,
  {
    trees,
    patienceMs,
    ...evaluation
  }: Evaluation & { trees: readonly FilterTree[]; patienceMs?: number },
): Promise<number[]> {
  const counts = trees
    .map((tree) => sqlWithin`count(*) filter (where ${matchesSql(tree)})`)
    .reduce((all, sql) => sqlWithin`${all}, ${sql}`)
  const statement = plannedAnew(sqlWithin`
    select array[${counts}]::int[] as counts from (${evaluated(businessId, evaluation)}) judged
  `)
  const query = patienceMs === undefined ? statement : within(patienceMs, statement)
  return (await db.one<{ counts: number[] }>(query)).counts
}

export interface EvaluatedContact {
  id: Id<'contact'>
  email: string | null
  phone: string | null
  met: boolean[]
}

/**
 * The newest contacts that the filter does not match, but would match if one condition were
 * reversed.
 */
export function findMisses(
  db: Db,
  businessId: Id<'business'>,
  { tree, limit, ...evaluation }: Evaluation & { tree: FilterTree; limit: number },
): Promise<EvaluatedContact[]> {
  const flips = evaluation.conditions
    .map((_, n) => matchesSql(tree, n))
    .reduce((all, sql) => sqlWithin`${all} or ${sql}`)
  return db.all(
    plannedAnew(sqlWithin`
      select id, email, phone, met from (${evaluated(businessId, evaluation)}) judged
      where not (${matchesSql(tree)}) and (${flips})
      order by id desc limit ${limit}
    `),
  )
}

/** Evaluates one contact; undefined if the business has none with this id. */
export function evaluateOne(
  db: Db,
  businessId: Id<'business'>,
  { id, conditions }: { id: Id<'contact'>; conditions: readonly Sql[] },
): Promise<EvaluatedContact | undefined> {
  const statement = evaluated(businessId, { conditions, only: id })
  return db.maybe(plannedAnew(statement))
}

/** How often something happened, for how much in total, and when last. */
export interface Tally {
  times: number
  worth: number | null
  last: Date | null
  /** What the last one was about. */
  messageId: Id<'message'> | null
  submissionId: string | null
}

/** Tallies rows `d` of a contact's behaviour. */
export function tally(
  db: Db,
  {
    rows,
    at,
    value,
    messageId,
    submissionId,
  }: Record<'rows' | 'at' | 'value' | 'messageId' | 'submissionId', Sql>,
): Promise<Tally> {
  return db.one(
    plannedAnew(sqlWithin`
      select count(*)::int as times, ${value}::float8 as worth, max(${at}) as last,
        (array_agg(${messageId}::uuid order by ${at} desc))[1] as "messageId",
        (array_agg(${submissionId}::text order by ${at} desc))[1] as "submissionId"
      from ${rows}
    `),
  )
}
