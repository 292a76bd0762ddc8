/** A moment in time as callers write it. */
import { Type } from '../lib/schema/schema.ts'
import { isExistingDay } from '../lib/time/wall-clock.ts'
import { refuse } from './errors.ts'

export const momentInput = (description?: string) =>
  Type.String({ maxLength: 40, ...(description && { description }) })

/** ISO 8601, in UTC unless it has an offset. A day that no calendar has is refused. */
export function readMoment(text: string | undefined, field: string): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (isExistingDay(text.slice(0, 10)) && !Number.isNaN(moment.getTime())) return moment
  const form = `${field} must be a moment such as 2026-11-30T09:00:00Z.`
  throw refuse('invalid_request', form, { field, data: { reason: 'no_moment' } })
}
