/**
 * Checks values against a schema. Nothing is coerced or dropped. The refusal names the first
 * fault, where it is, and what would be right; `withFurtherFaults` adds the others.
 */
import { createRequire } from 'node:module'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type addFormats from 'ajv-formats'
import type { TSchema } from '../lib/schema/schema.ts'
import { isObject } from '../lib/text/i-json.ts'
import { nearest } from '../lib/text/nearest.ts'
import { type Refusal, refuse } from './errors.ts'
import { formatFieldPath, truncateKey } from './field-path.ts'

const require = createRequire(import.meta.url)
let compiler: Ajv | undefined

/** Loads Ajv when the first value is checked, so that an idle service does not need the memory. */
function ajv(): Ajv {
  if (!compiler) {
    const { Ajv: Compiler } = require('ajv') as typeof import('ajv')
    const formats = require('ajv-formats') as typeof addFormats
    compiler = new Compiler({
      strict: true,
      coerceTypes: false,
      removeAdditional: false,
      verbose: true,
    })
    formats.default(compiler)
  }
  return compiler
}

/**
 * Builds the check of a schema. `whole` names the value in a message about the value itself rather
 * than one of its fields. `at` is the path of the value where it stands inside another.
 */
export function schemaCheck(
  schema: TSchema,
  whole: string,
): (value: unknown, at?: string) => Refusal | undefined {
  // Compiled at the first value, because most processes never check most schemas.
  let validate: ValidateFunction | undefined
  return (value, at = '') => {
    validate ??= ajv().compile(schema)
    return validate(value) ? undefined : explain(validate.errors ?? [], whole, at)
  }
}

function explain(errors: ErrorObject[], whole: string, within: string): Refusal | undefined {
  const error = ofFittingChoice(errors) ?? errors[0]
  if (!error) return undefined
  const params = error.params as Record<string, unknown>
  const parent = joined(within, pathOf(error.instancePath))
  const no = (field: string, message: string, data: { reason: string; [fact: string]: unknown }) =>
    refuse('invalid_request', message, { field, data })
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownField(
        (error.parentSchema ?? {}) as Fields,
        parent,
        String(params['additionalProperty']),
      )
    case 'required':
      return missingField(
        (error.parentSchema ?? {}) as Fields,
        parent,
        String(params['missingProperty']),
      )
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).join(', ')
      return no(parent, `${parent} must be one of ${allowed}.`, { reason: 'not_a_choice', allowed })
    }
    case 'pattern': {
      const described = error.parentSchema?.['description'] as string | undefined
      const hint = described ?? formOf(String(params['pattern']))
      const message = `${parent || whole} does not have the right form. ${hint}`
      return no(parent, message, { reason: 'wrong_form' })
    }
    case 'type': {
      const entry = entryAtFault(errors, error)
      const at = joined(within, pathOf(entry.instancePath))
      const rule = `${at || whole} must be ${oneOf(typesAt(errors, entry))}${insteadOf(entry.data)}.`
      const hint = (entry.parentSchema?.['description'] as string | undefined) ?? ''
      return no(at, `${rule} ${hint}`.trim(), { reason: 'wrong_type' })
    }
    default: {
      // For a fault of a property's name, such as one too long, Ajv reports the object's place and
      // the name beside it.
      const field = error.propertyName === undefined ? parent : keyAt(parent, error.propertyName)
      return no(field, `${field || whole} ${boundOf(error)}.`, reasonOf(error))
    }
  }
}

/** What a pattern takes, where no description says it. */
function formOf(pattern: string): string {
  if (pattern === '\\S') return 'It must not be empty.'
  const [, prefix] = /^\^([a-z]{3}_)\[/.exec(pattern) ?? []
  return prefix === undefined ? `It is written as ${pattern}` : `It is an id, ${prefix}….`
}

/** Where one of the choices has the type of the value, what is wrong is its bound: an empty list. */
function ofFittingChoice(errors: ErrorObject[]): ErrorObject | undefined {
  const [first] = errors
  if (first?.keyword !== 'type') return undefined
  return errors.find(
    ({ keyword, instancePath }) =>
      instancePath === first.instancePath &&
      (keyword in kindsOfBounds || keyword === 'uniqueItems'),
  )
}

/** Where a list is one of the choices, what is wrong with a list is its entry. */
function entryAtFault(errors: ErrorObject[], error: ErrorObject): ErrorObject {
  if (!Array.isArray(error.data)) return error
  const within = `${error.instancePath}/`
  const isOfEntry = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'type' && instancePath.startsWith(within)
  return errors.find(isOfEntry) ?? error
}

/** A list or an object where one value belongs is the frequent mistake, so it is named. */
function insteadOf(value: unknown): string {
  if (Array.isArray(value)) return ', not a list'
  if (isObject(value) && typeof value['email'] === 'string') {
    return ', not an object: write it as "Ana <ana@example.com>"'
  }
  return typeof value === 'object' && value !== null ? ', not an object' : ''
}

const kindsOfBounds: Readonly<Record<string, [verb: string, unit: string]>> = {
  minLength: ['have at least', ' characters'],
  maxLength: ['have at most', ' characters'],
  minItems: ['have at least', ' entries'],
  maxItems: ['have at most', ' entries'],
  maxProperties: ['have at most', ' entries'],
  minimum: ['be at least', ''],
  maximum: ['be at most', ''],
}

const singleUnits: Readonly<Record<string, string>> = {
  ' characters': ' character',
  ' entries': ' entry',
}

const reasonsOfBounds: Readonly<Record<string, string>> = {
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  minimum: 'below_minimum',
  maximum: 'above_maximum',
}

function reasonOf({ keyword, params }: ErrorObject): { reason: string; limit?: number } {
  const reason = reasonsOfBounds[keyword]
  const { limit } = params as { limit?: number }
  if (reason === undefined || limit === undefined) return { reason: 'wrong_form' }
  return { reason, limit }
}

/** What is wrong, in the words of a person instead of the validator's. */
function boundOf({ keyword, params }: ErrorObject): string {
  const { limit } = params as { limit?: number }
  const bound = kindsOfBounds[keyword]
  if (keyword === 'uniqueItems') {
    const { i, j } = params as { i: number; j: number }
    const [first, second] = [Math.min(i, j), Math.max(i, j)]
    return `names the same entry twice, at [${first}] and [${second}]`
  }
  if (!bound) return 'does not have the right form'
  if (limit === 1 && keyword.startsWith('min') && bound[1] !== '') return 'must not be empty'
  const unit = limit === 1 ? singleUnits[bound[1]] : undefined
  return `must ${bound[0]} ${limit}${unit ?? bound[1]}`
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
}

/** The types that the value may have; Ajv reports one error for each choice of an `anyOf`. */
function typesAt(errors: ErrorObject[], { instancePath }: ErrorObject): string[] {
  const types = errors
    .filter((error) => error.keyword === 'type' && error.instancePath === instancePath)
    .map((error) => String(error.params['type']))
  const names = types.flatMap((type) =>
    type === 'boolean' ? ['true', 'false'] : (typeNames[type] ?? type),
  )
  return [...new Set(names)]
}

/** `a string, a number or null`. */
function oneOf(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last
}

interface Fields {
  properties?: Record<string, { description?: string }>
}

const keyAt = (parent: string, key: string) =>
  parent ? `${parent}.${truncateKey(key)}` : truncateKey(key)

/** Refuses an unknown field; the known fields are listed for the first of several only. */
export function unknownField(
  { properties = {} }: Fields,
  parent: string,
  key: string,
  isFirst = true,
): Refusal {
  const field = keyAt(parent, key)
  const names = Object.keys(properties)
  const meant = nearest(key, names)
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`
  const list = isFirst ? ` Known: ${names.join(', ')}.` : ''
  const text = `${field} is not known here.${guess}${list}`
  return refuse('invalid_request', text, { field, data: { reason: 'unknown_field' } })
}

export function missingField({ properties = {} }: Fields, parent: string, key: string): Refusal {
  const field = keyAt(parent, key)
  const about = Object.hasOwn(properties, key) ? (properties[key]?.description ?? '') : ''
  const text = `${field} is missing. ${about}`.trim()
  return refuse('invalid_request', text, { field, data: { reason: 'missing' } })
}

function joined(within: string, inner: string): string {
  if (within === '' || inner === '') return within + inner
  return inner.startsWith('[') ? `${within}${inner}` : `${within}.${inner}`
}

/** Turns a JSON pointer, `/fields/0/key`, into the form that people write: `fields[0].key`. */
function pathOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return formatFieldPath(
    parts.map((part) =>
      /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~'),
    ),
  )
}

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
