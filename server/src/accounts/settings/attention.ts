/** How much marketing one person gets of a business: at most so many messages in so many days. */
import { refuse } from '../../core/errors.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isObject } from '../../lib/text/i-json.ts'
import type { Caps } from '../businesses/business.ts'

export const capLimits = { max: 100, days: 90, gapHours: 24 } as const

/** The reader says what is in it, since each word here costs every list of tools. */
export const attentionInput = Type.Optional(Type.Unsafe<object>({ type: 'object' }))

export const attentionView = Type.Union([
  Type.Object({
    max: Type.Integer(),
    per: Type.String(),
    gap: Type.Optional(Type.String()),
    priority: Type.Array(Type.Enum(['sequence', 'campaign'])),
  }),
  Type.Null(),
])

const senders = ['sequence', 'campaign'] as const

/** As it is stored; an empty object takes the caps away. */
export function readAttention(text: string): string | null {
  const value = parsed(text)
  if (!isObject(value)) {
    throw fault('attention', 'must be {"max":3,"per":"7 days"}, or {} for no cap.')
  }
  if (Object.keys(value).length === 0) return null
  const fields = ['max', 'per', 'gap', 'priority']
  const other = Object.keys(value).find((key) => !fields.includes(key))
  if (other !== undefined) {
    throw fault(
      `attention.${other.slice(0, 40)}`,
      `is not known: the fields are ${fields.join(', ')}.`,
    )
  }
  const { max, per, gap, priority = senders } = value
  if (!(Number.isInteger(max) && Number(max) >= 1 && Number(max) <= capLimits.max)) {
    throw fault('attention.max', `must be a whole number from 1 to ${capLimits.max}.`)
  }
  const spanDays = spanIn(per, { day: 1, week: 7 })
  if (spanDays === undefined || spanDays > capLimits.days) {
    throw fault(
      'attention.per',
      `must be days or weeks, at most ${capLimits.days} days, such as 7 days.`,
    )
  }
  const gapMinutes = gap === undefined ? 0 : spanIn(gap, { minute: 1, hour: 60 })
  if (gapMinutes === undefined || gapMinutes > capLimits.gapHours * 60) {
    throw fault(
      'attention.gap',
      `must be minutes or hours, at most ${capLimits.gapHours} hours, such as 1 hour.`,
    )
  }
  const isOrder =
    Array.isArray(priority) &&
    priority.length === senders.length &&
    senders.every((sender) => priority.includes(sender))
  if (!isOrder)
    throw fault('attention.priority', `must list ${senders.join(' and ')} in order of priority.`)
  return JSON.stringify({ max, per, ...(gap !== undefined && { gap }), priority })
}

/** Undefined for what is no JSON, as an operator may type it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `7 days` in the smallest unit of the table; undefined for what is none of its units. */
function spanIn(written: unknown, units: Readonly<Record<string, number>>): number | undefined {
  const [count = '', word = '', ...more] = typeof written === 'string' ? written.split(' ') : []
  const unit = units[word.endsWith('s') ? word.slice(0, -1) : word]
  const amount = Number(count)
  const isWhole = Number.isInteger(amount) && amount >= 1 && count === String(amount)
  return unit !== undefined && isWhole && more.length === 0 ? amount * unit : undefined
}

/** Whether somebody could get more by the new caps than by the old ones. */
export function isLooser(before: Caps | null, after: object | undefined): boolean {
  if (before === null || after === undefined) return false
  const stored = readAttention(JSON.stringify(after))
  if (stored === null) return true
  const { max, per, gap } = JSON.parse(stored) as Caps
  const units = { day: 1, week: 7 }
  const [oldDays = 0, newDays = 0] = [spanIn(before.per, units), spanIn(per, units)]
  const gaps = [before.gap, gap].map((text) => spanIn(text, { minute: 1, hour: 60 }) ?? 0)
  return max > before.max || newDays < oldDays || (gaps[1] ?? 0) < (gaps[0] ?? 0)
}

const fault = (field: string, rule: string) =>
  refuse('invalid_request', `${field} ${rule}`, { field, data: { reason: 'wrong_form' } })
