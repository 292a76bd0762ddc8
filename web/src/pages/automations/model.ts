/** Automations as the app shows and edits them: their steps with numbers, and their rules in words. */
import type { api } from '../../api/client.ts'
import { filterInWords } from '../../parts/filter/filter-words.ts'
import type { Filter } from '../../parts/filter/model.ts'
import { automationWords } from '../../words/automations.ts'
import { language } from '../../words/texts.ts'

export type WholeAutomation = Awaited<ReturnType<typeof api.sequence.get>>
export type ListedAutomation = Awaited<ReturnType<typeof api.sequence.list>>['sequences'][number]

/** A rule or a step as the service stores it. */
export type Enter = Record<string, unknown> & { on: string }
export type Step = Record<string, unknown>

/** A part of a rule or step as a field shows it; nothing for what no field holds. */
export function shownText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}

export interface Branch {
  if?: Filter
  steps: Step[]
}

/** A step with its number, counted from 1 with those of branches, and the number of what follows. */
export interface NumberedStep {
  n: number
  step: Step
  /** 0 at the end. */
  next: number
  branches: { if: Filter | undefined; steps: NumberedStep[] }[]
}

export const branchesOf = (step: Step): Branch[] =>
  Array.isArray(step['split']) ? (step['split'] as Branch[]) : []

const sizeOf = (step: Step): number =>
  1 +
  branchesOf(step)
    .flatMap(({ steps }) => steps)
    .reduce((sum, inner) => sum + sizeOf(inner), 0)

export function numbered(steps: readonly Step[], after = 0, first = 1): NumberedStep[] {
  let n = first
  return steps.map((step, place) => {
    const own = n
    const following = own + sizeOf(step)
    const next = place === steps.length - 1 ? after : following
    let start = own + 1
    const branches = branchesOf(step).map((branch) => {
      const inner = numbered(branch.steps, next, start)
      start += branch.steps.reduce((sum, entry) => sum + sizeOf(entry), 0)
      return { if: branch.if, steps: inner }
    })
    n = following
    return { n: own, step, next, branches }
  })
}

export const flat = (steps: readonly NumberedStep[]): NumberedStep[] =>
  steps.flatMap((entry) => [entry, ...entry.branches.flatMap(({ steps: inner }) => flat(inner))])

/**
 * How many are at each step. Whoever waits is before the step that follows the wait, and stands at
 * the wait here, unless several ways lead to that step.
 */
export function peopleAt(
  steps: readonly NumberedStep[],
  before: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const all = flat(steps)
  const at = new Map<number, number>()
  for (const [n, count] of before) {
    const waits = all.filter((entry) => entry.next === n && isWaiting(entry.step))
    const others = all.filter((entry) => entry.next === n && !isWaiting(entry.step))
    const [only] = waits
    const place = only && waits.length === 1 && others.length === 0 ? only.n : n
    at.set(place, (at.get(place) ?? 0) + count)
  }
  return at
}

const isWaiting = (step: Step) => 'wait' in step || 'wait_for' in step

export const kindOf = (step: Step): string =>
  step['channel'] === 'sms' ? 'sms' : (Object.keys(step)[0] ?? '')

export const units = ['minutes', 'hours', 'days', 'weeks'] as const
export type Unit = (typeof units)[number]

/** `3 days` as its number and its unit; also `-3 days`. */
export function spanOf(duration: unknown): { amount: string; unit: Unit } {
  const [amount = '', word = ''] = shownText(duration ?? '').split(' ')
  const unit = units.find((entry) => entry.startsWith(word.replace(/s$/, '')) && word !== '')
  return { amount: amount.replace(/^[+-]/, ''), unit: unit ?? 'days' }
}

/** The service says one day in the singular. */
export const durationOf = ({ amount, unit }: { amount: string; unit: Unit }): string =>
  `${amount} ${amount === '1' ? unit.slice(0, -1) : unit}`

export function spanInWords(duration: unknown): string {
  const text = shownText(duration ?? '')
  const { amount, unit } = spanOf(duration)
  const value = Number(amount)
  if (!Number.isFinite(value) || amount === '') return text
  if (/month|year/.test(text)) {
    const name = text.includes('month') ? 'month' : 'year'
    return inUnit(value, name)
  }
  return inUnit(value, unit.slice(0, -1))
}

const inUnit = (value: number, unit: string) =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The seventh of January 2030 is a Monday. */
const dayName = (day: string) =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2030, 0, 7 + weekdays.indexOf(day as (typeof weekdays)[number]))),
  )

const listed = (parts: readonly string[]) => new Intl.ListFormat(language).format(parts)

/** The names of what a rule or a step means by an id. */
export interface Names {
  templates: ReadonlyMap<string, string>
  /** Those of the templates that are text messages. */
  texts: ReadonlySet<string>
  forms: ReadonlyMap<string, string>
  segments: ReadonlyMap<string, string>
  topics: ReadonlyMap<string, string>
}

export function enterInWords(enter: Enter, names: Names): string {
  const w = automationWords
  const text = (key: string) => shownText(enter[key] ?? '')
  switch (enter.on) {
    case 'consent.given':
      return enter['topic'] === undefined
        ? w.entered_by.consent
        : w.entered_by.topic(names.topics.get(text('topic')) ?? text('topic'))
    case 'form.submitted':
      return enter['form_id'] === undefined
        ? w.entered_by.anyForm
        : w.entered_by.form(names.forms.get(text('form_id')) ?? w.form)
    case 'tag.added':
      return w.entered_by.tag(text('tag'))
    case 'segment.entered':
      return w.entered_by.segment(names.segments.get(text('segment_id')) ?? w.segment)
    case 'own_event':
      return w.entered_by.event(text('event'))
    case 'message.clicked':
      return enter['link'] === undefined ? w.entered_by.anyLink : w.entered_by.link(text('link'))
    case 'date':
      return w.entered_by.date(fieldName(text('field')), offsetInWords(enter['offset']))
    default:
      return enter.on
  }
}

const fieldName = (field: string) =>
  field === 'birthday' ? automationWords.birthday : field.replace(/^attributes\./, '')

function offsetInWords(offset: unknown): string {
  const { before, after } = automationWords.entered_by
  if (offset === undefined || shownText(offset).startsWith('0')) return ''
  const span = spanInWords(offset)
  return shownText(offset).startsWith('-') ? before(span) : after(span)
}

/** One line that says what the step does. */
export function stepInWords(step: Step, names: Names): string {
  const { said } = automationWords
  switch (kindOf(step)) {
    case 'send':
    case 'sms': {
      const { template_id: id } = step['send'] as { template_id?: string }
      const [none, own] =
        kindOf(step) === 'sms' ? [said.noText, said.ownText] : [said.noMail, said.ownMail]
      if (id === undefined) return 'content' in (step['send'] as object) ? own : none
      if (id === '') return none
      return names.templates.get(id) ?? own
    }
    case 'wait': {
      const parts = [
        said.wait(spanInWords(step['wait'])),
        step['days'] !== undefined && said.onDays(listed((step['days'] as string[]).map(dayName))),
        step['until'] !== undefined && said.until(shownText(step['until'])),
      ]
      return parts.filter(Boolean).join(', ')
    }
    case 'wait_for': {
      const { event, opened, up_to } = step['wait_for'] as Record<string, unknown>
      const what =
        event !== undefined
          ? said.event(shownText(event))
          : opened === true
            ? said.opened
            : said.clicked
      return said.waitFor(what, spanInWords(up_to))
    }
    case 'split':
      return said.split
    case 'tag':
      return step['remove'] === true
        ? said.untag(shownText(step['tag']))
        : said.tag(shownText(step['tag']))
    case 'set':
      return listed(
        Object.entries(step['set'] as object).map(([field, value]) => {
          const name = automationWords.fields[field] ?? fieldName(field)
          return value === null ? said.clear(name) : said.set(name, shownText(value))
        }),
      )
    case 'stop_if':
      return said.stop(filterInWords(step['stop_if'] as Filter))
    case 'notify': {
      const { note } = step['notify'] as { note?: string }
      return note === undefined ? said.notify : said.notifyOf(note)
    }
    case 'unsubscribe': {
      const { channel, topic } = step['unsubscribe'] as { channel?: string; topic?: string }
      if (topic !== undefined) return said.endsTopic(names.topics.get(topic) ?? topic)
      return channel === 'sms' ? said.endsTexts : said.endsMails
    }
    default:
      return automationWords.unnamed
  }
}
