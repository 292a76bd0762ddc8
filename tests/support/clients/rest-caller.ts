/** Calls over the REST gateway, with a token or as a page of the app. */

import type { Operation } from 'crier-server/core/operation.ts'
import { type Route, routesOf } from 'crier-server/operations/routes.ts'
import { type Answer, type EntryCaller, renewingToken } from './tool-caller.ts'

export interface RestCaller extends EntryCaller {
  /** Sends any request to the gateway, with this person's token. */
  send(method: string, path: string, more?: { body?: BodyInit; headers?: object }): Promise<Answer>
}

/** Longer than any intended wait, so that a call that hangs fails its test. */
const patience = 60_000

export function restCaller(
  url: string,
  catalog: readonly Operation[],
  mint: () => Promise<string>,
  credentials: (token: string) => object = (token) => ({ authorization: `Bearer ${token}` }),
): RestCaller {
  const nextToken = renewingToken(mint)
  const caller: RestCaller = {
    async call(name, input = {}) {
      const { method, path, body } = requestFor(routeOf(catalog, name, input), input)
      return caller.send(method, path, body === undefined ? {} : { body })
    },
    async get<T>(operation: string, input?: object) {
      const { kind, body, text } = await caller.call(operation, input)
      if (kind !== 'answer') throw new Error(`${operation} was refused: ${text.slice(0, 500)}`)
      return body as T
    },
    async send(method, path, { body, headers = {} } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...credentials(await nextToken(1)),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(patience),
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      })
      const text = await response.text()
      const read = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
      const kind = response.ok ? 'answer' : 'refusal'
      return { status: response.status, headers: response.headers, text, kind, body: read }
    },
  }
  return caller
}

/** The operation's route with the most path parameters that the input all contains. */
export function routeOf(catalog: readonly Operation[], name: string, input: object): Route {
  const operation = catalog.find((entry) => entry.name === name)
  if (!operation) throw new Error(`there is no operation ${name}`)
  const routes = routesOf(operation)
  const fits = ({ inPath }: Route) => inPath.every((key) => key in input)
  const found = routes.filter(fits).toSorted((a, b) => b.inPath.length - a.inPath.length)[0]
  const route = found ?? routes[0]
  if (!route) throw new Error(`${name} has no route`)
  return route
}

export interface RestRequest {
  method: string
  /** Includes the query. */
  path: string
  body?: string
}

export function requestFor(route: Route, input: object): RestRequest {
  const { method, inPath, fieldsIn } = route
  const given = input as Record<string, unknown>
  const path = route.path.replace(/:([a-z0-9_]+)/g, (_match, key: string) =>
    encodeURIComponent(textOf(given[key])),
  )
  const others = Object.entries(given).filter(([key]) => !inPath.includes(key))
  if (fieldsIn === 'body') return { method, path, body: JSON.stringify(Object.fromEntries(others)) }
  const query = new URLSearchParams(
    others.flatMap(([key, value]) =>
      [value].flat().map((entry): [string, string] => [key, textOf(entry)]),
    ),
  )
  return { method, path: query.size === 0 ? path : `${path}?${query}` }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
