/**
 * Refuses values that JSON can carry but that no part behind the entry points accepts: NUL, which
 * PostgreSQL refuses, halves of surrogate pairs, which no encoding preserves, the key `__proto__`,
 * and nesting deeper than any schema needs. It is checked once for every call, so that operations
 * never receive such text.
 */
import { type Refusal, refuse } from '../core/errors.ts'
import { formatFieldPath } from '../core/field-path.ts'

const deepest = 32

interface Fault {
  /** The path to the fault, outermost key first. */
  path: (string | number)[]
  text: string
}

export function checkReadable(input: Record<string, unknown>): Refusal | undefined {
  const fault = faultIn(input, 0)
  if (!fault) return undefined
  const field = formatFieldPath(fault.path)
  return refuse('invalid_request', `${field} ${fault.text}`, {
    field,
    data: { reason: 'unreadable_text' },
  })
}

/** Finds the first fault. It descends at most to `deepest`, however deep the nesting is. */
function faultIn(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') {
    const text = faultOf(value)
    return text === undefined ? undefined : { path: [], text }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepest) return { path: [], text: `is nested deeper than ${deepest} levels.` }
  const isArray = Array.isArray(value)
  for (const key of Object.keys(value)) {
    const fault =
      (isArray ? undefined : faultOfKey(key)) ??
      faultIn((value as Record<string, unknown>)[key], depth + 1)
    if (fault) return { ...fault, path: [isArray ? Number(key) : key, ...fault.path] }
  }
  return undefined
}

function faultOfKey(key: string): Fault | undefined {
  if (key === '__proto__') {
    return { path: [], text: 'is not known here: no field may have that name.' }
  }
  const text = faultOf(key)
  return text === undefined ? undefined : { path: [], text: `as a name ${text}` }
}

function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain a NUL character.'
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair.'
  return undefined
}
