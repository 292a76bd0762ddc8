/**
 * What JSON can carry and nothing behind the entry points can: NUL bytes, which PostgreSQL
 * refuses, halves of surrogate pairs, which no encoding keeps, the key `__proto__`, and
 * nesting deeper than any schema asks for. Looked for once, in every call, so that no
 * operation meets them.
 */
import { type Refusal, refuse } from '../core/errors.ts'
import { fieldAt } from '../core/field-path.ts'

const deepest = 32

interface Fault {
  /** Where it is, from the outside in. */
  path: (string | number)[]
  text: string
}

export function checkReadable(input: Record<string, unknown>): Refusal | undefined {
  const fault = faultIn(input, 0)
  if (!fault) return undefined
  const field = fieldAt(fault.path)
  return refuse('invalid_request', `${field} ${fault.text}`, { field })
}

/** The first fault. No deeper than `deepest`, however deep hostile nesting goes. */
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
