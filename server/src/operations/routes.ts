/**
 * Derives the REST routes of operations from their definitions: the method, the path, and the place
 * of each input field. GET and DELETE take fields in the query, the others in the body. A field
 * that the path names is only in the path.
 */
import type { Operation } from '../core/operation.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

export interface Route {
  operation: Operation
  method: Method
  /** The path with its parameters, `/v1/forms/:form_id`. */
  path: string
  /** Fields that are parameters of the path. */
  inPath: readonly string[]
  /** Where the remaining fields are sent. */
  fieldsIn: 'query' | 'body'
  /** The remaining fields. */
  fields: readonly string[]
  /** The status of a successful response. */
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
    fields: fieldsBeside(operation, inPath.length > 0 || operation.idInBody ? inPath : inSomePath),
    status: statusOf(operation, method),
  }))
}

/**
 * The fields that a route takes besides those of its path. If an operation has one route with an id
 * in its path and one without, the route without it does not take that id at all. If its routes
 * name different objects, each takes the other's id as a field.
 */
function fieldsBeside({ input }: Operation, inPath: readonly string[]): string[] {
  return Object.keys(input.properties).filter((key) => !inPath.includes(key))
}

/** Lists every route, in the order of the catalogue. */
export function allRoutes(catalog: readonly Operation[]): Route[] {
  return catalog.flatMap(routesOf)
}

function parse({ name, input }: Operation, line: string) {
  const [, word, path = ''] = form.exec(line) ?? []
  const method = methods.find((entry) => entry === word)
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
