/**
 * The steps of a sequence, which are read as strictly as its definition: waits, mails and texts,
 * branches, tags, fields, notes to members, and the end.
 */

import { type Channel, contactLimits } from '../contacts/contact.ts'
import { attributeKey, type Filter } from '../contacts/filters/filter.ts'
import { readFilter } from '../contacts/filters/read.ts'
import { readDuration, shifted } from '../contacts/filters/times.ts'
import { isOwnEventName } from '../contacts/own-events/own-event.ts'
import {
  type PropertyRules,
  type Value,
  whereFault,
} from '../contacts/own-events/property-rules.ts'
import { isTopicKey } from '../contacts/topics/topic.ts'
import { refuse } from '../core/errors.ts'
import { parseId } from '../core/ids.ts'
import { type Role, roles } from '../core/operation.ts'
import { isObject } from '../lib/text/i-json.ts'
import { isSingleLine } from '../lib/text/single-line.ts'
import { days } from '../lib/time/clock.ts'
import { sequenceLimits } from './limits.ts'
import { anyEntry, resolveSince } from './since.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

export interface WaitStep {
  wait: string
  until?: string
  days?: readonly Weekday[]
}

export interface WaitForStep {
  wait_for: {
    event?: string
    opened?: true
    clicked?: true
    of_step?: number
    where?: PropertyRules
    up_to: string
  }
}

export interface SendStep {
  send: { template_id: string }
  /** A mail without it. */
  channel?: Channel
  topic?: string
  if?: Filter
}

export interface SplitStep {
  split: readonly { if?: Filter; steps: readonly Step[] }[]
}

export interface TagStep {
  tag: string
  remove?: boolean
}

export interface SetStep {
  set: Readonly<Record<string, Value | null>>
}

export interface StopStep {
  stop_if: Filter
}

export interface NotifyStep {
  notify: {
    /** Roles, and ids of members. */
    members?: readonly string[]
    webhook_id?: string
    note?: string
  }
}

export interface UnsubscribeStep {
  unsubscribe: { channel?: Channel; topic?: string }
}

export type Step =
  | WaitStep
  | WaitForStep
  | SendStep
  | SplitStep
  | TagStep
  | SetStep
  | NotifyStep
  | UnsubscribeStep
  | StopStep

export interface Reading {
  /** The number of steps so far; each has its number in the order of the text. */
  steps: number
  /** The numbers of the steps that send mails. */
  sends: Set<number>
}

interface Nesting {
  /** In how many splits the steps are. */
  depth: number
  reading: Reading
}

export const hasWork = (steps: readonly Step[]): boolean =>
  steps.some((step) =>
    'split' in step
      ? step.split.some((branch) => hasWork(branch.steps))
      : ['send', 'tag', 'set', 'notify', 'unsubscribe'].some((kind) => kind in step),
  )

export function readSteps(input: unknown, at: string, nesting: Nesting): Step[] {
  if (!Array.isArray(input) || (nesting.depth === 0 && input.length === 0)) {
    throw fault(at, 'must be a list of steps, such as [{"send":{"template_id":"tpl_…"}}].')
  }
  for (const [n, step] of input.entries()) readStep(step, `${at}[${n}]`, nesting)
  return input as Step[]
}

const stepKinds = [
  'wait',
  'wait_for',
  'send',
  'split',
  'tag',
  'set',
  'notify',
  'unsubscribe',
  'stop_if',
] as const

function readStep(input: unknown, at: string, nesting: Nesting): void {
  const { depth, reading } = nesting
  const step = objectAt(input, at)
  const kinds = stepKinds.filter((kind) => kind in step)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    throw fault(at, `is one of ${stepKinds.join(', ')}.`)
  }
  reading.steps += 1
  if (reading.steps > sequenceLimits.steps) {
    throw fault(
      at,
      `is step ${reading.steps}: a sequence has at most ${sequenceLimits.steps}, with those of its branches.`,
      { reason: 'too_many_steps', limit: sequenceLimits.steps },
    )
  }
  const path = `${at}.${kind}`
  switch (kind) {
    case 'wait': {
      noOtherKeys(step, at, ['wait', 'until', 'days'])
      readWait(step['wait'], path)
      if (step['until'] !== undefined) readTime(step['until'], `${at}.until`)
      if (step['days'] !== undefined) readWeekdays(step['days'], `${at}.days`)
      return
    }
    case 'wait_for':
      noOtherKeys(step, at, ['wait_for'])
      readWaitFor(step['wait_for'], path, reading)
      return
    case 'send':
      noOtherKeys(step, at, ['send', 'channel', 'topic', 'if'])
      readSend(step, at)
      // Texts tell of no opens or clicks.
      if (step['channel'] !== 'sms') reading.sends.add(reading.steps)
      return
    case 'split':
      noOtherKeys(step, at, ['split'])
      readSplit(step['split'], path, { depth, reading })
      return
    case 'tag': {
      noOtherKeys(step, at, ['tag', 'remove'])
      readTag(step['tag'], path)
      const { remove } = step
      if (remove !== undefined && typeof remove !== 'boolean') {
        throw fault(`${at}.remove`, 'must be true or false.')
      }
      return
    }
    case 'set':
      noOtherKeys(step, at, ['set'])
      readSet(step['set'], path)
      return
    case 'notify':
      noOtherKeys(step, at, ['notify'])
      readNotify(step['notify'], path)
      return
    case 'unsubscribe':
      noOtherKeys(step, at, ['unsubscribe'])
      readUnsubscribe(step['unsubscribe'], path)
      return
    case 'stop_if':
      noOtherKeys(step, at, ['stop_if'])
      readSinceFilter(step['stop_if'], path)
  }
}

function readSend(step: Record<string, unknown>, at: string): void {
  const path = `${at}.send`
  const send = objectAt(step['send'], path)
  noOtherKeys(send, path, ['template_id', 'content'])
  readChannel(step['channel'], `${at}.channel`)
  const { template_id: id, content } = send
  if (content !== undefined) {
    if (id !== undefined) throw fault(path, 'must have template_id or content, not both.')
    readContent(content, `${path}.content`)
  } else if (!(typeof id === 'string' && parseId('template', id))) {
    throw fault(`${path}.template_id`, 'must be the id of a template, tpl_….', {
      reason: 'template_missing',
    })
  }
  readTopicKey(step['topic'], `${at}.topic`)
  if (step['if'] !== undefined) readSinceFilter(step['if'], `${at}.if`)
}

function readChannel(input: unknown, at: string): void {
  if (input === undefined || input === 'email' || input === 'sms') return
  throw fault(at, 'must be email or sms.')
}

export function readTopicKey(input: unknown, at: string): void {
  if (input === undefined || (typeof input === 'string' && isTopicKey(input))) return
  throw fault(at, 'must be the key of a topic.', { reason: 'topic_missing' })
}

function readNotify(input: unknown, at: string): void {
  const notify = objectAt(input, at)
  noOtherKeys(notify, at, ['members', 'webhook_id', 'note'])
  const { members, webhook_id: webhookId, note } = notify
  if (members === undefined && webhookId === undefined) {
    throw fault(at, 'must have members, such as ["owner"], or webhook_id, or both.')
  }
  if (members !== undefined) readMembers(members, `${at}.members`)
  if (
    webhookId !== undefined &&
    !(typeof webhookId === 'string' && parseId('webhook', webhookId))
  ) {
    throw fault(`${at}.webhook_id`, 'must be the id of a webhook, whk_….')
  }
  const { noteLength } = sequenceLimits
  const isNote = typeof note === 'string' && note !== '' && note.length <= noteLength
  if (note !== undefined && !(isNote && isSingleLine(note))) {
    throw fault(`${at}.note`, `must be one line of 1 to ${noteLength} characters.`)
  }
}

function readMembers(input: unknown, at: string): void {
  const { members: maximum } = sequenceLimits
  const isFine =
    Array.isArray(input) &&
    input.length > 0 &&
    input.length <= maximum &&
    input.every(
      (member) =>
        typeof member === 'string' &&
        (roles.includes(member as Role) || parseId('user', member) !== undefined),
    )
  if (!isFine) {
    throw fault(at, `must have 1 to ${maximum} of ${roles.join(', ')} and ids of members, usr_….`)
  }
}

function readUnsubscribe(input: unknown, at: string): void {
  const unsubscribe = objectAt(input, at)
  noOtherKeys(unsubscribe, at, ['channel', 'topic'])
  readChannel(unsubscribe['channel'], `${at}.channel`)
  readTopicKey(unsubscribe['topic'], `${at}.topic`)
}

const contentParts = ['subject', 'preheader', 'html', 'mjml', 'text'] as const

/** The mail of a step in the words of a template, which the save makes of it. */
type Content = Partial<Record<(typeof contentParts)[number], string>> & {
  blocks?: readonly unknown[]
  /** By language tag, as a template has them. */
  translations?: Readonly<Record<string, unknown>>
}

function readContent(input: unknown, at: string): void {
  const content = objectAt(input, at)
  noOtherKeys(content, at, [...contentParts, 'blocks', 'translations'])
  for (const part of contentParts) {
    const value = content[part]
    if (value !== undefined && typeof value !== 'string')
      throw fault(`${at}.${part}`, 'must be text.')
  }
  const { blocks, translations } = content
  if (blocks !== undefined && !Array.isArray(blocks)) throw fault(`${at}.blocks`, 'must be a list.')
  if (translations !== undefined && !isObject(translations)) {
    throw fault(`${at}.translations`, 'must have a language tag for each translation.')
  }
}

export interface StepContent {
  n: number
  /** The id that its template gets. */
  id: string
  channel: Channel
  content: Content
}

/**
 * The steps with the id of a template in the place of each content, and what those templates hold,
 * by the number of their step.
 */
export function withTemplates(
  steps: readonly Step[],
  newTemplateId: () => string,
): { steps: Step[]; contents: StepContent[] } {
  const contents: StepContent[] = []
  let n = 0
  const replaced = (list: readonly Step[]): Step[] =>
    list.map((step) => {
      n += 1
      if ('split' in step) {
        const split = step.split.map((branch) => ({ ...branch, steps: replaced(branch.steps) }))
        return { ...step, split }
      }
      if (!('send' in step)) return step
      const { content } = step.send as { content?: Content }
      if (content === undefined) return step
      const id = newTemplateId()
      contents.push({ n, id, channel: step.channel ?? 'email', content })
      return { ...step, send: { template_id: id } }
    })
  return { steps: replaced(steps), contents }
}

export function readWait(input: unknown, at: string): string {
  const maximum = sequenceLimits.waitDays
  const start = new Date(0)
  if (typeof input === 'string' && readDuration(input)) {
    if (shifted(start, input, 1).getTime() <= days(maximum)) return input
  }
  throw fault(at, `must be a duration from 1 minute to ${maximum} days, such as 3 days.`, {
    reason: 'duration_too_long',
    limit: maximum,
  })
}

export function readTime(input: unknown, at: string): string {
  if (typeof input === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(input)) return input
  throw fault(at, 'must be a time of day such as 09:00.', { reason: 'no_time' })
}

export function readWeekdays(input: unknown, at: string): void {
  const isFine =
    Array.isArray(input) &&
    input.length > 0 &&
    input.length <= 7 &&
    new Set(input).size === input.length &&
    input.every((day) => weekdays.includes(day as Weekday))
  if (!isFine) throw fault(at, `must be a list of ${weekdays.join(', ')}, each once.`)
}

function readWaitFor(input: unknown, at: string, reading: Reading): void {
  const wait = objectAt(input, at)
  noOtherKeys(wait, at, ['event', 'opened', 'clicked', 'of_step', 'where', 'up_to'])
  const ways = ['event', 'opened', 'clicked'].filter((key) => wait[key] !== undefined)
  if (ways.length !== 1) throw fault(at, 'must have one of event, opened: true and clicked: true.')
  const { event, of_step: ofStep, where } = wait
  if (event !== undefined) readEventName(event, `${at}.event`)
  else if (wait[ways[0] ?? ''] !== true) throw fault(`${at}.${ways[0]}`, 'must be true.')
  if (where !== undefined) {
    if (event === undefined) throw fault(`${at}.where`, 'is for own events: name the event.')
    readWhere(where, `${at}.where`, true)
  }
  if (ofStep !== undefined) {
    if (event !== undefined) throw fault(`${at}.of_step`, 'is for opened and clicked.')
    if (!reading.sends.has(ofStep as number)) {
      throw fault(
        `${at}.of_step`,
        'must be the number of an earlier step that sends a mail, counted from 1 with those of branches.',
      )
    }
  } else if (event === undefined && reading.sends.size === 0) {
    throw fault(at, 'refers to an email that no earlier step sends.', {
      reason: 'step_without_mail',
    })
  }
  readWait(wait['up_to'], `${at}.up_to`)
}

function readSplit(input: unknown, at: string, { depth, reading }: Nesting): void {
  const { nesting, branches } = sequenceLimits
  if (depth >= nesting) throw fault(at, `is inside ${nesting} splits: that is the most.`)
  if (!Array.isArray(input) || input.length < 1 || input.length > branches) {
    throw fault(
      at,
      `must have 1 to ${branches} branches, such as [{"if":{"tag":"vip"},"steps":[…]},{"steps":[…]}].`,
    )
  }
  for (const [n, entry] of input.entries()) {
    const path = `${at}[${n}]`
    const branch = objectAt(entry, path)
    noOtherKeys(branch, path, ['if', 'steps'])
    if (branch['if'] !== undefined) readSinceFilter(branch['if'], `${path}.if`)
    else if (n < input.length - 1)
      throw fault(`${path}.if`, 'is missing: only the last branch is for everybody else.', {
        reason: 'branch_without_condition',
      })
    readSteps(branch['steps'], `${path}.steps`, { depth: depth + 1, reading })
  }
}

export function readTag(input: unknown, at: string): void {
  const { tagLength } = contactLimits
  if (typeof input === 'string' && input !== '' && input.length <= tagLength) return
  throw fault(at, `must be a tag of 1 to ${tagLength} characters.`, {
    reason: 'one_short_line',
    limit: tagLength,
  })
}

const settable = ['name', 'first_name', 'last_name', 'language']

function readSet(input: unknown, at: string): void {
  const fields = objectAt(input, at)
  const names = Object.keys(fields)
  const { fields: maximum, valueLength } = sequenceLimits
  if (names.length < 1 || names.length > maximum)
    throw fault(at, `must have 1 to ${maximum} fields.`)
  for (const name of names) {
    const key = attributeKey(name)
    const path = `${at}.${name}`
    if (!settable.includes(name) && (key === undefined || key === '' || key.length > 64)) {
      throw fault(path, `sets ${settable.join(', ')} or attributes.KEY.`)
    }
    const value = fields[name]
    const isText = typeof value === 'string' && value !== '' && value.length <= valueLength
    const isOther = key !== undefined && ['number', 'boolean'].includes(typeof value)
    if (!isText && !isOther && value !== null) {
      throw fault(
        path,
        `must be text of 1 to ${valueLength} characters, null to clear it, and in attributes a number or true or false.`,
      )
    }
  }
}

export function readEventName(input: unknown, at: string): void {
  if (typeof input === 'string' && isOwnEventName(input)) return
  throw fault(
    at,
    'must be the name of an own event, as contact.track reports it: lower-case letters, digits, _ and -.',
  )
}

export function readWhere(input: unknown, at: string, hasEntry: boolean): void {
  const ruleFault = whereFault(input, at, hasEntry)
  if (ruleFault) throw fault(ruleFault.path, ruleFault.rule)
}

/**
 * Conditions on behaviour and consent may count `since` the entry or the step before, and compare
 * the properties of own events with those of the event by which the person entered.
 */
export function readSinceFilter(input: unknown, at: string): Filter {
  readFilter(resolveSince(input, anyEntry), at)
  return input as Filter
}

export function objectAt(input: unknown, at: string): Record<string, unknown> {
  if (isObject(input)) return input
  throw fault(at, 'must be an object.')
}

export function noOtherKeys(input: object, at: string, keys: readonly string[]): void {
  const other = Object.keys(input).find((key) => !keys.includes(key))
  if (other !== undefined) {
    throw fault(`${at}.${other.slice(0, 40)}`, `is not known: ${at} accepts ${keys.join(', ')}.`)
  }
}

export const fault = (
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
) => refuse('invalid_request', `${field} ${rule}`, { field, data })
