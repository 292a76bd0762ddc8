/**
 * The steps of a definition as a list of instructions, each with the number of the one that
 * follows, and the times to which waits lead. Pure: no database, no clock.
 */
import type { Channel } from '../contacts/contact.ts'
import { readDuration, shifted } from '../contacts/filters/times.ts'
import { isZone } from '../lib/phone/quiet-hours.ts'
import { momentAt, withOffset } from '../lib/time/wall-clock.ts'
import type { Definition, Hours } from './definition.ts'
import {
  type NotifyStep,
  type SendStep,
  type SetStep,
  type SplitStep,
  type Step,
  type StopStep,
  type TagStep,
  type UnsubscribeStep,
  type WaitForStep,
  type WaitStep,
  type Weekday,
  weekdays,
} from './steps.ts'

export interface Instruction {
  /** Counted from 1 in the order of the text. */
  n: number
  step: Step
  /** Where a step without branches leads, and a split that no branch takes. `end` at the end. */
  next: number
  /** The first step of each branch of a split. */
  branches: readonly number[]
}

/** The number after the last step. */
export const end = 0

/** The instructions by their number, from 1. */
export function instructionsOf(steps: readonly Step[]): readonly Instruction[] {
  const all: Instruction[] = []
  layOut(steps, end, all)
  return all.toSorted((a, b) => a.n - b.n)
}

/** Adds the steps, of which the last leads to `after`, and returns the number of the first. */
function layOut(steps: readonly Step[], after: number, all: Instruction[], first = 1): number {
  let n = first
  for (const [index, step] of steps.entries()) {
    const following = n + sizeOf(step)
    const next = index === steps.length - 1 ? after : following
    const branches: number[] = []
    let start = n + 1
    for (const branch of 'split' in step ? step.split : []) {
      branches.push(branch.steps.length > 0 ? start : next)
      layOut(branch.steps, next, all, start)
      start += branch.steps.reduce((sum, inner) => sum + sizeOf(inner), 0)
    }
    all.push({ n, step, next, branches })
    n = following
  }
  return first
}

const sizeOf = (step: Step): number =>
  1 +
  ('split' in step
    ? step.split.flatMap(({ steps }) => steps).reduce((sum, inner) => sum + sizeOf(inner), 0)
    : 0)

export const isWait = (step: Step): step is WaitStep => 'wait' in step
export const isWaitFor = (step: Step): step is WaitForStep => 'wait_for' in step
export const isSend = (step: Step): step is SendStep => 'send' in step
export const isSplit = (step: Step): step is SplitStep => 'split' in step
export const isTag = (step: Step): step is TagStep => 'tag' in step
export const isSet = (step: Step): step is SetStep => 'set' in step
export const isNotify = (step: Step): step is NotifyStep => 'notify' in step
export const isUnsubscribe = (step: Step): step is UnsubscribeStep => 'unsubscribe' in step
export const isStop = (step: Step): step is StopStep => 'stop_if' in step

/** The channels on which the steps send; that of mail where none sends. */
export function channelsOf(steps: readonly Step[]): ReadonlySet<Channel> {
  const sends = instructionsOf(steps).flatMap(({ step }) => (isSend(step) ? [step] : []))
  return new Set(sends.length > 0 ? sends.map(channelOf) : ['email'])
}

export const channelOf = ({ channel = 'email' }: SendStep): Channel => channel

/** The numbers of the steps that send marketing. */
export function marketingSteps({ kind, steps }: Definition): ReadonlySet<number> {
  if (kind !== 'marketing') return new Set()
  return new Set(instructionsOf(steps).flatMap(({ n, step }) => (isSend(step) ? [n] : [])))
}

/** The kind of a step, as people read it. */
export const kindOf = (step: Step): string => Object.keys(step)[0] ?? ''

/**
 * When a wait that begins at `from` ends. Days, weeks, months and years keep the time of day in the
 * zone, so that a change of its clocks neither doubles nor skips anything.
 */
export function waitUntil({ wait, until, days }: WaitStep, from: Date, zone: string): Date {
  const after = afterDuration(from, wait, zone)
  if (until === undefined && days === undefined) return after
  const wall = wallAt(after, zone)
  let day = wall.slice(0, 10)
  // Two weeks hold every day of the week with a later time.
  for (let tries = 0; tries < 15; tries++, day = dayAfter(day)) {
    if (days && !days.includes(weekdayOf(day))) continue
    const isFirst = day === wall.slice(0, 10)
    const time = until ?? (isFirst ? undefined : wall.slice(11, 19))
    const at = time === undefined ? after : momentAt(`${day}T${time}`, zone)
    if (at && at >= after) return at
  }
  return after
}

export function afterDuration(from: Date, duration: string, zone: string): Date {
  const read = readDuration(duration)
  if (!read) throw new Error('a duration was not read before it was used')
  if (read.unit === 'minute' || read.unit === 'hour') return shifted(from, duration, 1)
  // The clock of the zone, read as if it were UTC's.
  const wall = new Date(`${wallAt(from, zone)}Z`)
  const ahead = shifted(wall, duration, 1).toISOString().slice(0, 19)
  return momentAt(ahead, zone) ?? shifted(from, duration, 1)
}

/** The moment itself, or the next one at which the hours allow to send. */
export function withinHours(hours: Hours | undefined, at: Date, zone: string): Date {
  if (!hours) return at
  const wall = wallAt(at, zone)
  const [today, time] = [wall.slice(0, 10), wall.slice(11, 16)]
  const isOpen = (day: string) => !hours.days || hours.days.includes(weekdayOf(day))
  if (isOpen(today) && time >= hours.from && time < hours.to) return at
  let day = time < hours.from ? today : dayAfter(today)
  for (let tries = 0; tries < 8; tries++, day = dayAfter(day)) {
    const opens = isOpen(day) ? momentAt(`${day}T${hours.from}`, zone) : undefined
    if (opens && opens > at) return opens
  }
  return at
}

/** What clocks of the zone show: `2026-11-30T09:00:00`. */
const wallAt = (at: Date, zone: string) => withOffset(at, zone).slice(0, 19)

const dayAfter = (day: string) =>
  new Date(Date.parse(`${day}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)

const weekdayOf = (day: string): Weekday => {
  const sundayFirst = new Date(`${day}T00:00Z`).getUTCDay()
  return weekdays[(sundayFirst + 6) % 7] ?? 'mon'
}

/** The business's zone, or the person's own where the sequence follows their clock. */
export function zoneFor(
  hours: Hours | undefined,
  { business, recipient }: { business: string; recipient: string | null },
): string {
  if (hours?.clock !== 'recipient' || recipient === null) return business
  return isZone(recipient) ? recipient : business
}
