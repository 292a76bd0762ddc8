/** Parses a field of the input from its query parameters, by its schema. */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { readJson } from '../../core/json.ts'
import type { TSchema } from '../../lib/schema/schema.ts'
import { fieldKind } from '../../operations/field-kind.ts'

/** A number as JSON writes it. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** The value, or the refusal that names the field. */
export function queryValue(field: string, schema: TSchema, texts: string[]): unknown {
  const kind = fieldKind(schema)
  if (kind === 'list') return texts
  const [text = '', ...more] = texts
  if (more.length > 0) return no(field, 'is given more than once, and takes one value.')
  switch (kind) {
    case 'number':
      return number.test(text) ? Number(text) : no(field, 'must be a number.')
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : no(field, 'must be true or false.'))
    case 'json':
      return jsonValue(field, text)
    default:
      return text
  }
}

function jsonValue(field: string, text: string): unknown {
  const parsed = readJson(text, [field])
  if (isRefusal(parsed)) return parsed
  return parsed ? parsed.value : no(field, 'must be JSON.')
}

function no(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field })
}
