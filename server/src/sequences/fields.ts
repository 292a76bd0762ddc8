/** Reads what a caller wrote of a sequence, field by field; each fault names its field. */
import { refuse } from '../core/errors.ts'
import { isObject } from '../lib/schema/is-object.ts'

export function objectAt(written: unknown, at: string): Record<string, unknown> {
  if (isObject(written)) return written
  throw fault(at, 'must be an object.')
}

export function noOtherKeys(written: object, at: string, keys: readonly string[]): void {
  const other = Object.keys(written).find((key) => !keys.includes(key))
  if (other !== undefined) {
    throw fault(`${at}.${other.slice(0, 40)}`, `is not known: ${at} accepts ${keys.join(', ')}.`)
  }
}

export const fault = (
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
) => refuse('invalid_request', `${field} ${rule}`, { field, data })
