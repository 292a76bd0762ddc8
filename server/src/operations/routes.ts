/**
 * Operations as REST routes, read from their definitions: method, path, and where each
 * field of the input stands. GET and DELETE take fields in the query, the others in the
 * body; what its path names is in the path alone.
 */
import type { Operation } from '../core/operation.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

export interface Route {
  operation: Operation
  method: Method
  /** `/v1/forms/:form_id`. */
  path: string
  /** The fields that stand in the path. */
  inPath: readonly string[]
  /** Where the other fields stand. */
  fieldsIn: 'query' | 'body'
  /** Those other fields. */
  fields: readonly string[]
  /** Status of an answer. */
  status: 200 | 201 | 202 | 204
}

const form = /^([A-Z]+) ((?:\/(?:[a-z0-9-]+|:[a-z0-9_]+))+)$/

export function routesOf(operation: Operation): Route[] {
  const lines = typeof operation.rest === 'string' ? [operation.rest] : operation.rest
  const parsed = lines.map((line) => parse(operation, line))
  const inSomePath = parsed.flatMap(({ inPath }) => inPath)
  return parsed.map(({ method, path, inPath }) => ({
    operation,
    method,
    path,
    inPath,
    fieldsIn: method === 'GET' || method === 'DELETE' ? 'query' : 'body',
    fields: fieldsBeside(operation, inPath.length > 0 ? inPath : inSomePath),
    status: statusOf(operation, method),
  }))
}

/**
 * A field in the path of one route is what tells it from one without: that one does not
 * take it elsewhere. Of two that name different things, each takes the other's beside its own.
 */
function fieldsBeside({ input }: Operation, inPath: readonly string[]): string[] {
  return Object.keys(input.properties).filter((key) => !inPath.includes(key))
}

/** Every route of the catalogue, in its order. */
export function allRoutes(catalog: readonly Operation[]): Route[] {
  return catalog.flatMap(routesOf)
}

function parse({ name, input }: Operation, line: string) {
  const [, word, path = ''] = form.exec(line) ?? []
  const method = methods.find((one) => one === word)
  const inPath = [...path.matchAll(/:([a-z0-9_]+)/g)].map(([, key = '']) => key)
  const strange = inPath.find((key) => !(key in input.properties))
  if (!method || !path.startsWith('/v1/') || strange !== undefined) {
    throw new Error(`${name} has the route "${line}", which is none, or names no field of it`)
  }
  return { method, path, inPath }
}

function statusOf({ status, output }: Operation, method: Method): Route['status'] {
  if (method === 'POST') return status ?? 200
  return method === 'DELETE' && Object.keys(output.properties).length === 0 ? 204 : 200
}
