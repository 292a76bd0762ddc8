/**
 * The definition of a sequence: who enters, when they leave, its goal and its hours; its steps are in
 * `steps.ts`. What a caller wrote is read strictly, with the first fault named, and stored as it was
 * written.
 */

import { attributeKey, type Filter, linkOf } from '../contacts/filters/filter.ts'
import { readFilter } from '../contacts/filters/read.ts'
import { readDuration } from '../contacts/filters/times.ts'
import type { PropertyRules } from '../contacts/own-events/property-rules.ts'
import { parseId } from '../core/ids.ts'
import { sequenceLimits } from './limits.ts'
import {
  fault,
  hasWork,
  noOtherKeys,
  objectAt,
  type Reading,
  readEventName,
  readSinceFilter,
  readSteps,
  readTag,
  readTime,
  readTopicKey,
  readWait,
  readWeekdays,
  readWhere,
  type Step,
  type Weekday,
} from './steps.ts'

export const entryEvents = [
  'consent.given',
  'form.submitted',
  'tag.added',
  'own_event',
  'message.clicked',
  'segment.entered',
  'date',
] as const
type EntryEvent = (typeof entryEvents)[number]

const leapDays = ['feb_28', 'mar_1'] as const
type LeapDay = (typeof leapDays)[number]

export interface Enter {
  on: EntryEvent
  form_id?: string
  topic?: string
  tag?: string
  event?: string
  link?: string
  segment_id?: string
  /** The attribute with the date. */
  field?: string
  /** The entry before or after the date. */
  offset?: string
  yearly?: true
  /** The time of day of the entry, on the person's clock. */
  at?: string
  /** The day on which yearly dates of 29 February fall in other years. */
  leap_day?: LeapDay
  where?: PropertyRules
  filter?: Filter
  imports?: true
  again?: string
}

export interface Hours {
  days?: readonly Weekday[]
  from: string
  to: string
  clock?: 'business' | 'recipient'
}

export interface Definition {
  /** A mail that waits longer, for its hours or in a pause, is left out. */
  wait_at_most?: string
  kind: 'marketing' | 'transactional'
  enter: Enter
  exit?: Filter
  goal?: Filter
  /** How long after an entry it is asked who reached the goal. */
  goal_within?: string
  holdout?: number
  hours?: Hours
  steps: readonly Step[]
}

export const definitionKeys = [
  'kind',
  'enter',
  'exit',
  'goal',
  'goal_within',
  'holdout',
  'hours',
  'wait_at_most',
  'steps',
] as const

/** What a caller wrote of a definition, before it is read. */
export type WrittenDefinition = { [K in (typeof definitionKeys)[number]]?: unknown }

export function readDefinition(input: WrittenDefinition): Definition {
  const { kind = 'marketing', enter, exit, goal, holdout, hours, steps } = input
  const { wait_at_most: longest, goal_within: within } = input
  if (kind !== 'marketing' && kind !== 'transactional') {
    throw fault('kind', 'must be marketing or transactional.')
  }
  if (enter === undefined)
    throw fault('enter', 'is missing: it says who enters, such as {"on":"consent.given"}.', {
      reason: 'missing',
    })
  if (kind === 'transactional') {
    for (const [field, value] of [
      ['goal', goal],
      ['holdout', holdout],
    ] as const) {
      if (value !== undefined) throw fault(field, 'is for marketing: leave it out.')
    }
  }
  const reading: Reading = { steps: 0, sends: new Set() }
  const definition: Definition = {
    kind,
    enter: readEnter(enter),
    ...(exit !== undefined && { exit: readSinceFilter(exit, 'exit') }),
    ...(goal !== undefined && { goal: readSinceFilter(goal, 'goal') }),
    ...(within !== undefined && { goal_within: readWait(within, 'goal_within') }),
    ...(holdout !== undefined && { holdout: readHoldout(holdout) }),
    ...(hours !== undefined && { hours: readHours(hours) }),
    ...(longest !== undefined && { wait_at_most: readWait(longest, 'wait_at_most') }),
    steps: readSteps(steps, 'steps', { depth: 0, reading }),
  }
  if (!hasWork(definition.steps)) {
    throw fault(
      'steps',
      'only waits: add a step that sends, tags or sets something, or tells somebody.',
      { reason: 'steps_only_wait' },
    )
  }
  return definition
}

/** The keys with which each way to enter is narrowed, and those that it needs. */
const enterKeys: Readonly<Record<EntryEvent, { takes: readonly string[]; needs?: string }>> = {
  'consent.given': { takes: ['topic'] },
  'form.submitted': { takes: ['form_id'] },
  'tag.added': { takes: ['tag'], needs: 'tag' },
  own_event: { takes: ['event', 'where'], needs: 'event' },
  'message.clicked': { takes: ['link'] },
  'segment.entered': { takes: ['segment_id'], needs: 'segment_id' },
  date: { takes: ['field', 'offset', 'yearly', 'at', 'leap_day'], needs: 'field' },
}

function readEnter(input: unknown): Enter {
  const at = 'enter'
  const enter = objectAt(input, at)
  const { on } = enter
  if (!entryEvents.includes(on as EntryEvent)) {
    throw fault('enter.on', `must be one of ${entryEvents.join(', ')}.`)
  }
  const { takes, needs } = enterKeys[on as EntryEvent]
  // A date is the person's own, whoever brought it.
  const always = on === 'date' ? ['on', 'filter', 'again'] : ['on', 'filter', 'again', 'imports']
  noOtherKeys(enter, at, [...always, ...takes])
  if (needs !== undefined && enter[needs] === undefined) {
    throw fault(`enter.${needs}`, `is missing: on ${String(on)} needs it.`, { reason: 'missing' })
  }
  const { form_id, topic, tag, event, link, where, filter, imports, again } = enter
  if (form_id !== undefined && !(typeof form_id === 'string' && parseId('form', form_id))) {
    throw fault('enter.form_id', 'must be the id of a form, frm_….', { reason: 'form_missing' })
  }
  readTopicKey(topic, 'enter.topic')
  if (tag !== undefined) readTag(tag, 'enter.tag')
  if (event !== undefined) readEventName(event, 'enter.event')
  if (link !== undefined && !(typeof link === 'string' && linkOf(link))) {
    throw fault('enter.link', 'must be the address of a link, https://….', {
      reason: 'no_web_address',
    })
  }
  if (where !== undefined) readWhere(where, 'enter.where', false)
  if (on === 'date') readDateEntry(enter)
  const { segment_id } = enter
  if (
    segment_id !== undefined &&
    !(typeof segment_id === 'string' && parseId('segment', segment_id))
  ) {
    throw fault('enter.segment_id', 'must be the id of a segment, seg_….', {
      reason: 'segment_missing',
    })
  }
  if (imports !== undefined && imports !== true) throw fault('enter.imports', 'must be true.')
  if (again !== undefined) readAgain(again)
  if (filter !== undefined) readFilter(filter, 'enter.filter')
  return input as Enter
}

function readDateEntry(enter: Record<string, unknown>): void {
  const { field, offset, yearly, at, leap_day: leapDay } = enter
  const key = attributeKey(String(field))
  const isField = typeof field === 'string' && (field === 'birthday' || (key && key.length <= 64))
  if (!isField)
    throw fault('enter.field', 'must be birthday or attributes.KEY, which has the date.')
  if (offset !== undefined) {
    const duration = typeof offset === 'string' ? offset : ''
    const text = duration.startsWith('-') ? duration.slice(1) : duration
    const read = readDuration(text)
    const unitDays = read?.unit === 'day' ? 1 : read?.unit === 'week' ? 7 : 0
    const maximum = sequenceLimits.waitDays
    if (!read || unitDays === 0 || read.count * unitDays > maximum) {
      throw fault(
        'enter.offset',
        `must be days or weeks, at most ${maximum} days, such as -3 days for three days before.`,
      )
    }
  }
  if (yearly !== undefined && yearly !== true) throw fault('enter.yearly', 'must be true.')
  if (at !== undefined) readTime(at, 'enter.at')
  if (leapDay === undefined) return
  if (yearly === undefined) throw fault('enter.leap_day', 'is for yearly dates: add yearly: true.')
  if (!leapDays.includes(leapDay as LeapDay)) {
    throw fault('enter.leap_day', `must be ${leapDays.join(' or ')}.`)
  }
}

const again = ['never', 'each time', 'latest']

function readAgain(input: unknown): void {
  if (typeof input === 'string') {
    if (again.includes(input)) return
    if (input.startsWith('after ') && readDuration(input.slice(6))) return
  }
  throw fault(
    'enter.again',
    'must be never, each time, latest, or a distance such as after 90 days.',
  )
}

function readHoldout(input: unknown): number {
  const maximum = sequenceLimits.holdout
  if (Number.isInteger(input) && (input as number) >= 0 && (input as number) <= maximum) {
    return input as number
  }
  throw fault('holdout', `must be a whole number of percent from 0 to ${maximum}.`, {
    reason: 'number_between',
    minimum: 0,
    maximum,
  })
}

function readHours(input: unknown): Hours {
  const hours = objectAt(input, 'hours')
  noOtherKeys(hours, 'hours', ['days', 'from', 'to', 'clock'])
  const from = readTime(hours['from'], 'hours.from')
  const to = readTime(hours['to'], 'hours.to')
  if (from >= to)
    throw fault('hours.to', 'is a time after from, on the same day.', { reason: 'hours_reversed' })
  if (hours['days'] !== undefined) readWeekdays(hours['days'], 'hours.days')
  const { clock } = hours
  if (clock !== undefined && clock !== 'business' && clock !== 'recipient') {
    throw fault('hours.clock', 'must be business or recipient.')
  }
  return input as Hours
}
