/**
 * Collects every fault of a value that its schema refused, so that a caller can fix them all at
 * once. It searches field by field instead of using the validator's list of all errors, which
 * grows with the caller's value: this search ends at the tenth fault.
 */

import type { TSchema } from '../lib/schema/schema.ts'
import { isObject } from '../lib/text/i-json.ts'
import { type Refusal, refuse } from './errors.ts'
import { missingField, schemaCheck, unknownField } from './schema-check.ts'

const mostFaults = 10
/** How many elements of one list are checked. */
const maxElementsChecked = 1_000

interface Parts {
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  additionalProperties?: unknown
}

/** Adds the further faults to the refusal of the `first` one, which the schema's check returned. */
export function withFurtherFaults(first: Refusal, schema: TSchema, value: unknown): Refusal {
  const faults = [first]
  for (const fault of faultsIn(schema, value, '')) {
    if (faults.every(({ details }) => details.field !== fault.details.field)) faults.push(fault)
    if (faults.length === mostFaults) break
  }
  if (faults.length === 1) return first
  const message = faults.map((fault) => fault.message).join(' ')
  const shownFaults = faults.map((fault) => ({
    field: fault.details.field,
    message: fault.message,
  }))
  return refuse(first.code, message, {
    ...first.details,
    data: { ...first.details.data, faults: shownFaults },
  })
}

function* faultsIn(schema: TSchema, value: unknown, at: string): Generator<Refusal> {
  const { properties, required = [], items, additionalProperties } = schema as Parts
  if (properties && isObject(value)) {
    let isFirst = true
    for (const key of additionalProperties === false ? Object.keys(value) : []) {
      if (Object.hasOwn(properties, key)) continue
      yield unknownField({ properties }, at, key, isFirst)
      isFirst = false
    }
    for (const key of required) {
      if (!Object.hasOwn(value, key)) yield missingField({ properties }, at, key)
    }
    for (const [key, within] of Object.entries(properties)) {
      if (!Object.hasOwn(value, key)) continue
      yield* faultsIn(within, value[key], at === '' ? key : `${at}.${key}`)
    }
    return
  }
  const fault = checkOf(schema)(value, at)
  if (!fault) return
  if (!items || !Array.isArray(value) || fault.details.field === at) {
    yield fault
    return
  }
  for (const [n, element] of value.slice(0, maxElementsChecked).entries()) {
    yield* faultsIn(items, element, `${at}[${n}]`)
  }
}

const checks = new WeakMap<TSchema, ReturnType<typeof schemaCheck>>()

function checkOf(schema: TSchema): ReturnType<typeof schemaCheck> {
  const cached = checks.get(schema)
  if (cached) return cached
  const check = schemaCheck(schema, 'the value')
  checks.set(schema, check)
  return check
}
