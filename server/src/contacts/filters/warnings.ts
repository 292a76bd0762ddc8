/** Warnings about a filter that may not mean what its author intended. Pure. */
import type { Condition, DidCondition, DidNotCondition, Filter } from './filter.ts'

export function warningsOf(filter: Filter): string[] {
  const conditions = conditionsIn(filter)
  return [...loneAbsence(conditions), ...machines(conditions), ...currencies(conditions)]
}

export function conditionsIn(filter: Filter): Condition[] {
  if ('not' in filter) return conditionsIn(filter.not)
  if ('and' in filter) return filter.and.flatMap(conditionsIn)
  if ('or' in filter) return filter.or.flatMap(conditionsIn)
  return [filter]
}

/** Somebody who was never sent a message also did not open it. */
function loneAbsence(conditions: readonly Condition[]): string[] {
  const [only] = conditions
  if (conditions.length !== 1 || !only || !('did_not' in only)) return []
  if (only.did_not === 'message.sent') return []
  return only.did_not.startsWith('message.')
    ? ['It is also of those who were never sent anything: add {"did":"message.sent"} beside it.']
    : ['It is also of those who have never done anything.']
}

function machines(conditions: readonly Condition[]): string[] {
  const isOpen = (condition: Condition): condition is DidCondition | DidNotCondition =>
    ('did' in condition && condition.did === 'message.opened') ||
    ('did_not' in condition && condition.did_not === 'message.opened')
  const opens = conditions.filter(isOpen)
  if (opens.length === 0) return []
  return opens.some(({ machines: all = false }) => all)
    ? ['Opens by machines count, too: mail programs and scanners open what nobody reads.']
    : ['Opens are counted of people alone: who reads without loading images is not seen.']
}

function currencies(conditions: readonly Condition[]): string[] {
  const isMixed = conditions.some(
    (condition) =>
      'did' in condition && condition.sum !== undefined && condition.currency === undefined,
  )
  return isMixed
    ? ['A sum adds up values of all currencies: narrow it by one, such as "currency":"EUR".']
    : []
}
