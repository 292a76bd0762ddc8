/** Faults in a filter, with suggestions of what was probably meant. */
import { nearest } from '../../lib/text/nearest.ts'
import { everyOperator, type Operator } from './filter.ts'
import { readDuration, units } from './times.ts'

export interface Fault {
  /** The path of the fault: `filter.and[1].op`. */
  path: string
  /** A sentence that begins with the path. */
  message: string
  /** The corrected piece at the path, if it can be determined. */
  fix?: unknown
}

/** The state of reading a filter. */
export interface Reading {
  faults: Fault[]
  conditions: number
  /** The number of values in lists so far. */
  values: number
}

/** The most characters of the caller's input that a fault repeats. */
const shownLength = 200
/** The most characters of JSON of a suggested correction. */
const longestFix = 1_000

/** A value as JSON, truncated. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text
}

export function faultAt(path: string, rule: string, fix?: unknown): Fault {
  const isShort = fix !== undefined && JSON.stringify(fix).length <= longestFix
  return { path, message: `${path} ${rule}`, ...(isShort && { fix }) }
}

const joiningWords: Readonly<Record<string, 'and' | 'or' | 'not'>> = {
  all: 'and',
  all_of: 'and',
  every: 'and',
  must: 'and',
  $and: 'and',
  any: 'or',
  any_of: 'or',
  some: 'or',
  should: 'or',
  $or: 'or',
  none: 'not',
  none_of: 'not',
  must_not: 'not',
  $not: 'not',
  $nor: 'not',
}

/** `and` for `all`; undefined where the key is not a synonym. */
export function joiningMeant(key: string): 'and' | 'or' | 'not' | undefined {
  const word = key.toLowerCase()
  if (word === 'and' || word === 'or' || word === 'not') return word
  return Object.hasOwn(joiningWords, word) ? joiningWords[word] : undefined
}

const operatorWords: Readonly<Record<string, Operator>> = {
  equals: 'is',
  equal: 'is',
  eq: 'is',
  '=': 'is',
  '==': 'is',
  '===': 'is',
  not_equals: 'is_not',
  ne: 'is_not',
  neq: 'is_not',
  '!=': 'is_not',
  '<>': 'is_not',
  one_of: 'in',
  any_of: 'in',
  none_of: 'not_in',
  nin: 'not_in',
  includes: 'contains',
  like: 'contains',
  begins_with: 'starts_with',
  prefix: 'starts_with',
  suffix: 'ends_with',
  '>': 'gt',
  greater_than: 'gt',
  more_than: 'gt',
  '>=': 'gte',
  at_least: 'gte',
  '<': 'lt',
  less_than: 'lt',
  '<=': 'lte',
  at_most: 'lte',
  newer_than: 'within',
  since: 'after',
  is_set: 'exists',
  not_exists: 'missing',
  is_null: 'missing',
  empty: 'missing',
}

/** The operator that another word stands for, or that is spelled most similarly. */
export function operatorMeant(text: string): Operator | undefined {
  const word = text.slice(0, 40).trim().toLowerCase().replaceAll(/[ -]/g, '_').replace('$', '')
  if (Object.hasOwn(operatorWords, word)) return operatorWords[word]
  return nearest(word, everyOperator) as Operator | undefined
}

const unitLetters: Readonly<Record<string, (typeof units)[number]>> = {
  min: 'minute',
  h: 'hour',
  hr: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  m: 'month',
  y: 'year',
  yr: 'year',
}

/** `30 days` for `30d`, `P30D` and 30. */
export function durationMeant(written: unknown): string | undefined {
  if (typeof written === 'number') return durationOf(`${written}`, 'day')
  if (typeof written !== 'string') return undefined
  const text = written.slice(0, 40).trim().toLowerCase().replace('last ', '')
  const bare = text.startsWith('p') ? text.slice(1) : text
  const digits = bare.search(/\D/)
  if (digits < 1) return durationOf(bare, 'day')
  const word = bare.slice(digits).trim().replace('-', '')
  const unit = Object.hasOwn(unitLetters, word)
    ? unitLetters[word]
    : units.find((entry) => entry === nearest(word, units))
  return unit && durationOf(bare.slice(0, digits), unit)
}

function durationOf(count: string, unit: string): string | undefined {
  const duration = `${Number(count)} ${unit}${Number(count) === 1 ? '' : 's'}`
  return readDuration(duration) ? duration : undefined
}
