/**
 * A client for pages that the service itself serves. It uses REST with the session's cookie, which
 * the browser sends along in place of a token. Programs use {@link createClient} instead.
 *
 * @packageDocumentation
 */

import { createRest, newKey } from './calls/rest.ts'
import type { RouteTable } from './calls/rest-request.ts'
import { CrierError } from './errors/error.ts'
import { type CallFunction, type Operations, operationsOver } from './generated/operations.ts'
import { keyless, routes as ownRoutes } from './generated/routes.ts'
import { type World, worldFrom } from './transport/http.ts'

export type { CallOptions } from './calls/rest.ts'
export type { RouteTable } from './calls/rest-request.ts'
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

/** Milliseconds in which the same call is taken for a second try; later it is meant anew. */
const secondTryMs = 120_000

/** A client of the service that served this page, for the person who is signed in. */
export function createSessionClient(options: SessionClientOptions): SessionClient {
  const rest = createRest({
    world: worldFrom(options),
    base: options.url,
    routes: { ...ownRoutes, ...options.routes },
    keyless: new Set(),
    repeatsFailures: false,
    longestWait,
  })
  /** The keys of calls whose answer never came: the same call again runs once, and gets that answer. */
  const unanswered = new Map<string, { key: string; at: number }>()
  const call: CallFunction = async <T>(
    name: string,
    args: object = {},
    options: Parameters<CallFunction>[2] = {},
  ) => {
    if (!(name in ownRoutes) || keyless.has(name)) return (await rest(name, args, options)) as T
    const request = `${name} ${JSON.stringify(args)}`
    const oldest = performance.now() - secondTryMs
    for (const [other, { at }] of unanswered) if (at < oldest) unanswered.delete(other)
    const idempotencyKey = unanswered.get(request)?.key ?? newKey()
    unanswered.delete(request)
    try {
      return (await rest(name, args, { idempotencyKey, ...options })) as T
    } catch (error) {
      if (error instanceof CrierError && error.status === 0) {
        unanswered.set(request, { key: idempotencyKey, at: performance.now() })
      }
      throw error
    }
  }
  return { ...operationsOver(call), call }
}
