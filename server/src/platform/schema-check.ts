/**
 * Checks values against a schema. Nothing is coerced or dropped; the first fault is
 * named with its place and what would be right.
 */
import { createRequire } from 'node:module'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type addFormats from 'ajv-formats'
import { type Refusal, refuse } from './errors.ts'
import { fieldAt, shown } from './field-path.ts'
import type { TSchema } from './schema.ts'

const require = createRequire(import.meta.url)
let compiler: Ajv | undefined

/** Ajv is read at the first value there is to check: an idle service needs none of it. */
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

/** `whole` names the value itself, for a fault that is in no field of it. */
export function schemaCheck(
  schema: TSchema,
  whole: string,
): (value: unknown) => Refusal | undefined {
  // Compiled at the first value: most processes never meet most schemas.
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv().compile(schema)
    return validate(value) ? undefined : explain(validate.errors ?? [], whole)
  }
}

function explain(errors: ErrorObject[], whole: string): Refusal | undefined {
  const [error] = errors
  if (!error) return undefined
  const params = error.params as Record<string, unknown>
  const place = pathOf(error.instancePath)
  const at = (key: unknown) => (place ? `${place}.${shown(String(key))}` : shown(String(key)))
  const no = (field: string, message: string) => refuse('invalid_request', message, { field })
  switch (error.keyword) {
    case 'additionalProperties': {
      const field = at(params['additionalProperty'])
      const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
      return no(field, `${field} is not known here. Known: ${known.join(', ')}.`)
    }
    case 'required': {
      const field = at(params['missingProperty'])
      return no(field, `${field} is missing. ${describe(error, String(params['missingProperty']))}`)
    }
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).join(', ')
      return no(place, `${place} must be one of ${allowed}.`)
    }
    case 'pattern': {
      const hint = (error.parentSchema?.['description'] as string | undefined) ?? ''
      return no(place, `${place} does not have the right form. ${hint}`.trim())
    }
    case 'type': {
      return no(place, `${place || whole} must be ${typesAt(errors, error).join(' or ')}.`)
    }
    default: {
      // Of a name that is at fault, such as one too long, the rule stands beside it.
      const field = error.propertyName === undefined ? place : at(error.propertyName)
      return no(field, `${field || whole} ${error.message}.`)
    }
  }
}

/** What the value may be; each choice of an `anyOf` reports its own type. */
function typesAt(errors: ErrorObject[], { instancePath }: ErrorObject): unknown[] {
  return errors
    .filter((error) => error.keyword === 'type' && error.instancePath === instancePath)
    .map((error) => error.params['type'])
}

function describe(error: ErrorObject, key: string): string {
  const properties = error.parentSchema?.['properties'] as
    | Record<string, { description?: string }>
    | undefined
  if (!properties || !Object.hasOwn(properties, key)) return ''
  return properties[key]?.description ?? ''
}

/** `/fields/0/key` as people write it: `fields[0].key`. */
function pathOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return fieldAt(
    parts.map((part) =>
      /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~'),
    ),
  )
}
