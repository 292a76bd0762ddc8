/** A filter taken apart into its conditions, so that each can be asked by itself. Pure. */
import { sql } from '../../lib/db/db.ts'
import { joined, sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'
import type { Condition, Filter } from '../filters/filter.ts'

export interface Placed {
  /** Where it stands: `filter.and[1]`. */
  path: string
  condition: Condition
}

/** What joins conditions, each of them by its place among all. */
export type Tree =
  | { all: readonly Tree[] }
  | { any: readonly Tree[] }
  | { not: Tree }
  | { leaf: number }

export interface TakenApart {
  conditions: Placed[]
  tree: Tree
}

export function takenApart(filter: Filter, at = 'filter'): TakenApart {
  const conditions: Placed[] = []
  return { tree: treeOf(filter, at, conditions), conditions }
}

function treeOf(filter: Filter, at: string, conditions: Placed[]): Tree {
  if ('not' in filter) return { not: treeOf(filter.not, `${at}.not`, conditions) }
  if ('and' in filter) {
    return { all: filter.and.map((one, n) => treeOf(one, `${at}.and[${n}]`, conditions)) }
  }
  if ('or' in filter) {
    return { any: filter.or.map((one, n) => treeOf(one, `${at}.or[${n}]`, conditions)) }
  }
  conditions.push({ path: at, condition: filter })
  return { leaf: conditions.length - 1 }
}

/** Without the conditions after the first so many; undefined where nothing is left. */
export function beginningOf(tree: Tree, count: number): Tree | undefined {
  if ('leaf' in tree) return tree.leaf < count ? tree : undefined
  if ('not' in tree) {
    const not = beginningOf(tree.not, count)
    return not && { not }
  }
  const parts = ('all' in tree ? tree.all : tree.any).flatMap(
    (one) => beginningOf(one, count) ?? [],
  )
  if (parts.length === 0) return undefined
  return 'all' in tree ? { all: parts } : { any: parts }
}

/** Whether it fits somebody of whom these conditions are true, one of them taken for its contrary. */
export function fits(tree: Tree, met: readonly boolean[], flipped?: number): boolean {
  if ('leaf' in tree) return (met[tree.leaf] ?? false) !== (tree.leaf === flipped)
  if ('not' in tree) return !fits(tree.not, met, flipped)
  return 'all' in tree
    ? tree.all.every((one) => fits(one, met, flipped))
    : tree.any.some((one) => fits(one, met, flipped))
}

/** The same as a condition on rows that have an array `met`. */
export function fitsSql(tree: Tree, flipped?: number): Sql {
  if ('leaf' in tree) {
    const met = sql`met[${tree.leaf + 1}::int]`
    return tree.leaf === flipped ? sqlWithin`not ${met}` : met
  }
  if ('not' in tree) return sqlWithin`not (${fitsSql(tree.not, flipped)})`
  return 'all' in tree
    ? joined(
        tree.all.map((one) => fitsSql(one, flipped)),
        'and',
      )
    : joined(
        tree.any.map((one) => fitsSql(one, flipped)),
        'or',
      )
}
