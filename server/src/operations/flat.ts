/**
 * The shape of answers over REST: what strangers typed stands beside the other fields, as in events
 * and webhooks. Only for a model, in a tool's result, it is marked by a field `untrusted` of its own.
 */
import { isRefusal } from '../core/errors.ts'
import type { Operation } from '../core/operation.ts'
import { isObject } from '../lib/schema/is-object.ts'

interface Schema {
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
}

const mark = 'untrusted'

/** The schema of the same answer over REST. */
export function flatSchema<S extends Schema>(schema: S): S {
  const { properties, required, items, anyOf } = schema
  if (properties) {
    const { [mark]: marked, ...others } = properties
    const inner = marked?.properties ?? {}
    const doubled = Object.keys(inner).find((key) => key in others)
    if (doubled !== undefined) throw new Error(`${doubled} stands in an answer and in its ${mark}`)
    const fields = Object.entries({ ...others, ...inner })
    const isMarkRequired = required?.includes(mark)
    const needed = [
      ...(required ?? []).filter((key) => key !== mark),
      ...(isMarkRequired ? (marked?.required ?? []) : []),
    ]
    return {
      ...schema,
      properties: Object.fromEntries(fields.map(([key, field]) => [key, flatSchema(field)])),
      ...(required && { required: needed }),
    }
  }
  return {
    ...schema,
    ...(items && { items: flatSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(flatSchema) }),
  }
}

const cache = new WeakMap<Operation, boolean>()

/** The answer of the operation over REST. Most operations answer nothing that strangers typed. */
export function flatAnswer(operation: Operation, answer: unknown): unknown {
  const isMarked = cache.get(operation) ?? marks(operation.output as Schema)
  cache.set(operation, isMarked)
  return isMarked && !isRefusal(answer) ? flattened(answer, operation.output as Schema) : answer
}

function marks({ properties = {}, items, anyOf = [] }: Schema): boolean {
  if (mark in properties) return true
  return [...Object.values(properties), ...(items ? [items] : []), ...anyOf].some(marks)
}

/** By the schema, so that a stranger's own key `untrusted` stays what it is. */
function flattened(value: unknown, { properties, items, anyOf }: Schema): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => flattened(item, items)) : value
  if (!isObject(value)) return value
  const choice = anyOf?.find((schema) => schema.properties)
  if (choice) return flattened(value, choice)
  if (!properties) return value
  const fields: [string, unknown][] = []
  for (const [key, field] of Object.entries(value)) {
    const schema = properties[key]
    const inner = schema ? flattened(field, schema) : field
    if (key === mark && isObject(inner)) fields.push(...Object.entries(inner))
    else fields.push([key, inner])
  }
  return Object.fromEntries(fields)
}
