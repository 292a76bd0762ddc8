/** Filters in words, for people who only want to know whom one selects. */
import { filterWords } from '../../words/filters.ts'
import type { Filter } from './model.ts'

/** Levels that are written out; what is nested deeper stays JSON. */
const deepest = 5

export function filterInWords(filter: Filter, depth = 0): string {
  const { said } = filterWords
  if (depth > deepest) return JSON.stringify(filter)
  const inner = (entry: unknown) => filterInWords(entry as Filter, depth + 1)
  for (const join of ['and', 'or'] as const) {
    const list = filter[join]
    if (!Array.isArray(list)) continue
    const text = list.map(inner).join(said[join])
    return depth > 0 && list.length > 1 ? `(${text})` : text
  }
  if (filter['not'] !== undefined) return said.not(inner(filter['not']))
  return conditionInWords(filter) ?? JSON.stringify(filter)
}

/** Undefined for a condition that these words cannot tell in full. */
function conditionInWords(condition: Filter): string | undefined {
  const { tag, consent, reachable, topic, is, channel, within, since, until, ...rest } = condition
  const { field, op, value, did, did_not, sample, seed: _seed, ...more } = rest
  if (Object.keys(more).length > 0 || channel !== undefined) return undefined
  const { said, operators, events, consents } = filterWords
  const period = periodInWords({ within, since, until })
  if (tag !== undefined) return said.tag(shown(tag))
  if (reachable !== undefined) return said.reachable(operators[shown(reachable)] ?? '')
  if (consent !== undefined) {
    const how = operators[shown(consent)]
    return how && `${consents[shown(is)] ?? shown(is)} ${how}${period}`
  }
  if (topic !== undefined) return said.topic(shown(topic), consents[shown(is)] ?? shown(is))
  if (did !== undefined) return (events[shown(did)] ?? said.did(shown(did))) + period
  if (did_not !== undefined) {
    return said.never(events[shown(did_not)] ?? said.did(shown(did_not))) + period
  }
  if (sample !== undefined) return said.sample(shown(sample))
  return typeof field === 'string' ? fieldInWords(field, op, value) : undefined
}

function fieldInWords(field: string, op: unknown, value: unknown): string | undefined {
  const { kinds, operators } = filterWords
  const operator = operators[shown(op)]
  if (operator === undefined) return undefined
  const name = kinds[field] ?? field.replace(/^attributes\./, '')
  return `${name} ${operator}${value === undefined ? '' : ` ${shown(value)}`}`
}

function periodInWords(period: { within: unknown; since: unknown; until: unknown }): string {
  const { said, operators } = filterWords
  const { within, since, until } = period
  const parts = [
    within !== undefined && `${operators['within']} ${shown(within)}`,
    since !== undefined && said.since(shown(since)),
    until !== undefined && said.until(shown(until)),
  ]
  return parts.map((part) => (part ? ` ${part}` : '')).join('')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
