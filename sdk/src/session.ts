/**
 * A client for pages that the service itself serves. It uses REST with the session's cookie, which
 * the browser sends along in place of a token. Programs use {@link createClient} instead.
 *
 * @packageDocumentation
 */

import { type RouteTable, requestFor } from './calls/rest-request.ts'
import { errorFrom } from './errors/problem.ts'
import { type CallFunction, type Operations, operationsOver } from './generated/operations.ts'
import { routes as ownRoutes } from './generated/routes.ts'
import { type Answer, send, type World, worldFrom } from './transport/http.ts'

export type { RouteTable } from './calls/rest-request.ts'
export type { CallOptions } from './calls/rpc.ts'
export { CrierError, type Fix } from './errors/error.ts'
export type * from './generated/operations.ts'

export interface SessionClientOptions extends Partial<World> {
  /** The origin of the page, which is the service's own. */
  url: string
  /** Routes in addition to the catalogue's, such as those that no token can access. */
  routes?: RouteTable
}

export interface SessionClient extends Operations {
  /** Calls an operation by its name, such as `form.list`. */
  call: CallFunction
}

/** The longest `Retry-After`, in seconds, that this client waits for; the caller handles others. */
const longestWait = 10

/** A client of the service that served this page, for the person who is signed in. */
export function createSessionClient(options: SessionClientOptions): SessionClient {
  const world = worldFrom({
    ...options,
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
  })
  const table = { ...ownRoutes, ...options.routes }

  const call: CallFunction = async <T>(
    name: string,
    args: object = {},
    { signal, retries = 2 }: Parameters<CallFunction>[2] = {},
  ) => {
    const request = requestFor(table, name, args)
    for (let attempt = 0; ; attempt++) {
      const answer = await send(world, { ...request, url: options.url + request.url, signal })
      if (isFine(answer)) return (answer.body ?? {}) as T
      const error = errorFrom(answer, world.now())
      const seconds = error.retryAfter ?? 2 ** attempt
      // A refused call did not run, so trying again cannot do anything twice.
      if (answer.status !== 429 || attempt >= retries || seconds > longestWait) throw error
      await world.wait(seconds * 1000, signal)
    }
  }
  return { ...operationsOver(call), call }
}

const isFine = ({ status }: Answer) => status >= 200 && status < 300
