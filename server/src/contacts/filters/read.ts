/**
 * Reads a caller's input as a filter. All faults are reported at once, each with the corrected
 * piece. The filter is stored exactly as it was written.
 */
import { refuse } from '../../core/errors.ts'
import { isObject } from '../../lib/schema/is-object.ts'
import { type Fault, faultAt, joiningMeant, type Reading, shown } from './faults.ts'
import { type Filter, filterLimits } from './filter.ts'
import { readCondition } from './read-condition.ts'

const mostFaults = 20

/**
 * The filter, or the refusal that lists all faults. `at`: the name of the field that contains it.
 */
export function readFilter(written: unknown, at = 'filter'): Filter {
  const faults = faultsOf(written, at)
  const [first] = faults
  if (!first) return written as Filter
  const told = faults.slice(0, mostFaults)
  throw refuse('invalid_request', told.map(({ message }) => message).join(' '), {
    field: first.path,
    data: { faults: told },
  })
}

function faultsOf(written: unknown, at: string): Fault[] {
  const { depth, length } = filterLimits
  const deep = depthOf(written, depth + 1)
  if (deep > depth) {
    return [faultAt(at, `joins conditions more than ${depth} deep: at most ${depth}.`)]
  }
  if (JSON.stringify(written).length > length) {
    return [faultAt(at, `takes at most ${length} characters of JSON.`)]
  }
  const reading: Reading = { faults: [], conditions: 0, values: 0 }
  read(written, at, reading)
  const { conditions, values } = filterLimits
  if (reading.conditions > conditions) {
    reading.faults.push(faultAt(at, `has ${reading.conditions} conditions: at most ${conditions}.`))
  }
  if (reading.values > values) {
    reading.faults.push(faultAt(at, `lists ${reading.values} values: at most ${values}.`))
  }
  return reading.faults
}

/** How deep `and`, `or` and `not`, or synonyms of them, are nested; counting stops at `most`. */
function depthOf(value: unknown, most: number): number {
  if (most === 0 || !isObject(value)) return 0
  const within = Object.entries(value).flatMap(([key, one]) => (joiningMeant(key) ? one : []))
  if (within.length === 0) return Object.keys(value).some(joiningMeant) ? 1 : 0
  return (
    1 + within.reduce<number>((deepest, entry) => Math.max(deepest, depthOf(entry, most - 1)), 0)
  )
}

function read(written: unknown, at: string, reading: Reading): void {
  if (!isObject(written)) {
    const fix = Array.isArray(written) ? { and: written } : undefined
    const rule = 'takes an object: a condition such as {"tag":"vip"}, or and, or, not with some.'
    reading.faults.push(faultAt(at, rule, fix))
    return
  }
  const joining = Object.keys(written).filter(joiningMeant)
  const [key] = joining
  if (key === undefined) {
    readCondition(written, at, reading)
    return
  }
  if (Object.keys(written).length > 1) {
    const parts = Object.entries(written).filter(([one]) => joiningMeant(one))
    const rest = Object.entries(written).filter(([one]) => !joiningMeant(one))
    const fix = {
      and: [
        ...(rest.length > 0 ? [Object.fromEntries(rest)] : []),
        ...parts.map(([one, value]) => ({ [joiningMeant(one) ?? one]: value })),
      ],
    }
    const rule = `joins in one way: of ${Object.keys(written).slice(0, 5).map(shown).join(', ')} one, with the others within it.`
    reading.faults.push(faultAt(at, rule, fix))
    return
  }
  readJoined(key, written[key], { at, reading })
}

function readJoined(key: string, value: unknown, { at, reading }: Place): void {
  const word = joiningMeant(key)
  if (word !== key) {
    reading.faults.push(faultAt(at, `joins by ${word}, not by ${shown(key)}.`, meant(word, value)))
  }
  if (word === 'not') {
    if (Array.isArray(value) && word === key) {
      reading.faults.push(faultAt(at, 'takes one filter in not.', meant(word, value)))
      return
    }
    if (!Array.isArray(value)) read(value, `${at}.${key}`, reading)
    return
  }
  if (!Array.isArray(value) || value.length === 0) {
    const rule = 'takes a list of one filter or more.'
    const fix = isObject(value) ? [value] : undefined
    reading.faults.push(faultAt(`${at}.${key}`, rule, fix))
    return
  }
  for (const [n, one] of value.entries()) {
    if (reading.faults.length >= mostFaults) return
    read(one, `${at}.${key}[${n}]`, reading)
  }
}

interface Place {
  at: string
  reading: Reading
}

/** "None of these" is suggested as "not one of these". */
function meant(word: string | undefined, value: unknown): unknown {
  if (word === 'not') return { not: Array.isArray(value) ? { or: value } : value }
  return word && { [word]: value }
}
