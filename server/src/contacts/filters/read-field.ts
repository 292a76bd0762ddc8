/** Reads a condition on a field: the field, one of its operators, and a value of its type. */
import { nearest } from '../../lib/text/nearest.ts'
import { contactLimits } from '../contact.ts'
import { durationMeant, faultAt, operatorMeant, type Reading, shown } from './faults.ts'
import {
  attributeField,
  attributeKey,
  everyOperator,
  filterLimits,
  isOwnField,
  type Operator,
  operators,
  operatorsOfThePast,
  ownFields,
} from './filter.ts'
import { isDay, isTime, readDuration, shifted } from './times.ts'

export function readField(written: Record<string, unknown>, at: string, reading: Reading): void {
  const { field, op, value } = written
  const { faults } = reading
  if (!isField(field)) {
    const rule = `is ${shown(field)}: the fields are ${Object.keys(ownFields).join(', ')}, and attributes. with a key.`
    faults.push(faultAt(`${at}.field`, rule, fieldMeant(field)))
    const likely = operatorOf(op)
    if (likely && likely !== op) {
      const every = `is ${shown(op)}: the operators are ${everyOperator.join(', ')}.`
      faults.push(faultAt(`${at}.op`, every, likely))
    }
    return
  }
  const has = operatorsOf(field)
  if (typeof op !== 'string' || !has.includes(op as Operator)) {
    const likely = operatorOf(op)
    const rule = `is ${op === undefined ? 'missing' : shown(op)}: ${field} takes ${has.join(', ')}.`
    faults.push(faultAt(`${at}.op`, rule, likely && has.includes(likely) ? likely : undefined))
    return
  }
  const asked = { op: op as Operator, value, isAttribute: attributeKey(field) !== undefined }
  if (Array.isArray(value)) reading.values += value.length
  const wrong = valueFault(asked)
  if (!wrong) return
  if (value !== undefined && (operators.any as readonly string[]).includes(op)) {
    faults.push(faultAt(at, wrong.rule, { field, op }))
  } else {
    faults.push(faultAt(`${at}.value`, wrong.rule, wrong.fix))
  }
}

const operatorOf = (op: unknown) => (typeof op === 'string' ? operatorMeant(op) : undefined)

function isField(field: unknown): field is string {
  if (typeof field !== 'string') return false
  const key = attributeKey(field)
  if (key === undefined) return isOwnField(field)
  return key.length >= 1 && key.length <= contactLimits.attributeKeyLength
}

/** Suggests `attributes.plan` for `plan`, where it is not a misspelled built-in field. */
function fieldMeant(field: unknown): string | undefined {
  if (typeof field !== 'string' || field === '') return undefined
  const bare = field.startsWith('attribute.') ? field.slice('attribute.'.length) : field
  const likely = nearest(bare, Object.keys(ownFields))
  if (likely) return likely
  return bare.length <= contactLimits.attributeKeyLength ? attributeField(bare) : undefined
}

function operatorsOf(field: string): readonly Operator[] {
  if (!isOwnField(field)) return everyOperator
  const own = ownFields[field] === 'text' ? operators.text : operatorsOfThePast
  return [...own, ...operators.any]
}

interface FieldComparison {
  op: Operator
  value: unknown
  isAttribute: boolean
}

interface Wrong {
  rule: string
  fix?: unknown
}

const times = 'a day such as "2026-11-01" or a moment (RFC 3339)'

function valueFault({ op, value, isAttribute }: FieldComparison): Wrong | undefined {
  switch (op) {
    case 'exists':
    case 'missing':
      return value === undefined ? undefined : { rule: `takes no value with ${op}.` }
    case 'is':
    case 'is_not':
      return oneFault(value, isAttribute)
    case 'in':
    case 'not_in':
      return listFault(value, isAttribute)
    case 'contains':
    case 'not_contains':
    case 'starts_with':
    case 'ends_with':
      return isPart(value) ? undefined : no('a text that is not empty', value)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof value === 'number' ? undefined : no('a number', value, numberMeant(value))
    case 'between':
      return betweenFault(value, isAttribute)
    case 'on':
      return typeof value === 'string' && isDay(value)
        ? undefined
        : no('a day such as "2026-11-01"', value)
    case 'before':
    case 'after':
      return typeof value === 'string' && isTime(value) ? undefined : no(times, value)
    default:
      return durationFault(op, value)
  }
}

function no(what: string, value: unknown, fix?: unknown): Wrong {
  return { rule: `takes ${what}, not ${shown(value)}.`, fix }
}

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= filterLimits.valueLength

const isPart = (value: unknown) => isShort(value) && value !== ''

function oneFault(value: unknown, isAttribute: boolean): Wrong | undefined {
  if (isShort(value)) return undefined
  if (isAttribute && (typeof value === 'number' || typeof value === 'boolean')) return undefined
  return no(isAttribute ? 'a text, a number, true or false' : 'a text', value)
}

function listFault(value: unknown, isAttribute: boolean): Wrong | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    return no('a list of one value or more', value, isShort(value) ? [value] : undefined)
  }
  const wrong = value.find(
    (entry) => !isShort(entry) && !(isAttribute && typeof entry === 'number'),
  )
  return wrong === undefined ? undefined : no('texts in its list', wrong)
}

function betweenFault(value: unknown, isAttribute: boolean): Wrong | undefined {
  const what = isAttribute ? 'two numbers or two dates' : 'two dates'
  if (!Array.isArray(value) || value.length !== 2) return no(`a list of ${what}`, value)
  const [first, second] = value
  if (isAttribute && typeof first === 'number' && typeof second === 'number') {
    return first <= second ? undefined : no('the smaller number first', value, [second, first])
  }
  const areTimes = value.every((entry) => typeof entry === 'string' && isTime(entry))
  if (!areTimes) return no(`a list of ${what}`, value)
  const isOrdered = Date.parse(first) <= Date.parse(second)
  return isOrdered ? undefined : no('the earlier date first', value, [second, first])
}

function durationFault(op: Operator, value: unknown): Wrong | undefined {
  if (typeof value !== 'string' || !readDuration(value)) {
    const what = `a duration such as "30 days", of at most ${filterLimits.years} years`
    return no(what, value, durationMeant(value))
  }
  const isLong = op === 'anniversary' && !isWithinAYear(value)
  return isLong ? no('a duration of at most a year', value, '1 year') : undefined
}

function isWithinAYear(duration: string): boolean {
  const from = new Date('2027-01-01T00:00Z')
  return shifted(from, duration, 1) <= shifted(from, '1 year', 1)
}

function numberMeant(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 30) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
