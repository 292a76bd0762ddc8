/** The REST request of a call: its route, and the position of each argument. */
import { CrierError } from '../errors/error.ts'
import type { Method } from '../transport/http.ts'

/** The routes of each operation by name, as `METHOD /path/:field`. */
export type RouteTable = Readonly<Record<string, readonly string[]>>

/** Longer queries are sent as a body if the operation has a route that takes one. */
const longestQuery = 1_500

interface Route {
  method: Method
  path: string
  inPath: string[]
}

/** Returns the request; its `url` is without the origin. */
export function requestFor(
  table: RouteTable,
  name: string,
  args: object,
): { url: string; method: Method; headers: Record<string, string>; body?: string } {
  const given = Object.entries(args).filter(([, value]) => value !== undefined)
  const values = new Map<string, unknown>(given)
  const [first, ...others] = routesFor(table[name] ?? [], values)
  if (!first) throw incomplete(name, table[name] ?? [], values)
  const asQuery = takesQuery(first) ? pathWith(first, values) + queryOf(first, values) : undefined
  const withBody = others.find((other) => !takesQuery(other) && sameLength(other, first))
  if (asQuery !== undefined && !(withBody && asQuery.length > longestQuery)) {
    return { method: first.method, url: asQuery, headers: {} }
  }
  const route = asQuery === undefined ? first : (withBody ?? first)
  return {
    method: route.method,
    url: pathWith(route, values),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(beside(route, values))),
  }
}

/** The routes whose path can be filled in, the most specific first. */
function routesFor(lines: readonly string[], values: ReadonlyMap<string, unknown>): Route[] {
  return lines
    .map((line) => {
      const [method = '', path = ''] = line.split(' ')
      const inPath = path.split('/').flatMap((part) => (part[0] === ':' ? [part.slice(1)] : []))
      return { method: method as Method, path, inPath }
    })
    .filter(({ inPath }) => inPath.every((field) => values.has(field)))
    .sort((a, b) => b.inPath.length - a.inPath.length)
}

const takesQuery = ({ method }: Route) => method === 'GET' || method === 'DELETE'
const sameLength = (a: Route, b: Route) => a.inPath.length === b.inPath.length

const beside = ({ inPath }: Route, values: ReadonlyMap<string, unknown>) =>
  [...values].filter(([field]) => !inPath.includes(field))

function pathWith({ path }: Route, values: ReadonlyMap<string, unknown>): string {
  const segment = (field: string): string => {
    const text = String(values.get(field))
    // As a part of a path these would lead to another one.
    if (['', '.', '..'].includes(text)) throw unusable(field, `"${text}" is not an id.`)
    return encodeURIComponent(text)
  }
  return path
    .split('/')
    .map((part) => (part[0] === ':' ? segment(part.slice(1)) : part))
    .join('/')
}

/** None of the routes can be filled in. */
function incomplete(
  name: string,
  lines: readonly string[],
  values: ReadonlyMap<string, unknown>,
): CrierError {
  const fields = lines.flatMap((line) => [...line.matchAll(/:([a-z_]+)/g)].map(([, key]) => key))
  const missing = fields.find((field) => field !== undefined && !values.has(field))
  return missing === undefined
    ? unusable(undefined, `This package knows no operation ${name}.`)
    : unusable(missing, `${missing} is missing: ${name} needs it.`)
}

function unusable(field: string | undefined, message: string): CrierError {
  return new CrierError({ code: 'invalid_request', message, field })
}

/** Lists become repeated parameters, objects become JSON. */
function queryOf(route: Route, values: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [field, value] of beside(route, values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      query.append(field, typeof item === 'object' ? JSON.stringify(item) : String(item))
    }
  }
  return query.size > 0 ? `?${query}` : ''
}
