/** The form that a call of an operation has in a request, for samples. */

import type { Operation } from '../core/operation.ts'
import { type Route, routesOf } from '../operations/routes.ts'
import type { ExampleIds } from './examples/ids.ts'
import { exampleInput } from './examples/inputs.ts'
import { exampleValue } from './examples/values.ts'
import { plain } from './openapi/schema.ts'

export interface SampleRequest {
  method: string
  /** The path with its query. */
  path: string
  body: Record<string, unknown> | undefined
}

/** The sample call of each route of the operation. */
export function sampleRequests(operation: Operation, ids: ExampleIds): SampleRequest[] {
  const input = exampleInput(operation, ids)
  return routesOf(operation).map((route) => requestOf(route, input, ids))
}

function requestOf(
  { operation, method, path, fields, fieldsIn }: Route,
  input: Record<string, unknown>,
  ids: ExampleIds,
): SampleRequest {
  const { properties = {} } = plain(operation.input)
  const filled = path.replace(/:([a-z0-9_]+)/g, (_match, key: string) => {
    const value = input[key] ?? exampleValue(properties[key] ?? {}, key, ids)
    return encodeURIComponent(String(value))
  })
  const others = Object.entries(input).filter(([key]) => fields.includes(key))
  if (fieldsIn === 'body') {
    return {
      method,
      path: filled,
      body: others.length > 0 ? Object.fromEntries(others) : undefined,
    }
  }
  const pairs = others.flatMap(([key, value]) =>
    [value].flat().map((entry) => [key, typeof entry === 'string' ? entry : JSON.stringify(entry)]),
  )
  const query = new URLSearchParams(pairs)
  return { method, path: query.size > 0 ? `${filled}?${query}` : filled, body: undefined }
}
