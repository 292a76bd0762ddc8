/** Splits a filter into its conditions and the tree that joins them. */
import { joined, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Sql } from '../../lib/db/types.ts'
import type { Condition, Filter } from '../filters/filter.ts'

export interface PlacedCondition {
  /** The path of the condition in the filter, such as `filter.and[1]`. */
  path: string
  condition: Condition
}

/** How a filter joins its conditions; a leaf is the index of one of them. */
export type FilterTree =
  | { all: readonly FilterTree[] }
  | { any: readonly FilterTree[] }
  | { not: FilterTree }
  | { leaf: number }

export interface SplitFilter {
  conditions: PlacedCondition[]
  tree: FilterTree
}

export function splitFilter(filter: Filter, at = 'filter'): SplitFilter {
  const conditions: PlacedCondition[] = []
  return { tree: treeOf(filter, at, conditions), conditions }
}

function treeOf(filter: Filter, at: string, conditions: PlacedCondition[]): FilterTree {
  if ('not' in filter) return { not: treeOf(filter.not, `${at}.not`, conditions) }
  if ('and' in filter) {
    return { all: filter.and.map((entry, n) => treeOf(entry, `${at}.and[${n}]`, conditions)) }
  }
  if ('or' in filter) {
    return { any: filter.or.map((entry, n) => treeOf(entry, `${at}.or[${n}]`, conditions)) }
  }
  conditions.push({ path: at, condition: filter })
  return { leaf: conditions.length - 1 }
}

/** The tree with its first `count` conditions only; undefined if it has none of them. */
export function firstConditions(tree: FilterTree, count: number): FilterTree | undefined {
  if ('leaf' in tree) return tree.leaf < count ? tree : undefined
  if ('not' in tree) {
    const not = firstConditions(tree.not, count)
    return not && { not }
  }
  const parts = ('all' in tree ? tree.all : tree.any).flatMap(
    (entry) => firstConditions(entry, count) ?? [],
  )
  if (parts.length === 0) return undefined
  return 'all' in tree ? { all: parts } : { any: parts }
}

/**
 * Whether the filter matches a contact for whom `met` lists which conditions are true. The
 * condition `flipped` counts as the opposite.
 */
export function matches(tree: FilterTree, met: readonly boolean[], flipped?: number): boolean {
  if ('leaf' in tree) return (met[tree.leaf] ?? false) !== (tree.leaf === flipped)
  if ('not' in tree) return !matches(tree.not, met, flipped)
  return 'all' in tree
    ? tree.all.every((entry) => matches(entry, met, flipped))
    : tree.any.some((entry) => matches(entry, met, flipped))
}

/** `matches` in SQL, over rows with a column `met boolean[]`. */
export function matchesSql(tree: FilterTree, flipped?: number): Sql {
  if ('leaf' in tree) {
    const met = sql`met[${tree.leaf + 1}::int]`
    return tree.leaf === flipped ? sqlWithin`not ${met}` : met
  }
  if ('not' in tree) return sqlWithin`not (${matchesSql(tree.not, flipped)})`
  const [parts, word] = 'all' in tree ? [tree.all, 'and' as const] : [tree.any, 'or' as const]
  return joined(
    parts.map((part) => matchesSql(part, flipped)),
    word,
  )
}
