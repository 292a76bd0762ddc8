/**
 * Reads a caller's input as a filter. All faults are reported at once, each with the corrected
 * piece. The filter is stored exactly as it was written.
 */
import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { isObject } from '../../lib/text/i-json.ts'
import { nearest } from '../../lib/text/nearest.ts'
import {
  channels,
  consentStatuses,
  consentSubjects,
  contactLimits,
  isDay,
  isTime,
} from '../contact.ts'
import {
  isCurrency,
  isOwnEventName,
  ownEventLimits,
  reservedNames,
  suggestOwnEventName,
} from '../own-events/own-event.ts'
import { whereFault } from '../own-events/property-rules.ts'
import { standings } from '../suppressions/standing.ts'
import { isTopicKey } from '../topics/topic.ts'
import {
  durationMeant,
  type Fault,
  faultAt,
  joiningMeant,
  operatorMeant,
  type Reading,
  shown,
} from './faults.ts'
import {
  amountKeys,
  attributeField,
  attributeKey,
  didLimits,
  everyOperator,
  type Filter,
  filterLimits,
  filterReasons,
  happenings,
  isHappening,
  isOwnField,
  linkOf,
  narrowingKeys,
  narrowingsOf,
  type Operator,
  operators,
  operatorsOfThePast,
  ownFields,
  topicStates,
} from './filter.ts'
import { readDuration, shifted } from './times.ts'

const mostFaults = 20

/**
 * The filter, or the refusal that lists all faults. `at`: the name of the field that contains it.
 */
export function readFilter(input: unknown, at = 'filter'): Filter {
  const faults = faultsOf(input, at)
  const [first] = faults
  if (!first) return input as Filter
  const listed = faults.slice(0, mostFaults)
  throw refuse('invalid_request', listed.map(({ message }) => message).join(' '), {
    field: first.path,
    data: { reason: 'wrong_filter', faults: listed },
  })
}

function faultsOf(input: unknown, at: string): Fault[] {
  const { depth, length } = filterLimits
  const deep = depthOf(input, depth + 1)
  if (deep > depth) {
    return [faultAt(at, `joins conditions more than ${depth} deep: at most ${depth}.`)]
  }
  if (JSON.stringify(input).length > length) {
    return [faultAt(at, `must be at most ${length} characters of JSON.`)]
  }
  const reading: Reading = { faults: [], conditions: 0, values: 0 }
  read(input, at, reading)
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
function depthOf(value: unknown, limit: number): number {
  if (limit === 0 || !isObject(value)) return 0
  const within = Object.entries(value).flatMap(([key, part]) => (joiningMeant(key) ? part : []))
  if (within.length === 0) return Object.keys(value).some(joiningMeant) ? 1 : 0
  return (
    1 + within.reduce<number>((deepest, entry) => Math.max(deepest, depthOf(entry, limit - 1)), 0)
  )
}

function read(input: unknown, at: string, reading: Reading): void {
  if (!isObject(input)) {
    const fix = Array.isArray(input) ? { and: input } : undefined
    const rule = 'must be an object: a condition such as {"tag":"vip"}, or and, or, not with some.'
    reading.faults.push(faultAt(at, rule, fix))
    return
  }
  const joining = Object.keys(input).filter(joiningMeant)
  const [key] = joining
  if (key === undefined) {
    readCondition(input, at, reading)
    return
  }
  if (Object.keys(input).length > 1) {
    const joined = Object.entries(input).filter(([name]) => joiningMeant(name))
    const rest = Object.entries(input).filter(([name]) => !joiningMeant(name))
    const fix = {
      and: [
        ...(rest.length > 0 ? [Object.fromEntries(rest)] : []),
        ...joined.map(([name, value]) => ({ [joiningMeant(name) ?? name]: value })),
      ],
    }
    const rule = `must use exactly one of ${Object.keys(input).slice(0, 5).map(shown).join(', ')}; nest the others inside it.`
    reading.faults.push(faultAt(at, rule, fix))
    return
  }
  readJoined(key, input[key], { at, reading })
}

function readJoined(key: string, value: unknown, { at, reading }: Place): void {
  const word = joiningMeant(key)
  if (word !== key) {
    reading.faults.push(faultAt(at, `joins by ${word}, not by ${shown(key)}.`, meant(word, value)))
  }
  if (word === 'not') {
    if (Array.isArray(value) && word === key) {
      reading.faults.push(faultAt(at, 'must have one filter in not.', meant(word, value)))
      return
    }
    if (!Array.isArray(value)) read(value, `${at}.${key}`, reading)
    return
  }
  if (!Array.isArray(value) || value.length === 0) {
    const rule = 'must be a list of one filter or more.'
    const fix = isObject(value) ? [value] : undefined
    reading.faults.push(faultAt(`${at}.${key}`, rule, fix))
    return
  }
  for (const [n, part] of value.entries()) {
    if (reading.faults.length >= mostFaults) return
    read(part, `${at}.${key}[${n}]`, reading)
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

type Written = Record<string, unknown>

const didKeys = [...narrowingKeys, 'within', 'since', 'until'] as const
const countedKeys = [...didKeys, 'sum', ...amountKeys] as const

/** The other keys that a condition accepts, by the key that determines its kind. */
const kinds = {
  field: ['op', 'value'],
  tag: [],
  consent: ['is', 'within', 'since', 'until'],
  topic: ['is', 'channel'],
  reachable: [],
  suppressed: ['reasons'],
  standing: ['is'],
  sample: ['seed'],
  segment: [],
  did: countedKeys,
  did_not: countedKeys,
} as const satisfies Record<string, readonly string[]>
type Kind = keyof typeof kinds
export const everyKind = Object.keys(kinds) as Kind[]

export function readCondition(input: Written, at: string, reading: Reading): void {
  reading.conditions += 1
  const { faults } = reading
  const kind = everyKind.find((word) => Object.hasOwn(input, word))
  if (!kind) {
    const rule = `is no condition: one has ${everyKind.join(', ')}, or and, or, not.`
    faults.push(faultAt(at, rule, conditionMeant(input)))
    return
  }
  const names = [kind, ...kinds[kind]]
  for (const key of Object.keys(input).slice(0, 20)) {
    if (names.includes(key as Kind)) continue
    const rest = Object.fromEntries(Object.entries(input).filter(([name]) => name !== key))
    const likely = nearest(key, names)
    const isFree = likely !== undefined && !Object.hasOwn(input, likely)
    const fix = isFree ? { ...rest, [likely]: input[key] } : rest
    faults.push(faultAt(at, `has no ${shown(key)}: ${kind} accepts ${listOf(kinds[kind])}.`, fix))
  }
  readers[kind](input, at, reading)
}

const listOf = (keys: readonly string[]) => (keys.length === 0 ? 'nothing else' : keys.join(', '))

/** Suggests a correction for `{"plan": "pro"}`, as other query languages write it. */
function conditionMeant(input: Written): unknown {
  const [[key, value] = [], ...more] = Object.entries(input)
  if (key === undefined || more.length > 0) return undefined
  if (key === 'tags' && Array.isArray(value)) {
    const tags = value.map((tag) => ({ tag }))
    return tags.length === 1 ? tags[0] : { or: tags }
  }
  const likely = nearest(key, everyKind)
  if (likely) return { [likely]: value }
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  const field = isOwnField(key) || key.startsWith('attributes.') ? key : attributeField(key)
  return isPlain ? { field, op: 'is', value } : undefined
}

const readers: Readonly<Record<Kind, (input: Written, at: string, reading: Reading) => void>> = {
  field: readField,

  tag({ tag }, at, { faults }) {
    if (isText(tag, contactLimits.tagLength)) return
    const fix = Array.isArray(tag) ? { or: tag.map((entry) => ({ tag: entry })) } : undefined
    const rule = `must have one tag in tag, of at most ${contactLimits.tagLength} characters.`
    faults.push(faultAt(at, rule, fix))
  },

  consent(input, at, { faults }) {
    oneOf(input['consent'], { at: `${at}.consent`, choices: consentSubjects, faults })
    oneOf(input['is'], { at: `${at}.is`, choices: consentStatuses, faults })
    readWindow(input, at, faults)
    const isTimed = ['within', 'since', 'until'].some((text) => Object.hasOwn(input, text))
    if (input['is'] === 'none' && isTimed) {
      const { consent, is } = input
      faults.push(
        faultAt(at, "can't be combined with a time when the status is none.", { consent, is }),
      )
    }
  },

  topic({ topic, is, channel }, at, { faults }) {
    if (typeof topic !== 'string' || !isTopicKey(topic)) {
      const rule = `must be the key of a topic (topic.list), not ${shown(topic)}.`
      const meant = typeof topic === 'string' ? topic.slice(0, 100).trim().toLowerCase() : ''
      faults.push(faultAt(`${at}.topic`, rule, isTopicKey(meant) ? meant : undefined))
    }
    oneOf(is, { at: `${at}.is`, choices: topicStates, faults })
    if (channel !== undefined) oneOf(channel, { at: `${at}.channel`, choices: channels, faults })
  },

  reachable({ reachable }, at, { faults }) {
    oneOf(reachable, { at: `${at}.reachable`, choices: channels, faults })
  },

  suppressed({ suppressed, reasons }, at, { faults }) {
    oneOf(suppressed, { at: `${at}.suppressed`, choices: channels, faults })
    if (reasons === undefined) return
    if (!Array.isArray(reasons) || reasons.length === 0 || reasons.length > filterReasons.length) {
      const rule = `must be a list of ${filterReasons.join(', ')}, not ${shown(reasons)}.`
      const isReason = filterReasons.some((reason) => reason === reasons)
      faults.push(faultAt(`${at}.reasons`, rule, isReason ? [reasons] : undefined))
      return
    }
    for (const [index, reason] of reasons.entries()) {
      oneOf(reason, { at: `${at}.reasons[${index}]`, choices: filterReasons, faults })
    }
  },

  standing({ standing, is }, at, { faults }) {
    oneOf(standing, { at: `${at}.standing`, choices: channels, faults })
    oneOf(is, { at: `${at}.is`, choices: standings, faults })
  },

  sample({ sample, seed }, at, { faults }) {
    if (typeof sample !== 'number' || !(sample >= 0.01 && sample <= 99.99)) {
      faults.push(faultAt(`${at}.sample`, 'must be a percentage from 0.01 to 99.99.'))
    }
    if (isText(seed, filterLimits.seedLength)) return
    const rule = `can be up to ${filterLimits.seedLength} characters: the same seed gives the same people.`
    faults.push(faultAt(`${at}.seed`, rule, 'spring'))
  },

  segment({ segment }, at, { faults }) {
    if (typeof segment === 'string' && parseId('segment', segment)) return
    const rule = `must be the id of a segment (segment.list), not ${shown(segment)}.`
    faults.push(faultAt(`${at}.segment`, rule))
  },

  did: readBehaviour,
  did_not: readBehaviour,
}

function readBehaviour(input: Written, at: string, reading: Reading): void {
  readDid(input, at, reading)
  readWindow(input, at, reading.faults)
}

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= maxLength

interface Choice {
  at: string
  choices: readonly string[]
  faults: Fault[]
}

function oneOf(value: unknown, { at, choices, faults }: Choice): void {
  if (typeof value === 'string' && choices.includes(value)) return
  const rule = `is ${value === undefined ? 'missing' : shown(value)}: it must be one of ${choices.join(', ')}.`
  faults.push(faultAt(at, rule, typeof value === 'string' ? nearest(value, choices) : undefined))
}

function readWindow(input: Written, at: string, faults: Fault[]): void {
  const { within, since, until } = input
  if (within !== undefined) {
    if (typeof within !== 'string' || !readDuration(within)) {
      const rule = `must be a duration such as "30 days", not ${shown(within)}.`
      faults.push(faultAt(`${at}.within`, rule, durationMeant(within)))
    }
    if (since !== undefined || until !== undefined) {
      const { within: _, ...rest } = input
      faults.push(faultAt(at, 'has within beside since or until: one of them says when.', rest))
    }
  }
  for (const [key, time] of [
    ['since', since],
    ['until', until],
  ] as const) {
    if (time === undefined || (typeof time === 'string' && isTime(time))) continue
    const rule = `must be a day such as "2026-11-01" or a moment (RFC 3339), not ${shown(time)}.`
    faults.push(faultAt(`${at}.${key}`, rule))
  }
}

/** Reads a condition on behaviour: the event, what narrows it, its time, and its count. */
function readDid(input: Written, at: string, { faults }: Reading): void {
  const key = Object.hasOwn(input, 'did') ? 'did' : 'did_not'
  const event = input[key]
  if (typeof event !== 'string' || !(isHappening(event) || isOwnEventName(event))) {
    const rule = `is ${shown(event)}: it must be one of ${happenings.join(', ')}, or the name of an event of contact.track.`
    faults.push(faultAt(`${at}.${key}`, rule, eventMeant(event)))
    return
  }
  readNarrowing(input, { at, event, faults })
  if (key === 'did') readAmount(input, { at, event, faults })
  else if ([...amountKeys, 'sum'].some((text) => Object.hasOwn(input, text))) {
    const rule = 'counts nothing with did_not: ask with did and at_most.'
    faults.push(faultAt(at, rule, countedMeant(input)))
  }
}

function eventMeant(event: unknown): string | undefined {
  if (typeof event !== 'string' || event.length > 100) return undefined
  const word = event.trim().toLowerCase()
  const bare = word.slice(word.indexOf('.') + 1)
  const ending = (all: string) => all.slice(all.indexOf('.') + 1)
  if (word.includes('.') || reservedNames.includes(word)) {
    const found = happenings.find((happening) => ending(happening) === bare)
    return found ?? (nearest(word, happenings) as string | undefined)
  }
  return suggestOwnEventName(word)
}

/** Somebody who did not do it three times did it at most twice. */
function countedMeant(input: Written): unknown {
  const { did_not: did, at_least: least, sum: _, ...rest } = input
  const others = Object.entries(rest).filter(
    ([key]) => !(amountKeys as readonly string[]).includes(key),
  )
  const narrowed = Object.fromEntries(others)
  return typeof least === 'number' && least > 1
    ? { did, ...narrowed, at_most: least - 1 }
    : { did_not: did, ...narrowed }
}

interface Behaviour {
  at: string
  event: string
  faults: Fault[]
}

function readNarrowing(input: Written, { at, event, faults }: Behaviour): void {
  const allowed = narrowingsOf(event)
  for (const key of narrowingKeys) {
    const value = input[key]
    if (value === undefined) continue
    if (!allowed.includes(key)) {
      const { [key]: _, ...rest } = input
      const rule = `has no ${key}: ${event} is narrowed by ${allowed.join(', ')}.`
      faults.push(faultAt(at, rule, rest))
      continue
    }
    if (key === 'where') {
      const wrongRule = whereFault(value, `${at}.where`, false)
      if (wrongRule) faults.push(faultAt(wrongRule.path, wrongRule.rule))
      continue
    }
    const fault = wrongIn[key](value)
    if (fault) faults.push(faultAt(`${at}.${key}`, `must be ${fault}, not ${shown(value)}.`))
  }
}

const isId = (noun: 'campaign' | 'template' | 'form', value: unknown) =>
  typeof value === 'string' && parseId(noun, value) !== undefined

const wrongIn: Readonly<
  Record<Exclude<(typeof narrowingKeys)[number], 'where'>, (value: unknown) => string | false>
> = {
  campaign_id: (value) => !isId('campaign', value) && 'the id of a campaign (campaign.list)',
  template_id: (value) => !isId('template', value) && 'the id of a template (template.list)',
  form_id: (value) => !isId('form', value) && 'the id of a form (form.list)',
  channel: (value) => !channels.some((channel) => channel === value) && channels.join(' or '),
  link: (value) =>
    !(typeof value === 'string' && linkOf(value) !== undefined) &&
    'a URL that begins with https://',
  machines: (value) => typeof value !== 'boolean' && 'true or false',
  currency: (value) =>
    !(typeof value === 'string' && isCurrency(value)) && 'a currency such as "EUR" (ISO 4217)',
}

function readAmount(input: Written, { at, event, faults }: Behaviour): void {
  const { sum } = input
  const keys = amountKeys.filter((key) => input[key] !== undefined)
  const [key, second] = keys
  if (second !== undefined) {
    const dropped = Object.fromEntries(Object.entries(input).filter(([name]) => name !== second))
    faults.push(faultAt(at, `must have one of ${amountKeys.join(', ')}.`, dropped))
  }
  if (sum !== undefined) {
    if (sum !== 'value')
      faults.push(faultAt(`${at}.sum`, `must be "value", not ${shown(sum)}.`, 'value'))
    if (isHappening(event)) {
      const { sum: _, ...rest } = input
      faults.push(faultAt(at, 'has no sum: only events of contact.track have values.', rest))
    }
    if (key === undefined) {
      faults.push(faultAt(at, `has a sum and no ${amountKeys.join(', ')} to compare it with.`))
    }
  }
  if (key === undefined) return
  const amount = input[key]
  const least = key === 'at_least' ? 1 : 0
  if (sum === undefined) {
    const isRight =
      Number.isSafeInteger(amount) && Number(amount) >= least && Number(amount) <= didLimits.amount
    if (!isRight) {
      const rule = `must be a whole number from ${least} to ${didLimits.amount}, not ${shown(amount)}.`
      faults.push(faultAt(`${at}.${key}`, rule))
    }
  } else if (typeof amount !== 'number' || Math.abs(amount) > ownEventLimits.value) {
    faults.push(faultAt(`${at}.${key}`, `must be a number, not ${shown(amount)}.`))
  }
}

/** Reads a condition on a field: the field, one of its operators, and a value of its type. */
function readField(input: Record<string, unknown>, at: string, reading: Reading): void {
  const { field, op, value } = input
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
    const rule = `is ${op === undefined ? 'missing' : shown(op)}: ${field} accepts ${has.join(', ')}.`
    faults.push(faultAt(`${at}.op`, rule, likely && has.includes(likely) ? likely : undefined))
    return
  }
  const condition = { op: op as Operator, value, isAttribute: attributeKey(field) !== undefined }
  if (Array.isArray(value)) reading.values += value.length
  const fault = valueFault(condition)
  if (!fault) return
  if (value !== undefined && (operators.any as readonly string[]).includes(op)) {
    faults.push(faultAt(at, fault.rule, { field, op }))
  } else {
    faults.push(faultAt(`${at}.value`, fault.rule, fault.fix))
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
      return value === undefined ? undefined : { rule: `cannot have a value with ${op}.` }
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

function no(expected: string, value: unknown, fix?: unknown): Wrong {
  return { rule: `must be ${expected}, not ${shown(value)}.`, fix }
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
  const invalidValue = value.find(
    (entry) => !isShort(entry) && !(isAttribute && typeof entry === 'number'),
  )
  return invalidValue === undefined ? undefined : no('texts in its list', invalidValue)
}

function betweenFault(value: unknown, isAttribute: boolean): Wrong | undefined {
  const operands = isAttribute ? 'two numbers or two dates' : 'two dates'
  if (!Array.isArray(value) || value.length !== 2) return no(`a list of ${operands}`, value)
  const [first, second] = value
  if (isAttribute && typeof first === 'number' && typeof second === 'number') {
    return first <= second ? undefined : no('the smaller number first', value, [second, first])
  }
  const areTimes = value.every((entry) => typeof entry === 'string' && isTime(entry))
  if (!areTimes) return no(`a list of ${operands}`, value)
  const isOrdered = Date.parse(first) <= Date.parse(second)
  return isOrdered ? undefined : no('the earlier date first', value, [second, first])
}

function durationFault(op: Operator, value: unknown): Wrong | undefined {
  if (typeof value !== 'string' || !readDuration(value)) {
    const duration = `a duration such as "30 days", of at most ${filterLimits.years} years`
    return no(duration, value, durationMeant(value))
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
