/** Reads one condition: its kind, its keys, and the value of each. */
import { parseId } from '../../core/ids.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { channels, consentStatuses, consentSubjects, contactLimits } from '../contact.ts'
import { isTopicKey } from '../model/topic.ts'
import { durationMeant, type Fault, faultAt, type Reading, shown } from './faults.ts'
import { attributeField, filterLimits, filterReasons, isOwnField, topicStates } from './filter.ts'
import { countedKeys, readDid } from './read-did.ts'
import { readField } from './read-field.ts'
import { isTime, readDuration } from './times.ts'

type Written = Record<string, unknown>

/** The other keys that a condition accepts, by the key that determines its kind. */
const kinds = {
  field: ['op', 'value'],
  tag: [],
  consent: ['is', 'within', 'since', 'until'],
  topic: ['is', 'channel'],
  reachable: [],
  suppressed: ['reasons'],
  sample: ['seed'],
  segment: [],
  did: countedKeys,
  did_not: countedKeys,
} as const satisfies Record<string, readonly string[]>
type Kind = keyof typeof kinds
export const everyKind = Object.keys(kinds) as Kind[]

export function readCondition(written: Written, at: string, reading: Reading): void {
  reading.conditions += 1
  const { faults } = reading
  const kind = everyKind.find((word) => Object.hasOwn(written, word))
  if (!kind) {
    const rule = `is no condition: one has ${everyKind.join(', ')}, or and, or, not.`
    faults.push(faultAt(at, rule, conditionMeant(written)))
    return
  }
  const known = [kind, ...kinds[kind]]
  for (const key of Object.keys(written).slice(0, 20)) {
    if (known.includes(key as Kind)) continue
    const rest = Object.fromEntries(Object.entries(written).filter(([one]) => one !== key))
    const likely = nearest(key, known)
    const isFree = likely !== undefined && !Object.hasOwn(written, likely)
    const fix = isFree ? { ...rest, [likely]: written[key] } : rest
    faults.push(faultAt(at, `has no ${shown(key)}: ${kind} takes ${listOf(kinds[kind])}.`, fix))
  }
  readers[kind](written, at, reading)
}

const listOf = (keys: readonly string[]) => (keys.length === 0 ? 'nothing else' : keys.join(', '))

/** Suggests a correction for `{"plan": "pro"}`, as other query languages write it. */
function conditionMeant(written: Written): unknown {
  const [[key, value] = [], ...more] = Object.entries(written)
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

const readers: Readonly<Record<Kind, (written: Written, at: string, reading: Reading) => void>> = {
  field: readField,

  tag({ tag }, at, { faults }) {
    if (isText(tag, contactLimits.tagLength)) return
    const fix = Array.isArray(tag) ? { or: tag.map((entry) => ({ tag: entry })) } : undefined
    const rule = `takes one tag in tag, of at most ${contactLimits.tagLength} characters.`
    faults.push(faultAt(at, rule, fix))
  },

  consent(written, at, { faults }) {
    oneOf(written['consent'], { at: `${at}.consent`, choices: consentSubjects, faults })
    oneOf(written['is'], { at: `${at}.is`, choices: consentStatuses, faults })
    readWindow(written, at, faults)
    const isTimed = ['within', 'since', 'until'].some((text) => Object.hasOwn(written, text))
    if (written['is'] === 'none' && isTimed) {
      const { consent, is } = written
      faults.push(faultAt(at, 'has no time with none: nothing was said then.', { consent, is }))
    }
  },

  topic({ topic, is, channel }, at, { faults }) {
    if (typeof topic !== 'string' || !isTopicKey(topic)) {
      const rule = `takes the key of a topic (topic.list), not ${shown(topic)}.`
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
      const rule = `takes a list of ${filterReasons.join(', ')}, not ${shown(reasons)}.`
      const isReason = filterReasons.some((reason) => reason === reasons)
      faults.push(faultAt(`${at}.reasons`, rule, isReason ? [reasons] : undefined))
      return
    }
    for (const [index, reason] of reasons.entries()) {
      oneOf(reason, { at: `${at}.reasons[${index}]`, choices: filterReasons, faults })
    }
  },

  sample({ sample, seed }, at, { faults }) {
    if (typeof sample !== 'number' || !(sample >= 0.01 && sample <= 99.99)) {
      faults.push(faultAt(`${at}.sample`, 'takes a percentage from 0.01 to 99.99.'))
    }
    if (isText(seed, filterLimits.seedLength)) return
    const rule = `takes up to ${filterLimits.seedLength} characters: the same seed gives the same people.`
    faults.push(faultAt(`${at}.seed`, rule, 'spring'))
  },

  segment({ segment }, at, { faults }) {
    if (typeof segment === 'string' && parseId('segment', segment)) return
    const rule = `takes the id of a segment (segment.list), not ${shown(segment)}.`
    faults.push(faultAt(`${at}.segment`, rule))
  },

  did: readBehaviour,
  did_not: readBehaviour,
}

function readBehaviour(written: Written, at: string, reading: Reading): void {
  readDid(written, at, reading)
  readWindow(written, at, reading.faults)
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= most

interface Choice {
  at: string
  choices: readonly string[]
  faults: Fault[]
}

function oneOf(value: unknown, { at, choices, faults }: Choice): void {
  if (typeof value === 'string' && choices.includes(value)) return
  const rule = `is ${value === undefined ? 'missing' : shown(value)}: it takes ${choices.join(', ')}.`
  faults.push(faultAt(at, rule, typeof value === 'string' ? nearest(value, choices) : undefined))
}

function readWindow(written: Written, at: string, faults: Fault[]): void {
  const { within, since, until } = written
  if (within !== undefined) {
    if (typeof within !== 'string' || !readDuration(within)) {
      const rule = `takes a duration such as "30 days", not ${shown(within)}.`
      faults.push(faultAt(`${at}.within`, rule, durationMeant(within)))
    }
    if (since !== undefined || until !== undefined) {
      const { within: _, ...rest } = written
      faults.push(faultAt(at, 'has within beside since or until: one of them says when.', rest))
    }
  }
  for (const [key, time] of [
    ['since', since],
    ['until', until],
  ] as const) {
    if (time === undefined || (typeof time === 'string' && isTime(time))) continue
    const rule = `takes a day such as "2026-11-01" or a moment (RFC 3339), not ${shown(time)}.`
    faults.push(faultAt(`${at}.${key}`, rule))
  }
}
