/** Reads the arguments of an operation from a request: its path, its query or body, and its key. */

import { orThrow, type Refusal, refuse } from '../../core/errors.ts'
import { truncateKey } from '../../core/field-path.ts'
import { readJson, refuseSyntax } from '../../core/json.ts'
import type { TSchema } from '../../lib/schema/schema.ts'
import { fieldKind } from '../../operations/field-kind.ts'
import type { Route } from '../../operations/routes.ts'

export interface RequestParts {
  path: Record<string, string>
  /** The query string, without the question mark. */
  query: string
  /** The body's text; undefined or empty where there was no body. */
  body: string | undefined
  /** The Idempotency-Key header. */
  key: string | undefined
  /** The If-Match header. */
  ifMatch?: string | undefined
}

type Input = Record<string, unknown>

/** Refuses only fields in the wrong place and invalid values; `operations/call.ts` checks the rest. */
export function readInput(route: Route, parts: RequestParts): Input {
  const fields = route.fieldsIn === 'query' ? fromQuery(route, parts) : fromBody(route, parts)
  const misplaced = Object.keys(fields).find((key) => isInPath(route, key))
  if (misplaced !== undefined) throw inWrongPlace(route, misplaced)
  const input = withKey(route, { ...parts.path, ...fields }, parts.key)
  return withVersion(route, input, parts.ifMatch)
}

function fromQuery(route: Route, { query, body }: RequestParts): Input {
  if (body) {
    const text = `${route.method} does not accept a body here; pass the fields in the query string.`
    throw refuse('invalid_request', text, { field: 'body' })
  }
  const parameters = new URLSearchParams(query)
  const read: [string, unknown][] = []
  for (const key of new Set(parameters.keys())) {
    const schema = Object.hasOwn(route.operation.input.properties, key)
      ? route.operation.input.properties[key]
      : undefined
    const texts = parameters.getAll(key)
    const value = schema ? queryValue(key, schema, texts) : texts[0]
    read.push([key, value])
  }
  // Built from entries: `__proto__` becomes a key like any other, which `operations/call.ts` refuses.
  return Object.fromEntries(read)
}

function fromBody(route: Route, { query, body }: RequestParts): Input {
  const [key] = new URLSearchParams(query).keys()
  if (key !== undefined) {
    const field = truncateKey(key)
    const text = `${field} is in the query string: pass the fields of ${route.method} in the body.`
    throw refuse('invalid_request', text, { field })
  }
  if (!body) return {}
  const parsed = orThrow(readJson(body))
  if (!parsed) throw refuseSyntax(body, { value: 'The body', field: 'body' })
  const { value } = parsed
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input
  const text = 'The body must be a JSON object with the fields of the operation.'
  throw refuse('invalid_request', text, { field: 'body' })
}

/** Whether the field is in the path of this route, or of another route of the operation. */
function isInPath({ operation, fields }: Route, key: string): boolean {
  return Object.hasOwn(operation.input.properties, key) && !fields.includes(key)
}

function inWrongPlace({ inPath, operation, fieldsIn }: Route, field: string): Refusal {
  const routes = [operation.rest].flat().filter((line) => line.includes(`:${field}`))
  const where = inPath.includes(field)
    ? `stands in the path already: leave it out of the ${fieldsIn}.`
    : `stands in the path, not in the ${fieldsIn}: ${routes.join(', ')}.`
  return refuse('invalid_request', `${field} ${where}`, { field })
}

/** Repeating a read is harmless, so the key has no meaning there. */
function withKey({ operation }: Route, input: Input, key: string | undefined): Input {
  const field = 'idempotency_key'
  if (key === undefined || !(field in operation.input.properties)) return input
  if (input[field] === undefined || input[field] === key) return { ...input, [field]: key }
  const text = `The header Idempotency-Key and ${field} differ. Send one of them.`
  throw refuse('invalid_request', text, { field })
}

/** An ETag of the version that the caller read. A route without versions ignores the header. */
const versionTag = /^"(\d{1,15})"$/

export const etagOf = (version: number): string => `"${version}"`

function withVersion({ operation }: Route, input: Input, tag: string | undefined): Input {
  const field = 'if_version'
  if (tag === undefined || !(field in operation.input.properties)) return input
  const [, digits] = versionTag.exec(tag.trim()) ?? []
  if (digits === undefined) {
    const text = 'The header If-Match takes one ETag that a GET or a save answered, such as "3".'
    throw refuse('invalid_request', text, { field })
  }
  const version = Number(digits)
  if (input[field] === undefined || input[field] === version) return { ...input, [field]: version }
  const text = `The header If-Match and ${field} differ. Send one of them.`
  throw refuse('invalid_request', text, { field })
}

/** A number as JSON writes it. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Refuses a value of another kind than the schema's, by the name of its field. */
export function queryValue(field: string, schema: TSchema, texts: string[]): unknown {
  const kind = fieldKind(schema)
  if (kind === 'list') return texts
  const [text = '', ...more] = texts
  if (more.length > 0) throw invalid(field, 'is given more than once: give one value.')
  switch (kind) {
    case 'number':
      if (!number.test(text)) throw invalid(field, 'must be a number.')
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw invalid(field, 'must be true or false.')
      return text === 'true'
    case 'json':
      return jsonValue(field, text)
    default:
      return text
  }
}

function jsonValue(field: string, text: string): unknown {
  const parsed = orThrow(readJson(text, [field]))
  if (!parsed) throw refuseSyntax(text, { value: field, field })
  return parsed.value
}

function invalid(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field })
}
