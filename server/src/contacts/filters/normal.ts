/**
 * A filter in its compiled form: negations are at the leaves, needless nesting is removed, and
 * conditions that one look at the same rows can answer are combined. So the cost of a filter does
 * not depend on how it is written. Pure.
 */

import {
  type Condition,
  type DidCondition,
  type Filter,
  isHappening,
  isSimple,
  leavesUnknown,
} from './filter.ts'

export type Node =
  | { all: readonly Node[] }
  | { any: readonly Node[] }
  | { condition: Condition; isNegated: boolean }
  /** Contacts with at least one of these events; negated, with none of them. */
  | { oneOf: readonly DidCondition[]; isNegated: boolean }
  /** Contacts of whom it would be known if they had done it. */
  | { known: DidCondition; isNegated: boolean }

export function normalOf(filter: Filter, isNegated = false): Node {
  if ('not' in filter) return normalOf(filter.not, !isNegated)
  if ('and' in filter) {
    const parts = filter.and.map((entry) => normalOf(entry, isNegated))
    return isNegated ? anyOf(parts) : allOf(parts)
  }
  if ('or' in filter) {
    const parts = filter.or.map((entry) => normalOf(entry, isNegated))
    return isNegated ? allOf(parts) : anyOf(parts)
  }
  if ('did_not' in filter) {
    const { did_not: did, ...narrowing } = filter
    const condition = { did, ...narrowing }
    const absence = didNode(condition, !isNegated)
    if (!leavesUnknown(condition)) return absence
    // Whose opens nobody can see is never taken for silent.
    const knowledge: Node = { known: condition, isNegated }
    return isNegated ? anyOf([absence, knowledge]) : allOf([absence, knowledge])
  }
  return 'did' in filter ? didNode(filter, isNegated) : { condition: filter, isNegated }
}

const didNode = (condition: DidCondition, isNegated: boolean): Node =>
  isSimple(condition) ? { oneOf: [condition], isNegated } : { condition, isNegated }

function allOf(parts: readonly Node[]): Node {
  const all = together(
    parts.flatMap((part) => ('all' in part ? part.all : [part])),
    true,
  )
  return all.length === 1 && all[0] ? all[0] : { all }
}

function anyOf(parts: readonly Node[]): Node {
  const any = together(
    parts.flatMap((part) => ('any' in part ? part.any : [part])),
    false,
  )
  return any.length === 1 && any[0] ? any[0] : { any }
}

/** Merges conditions on behaviour, so that they are evaluated together. */
function together(parts: readonly Node[], isNegated: boolean): Node[] {
  const groups = new Map<string, DidCondition[]>()
  const others: Node[] = []
  for (const part of parts) {
    if (!('oneOf' in part) || part.isNegated !== isNegated) {
      others.push(part)
      continue
    }
    for (const condition of part.oneOf) {
      const name = narrowingOf(condition)
      const group = groups.get(name)
      if (group) group.push(condition)
      else groups.set(name, [condition])
    }
  }
  return [...[...groups.values()].map((oneOf) => ({ oneOf, isNegated })), ...others]
}

/** A key that is equal for two conditions that differ only in the event. */
function narrowingOf(condition: DidCondition): string {
  const isNarrowing = ([key]: [string, unknown]) => key !== 'did' && key !== 'at_least'
  const keys = Object.entries(condition)
    .filter(isNarrowing)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([isHappening(condition.did), keys])
}
