/** What is missing in an automation before it can be saved, by the part where it is mended. */
import type { Filter } from '../../parts/filter/model.ts'
import { automationWords } from '../../words/automations.ts'
import { branchesOf, type Enter, kindOf, type Step, shownText, spanOf } from './model.ts'

/** Faults by their path, such as `steps[0]` or `steps[1].split[0].steps[0]`. */
export type Faults = ReadonlyMap<string, string>

export interface Edited {
  name: string
  kind: string
  enter: Enter
  steps: Step[]
  exit: Filter | undefined
  goal: Filter | undefined
  hours: Record<string, unknown> | undefined
  holdout: number
  /** The longest that a message may wait; none without it. */
  waitAtMost: string | undefined
}

const minutesIn = { minutes: 1, hours: 60, days: 1_440, weeks: 10_080 } as const
const mostMinutes = 366 * minutesIn.days

export function faultsOf({ name, enter, steps, hours, waitAtMost }: Edited): Faults {
  const w = automationWords.faults
  const faults = new Map<string, string>()
  if (name.trim() === '') faults.set('name', w.name)
  const ofEnter = enterFault(enter)
  if (ofEnter !== undefined) faults.set('enter', ofEnter)
  if (steps.length === 0) faults.set('steps', w.steps)
  else if (!steps.some(hasWork)) faults.set('steps', w.onlyWaits)
  checkSteps(steps, 'steps', { faults, hasSent: false })
  if (hours && shownText(hours['from']) >= shownText(hours['to'])) faults.set('hours', w.hours)
  if (waitAtMost !== undefined && !isSpan(waitAtMost)) faults.set('waitAtMost', w.amount)
  return faults
}

function enterFault(enter: Enter): string | undefined {
  const w = automationWords.faults
  const text = (key: string) => shownText(enter[key] ?? '').trim()
  if (enter.on === 'tag.added' && text('tag') === '') return w.tag
  if (enter.on === 'own_event' && !isEvent(text('event'))) return w.event
  if (enter.on === 'segment.entered' && text('segment_id') === '') return w.segment
  if (enter.on === 'date' && /^(?:attributes\.)?$/.test(text('field'))) return w.field
  if (enter['link'] !== undefined && !/^https?:\/\/\S+$/.test(text('link'))) return w.link
  const again = text('again')
  return again.startsWith('after') && !isSpan(again.slice(6)) ? w.amount : undefined
}

const isEvent = (text: string) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)

function isSpan(duration: unknown): boolean {
  const { amount, unit } = spanOf(duration)
  if (/month|year/.test(shownText(duration))) return true
  const value = Number(amount)
  return Number.isInteger(value) && value >= 1 && value * minutesIn[unit] <= mostMinutes
}

const hasWork = (step: Step): boolean =>
  'send' in step ||
  'tag' in step ||
  'set' in step ||
  'notify' in step ||
  'unsubscribe' in step ||
  branchesOf(step).some((branch) => branch.steps.some(hasWork))

/** Returns whether a mail was sent before the end of these steps, on some way. */
function checkSteps(
  steps: readonly Step[],
  at: string,
  { faults, hasSent }: { faults: Map<string, string>; hasSent: boolean },
): boolean {
  let sent = hasSent
  for (const [place, step] of steps.entries()) {
    const path = `${at}[${place}]`
    const fault = stepFault(step, sent)
    if (fault !== undefined) faults.set(path, fault)
    if (kindOf(step) === 'send') sent = true
    for (const [n, branch] of branchesOf(step).entries()) {
      const inBranch = `${path}.split[${n}].steps`
      if (checkSteps(branch.steps, inBranch, { faults, hasSent: sent })) sent = true
    }
  }
  return sent
}

function stepFault(step: Step, hasSent: boolean): string | undefined {
  const w = automationWords.faults
  switch (kindOf(step)) {
    case 'send':
    case 'sms': {
      const { template_id: id, content } = step['send'] as {
        template_id?: string
        content?: Record<string, unknown>
      }
      const isText = kindOf(step) === 'sms'
      if (id === '') return isText ? w.text : w.mail
      const isSilent =
        content !== undefined &&
        (isText ? shownText(content['text']).trim() === '' : content['subject'] === '')
      return isSilent ? (isText ? w.textEmpty : w.subject) : undefined
    }
    case 'notify':
      return Object.keys(step['notify'] as object).some((key) => key !== 'note')
        ? undefined
        : w.notify
    case 'wait':
      return isSpan(step['wait']) ? undefined : w.amount
    case 'wait_for': {
      const wait = step['wait_for'] as Record<string, unknown>
      if (!isSpan(wait['up_to'])) return w.amount
      if (wait['event'] !== undefined)
        return isEvent(shownText(wait['event'])) ? undefined : w.event
      return hasSent ? undefined : w.nothingBefore
    }
    case 'tag':
      return shownText(step['tag']).trim() === '' ? w.tag : undefined
    case 'set':
      return Object.keys(step['set'] as object).some((field) => /^attributes\.$|^$/.test(field))
        ? w.field
        : undefined
    case 'stop_if':
      return isEmpty(step['stop_if']) ? w.condition : undefined
    case 'split': {
      const branches = branchesOf(step)
      const lacks = branches.some((branch, n) => {
        const isLast = n === branches.length - 1
        return branch.if === undefined ? !isLast : isEmpty(branch.if)
      })
      return lacks ? w.condition : undefined
    }
    default:
      return undefined
  }
}

const isEmpty = (filter: unknown) => Object.keys((filter ?? {}) as object).length === 0

/** The step whose fault the service told of, by the field of its refusal. */
export function pathOfField(field: string): string {
  const [path] = field.match(/^steps\[\d+\](?:\.split\[\d+\]\.steps\[\d+\])*/) ?? []
  return path ?? field.split('.')[0] ?? field
}
