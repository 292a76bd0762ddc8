/**
 * The path of a REST call: its request, the token, hooks, one refresh after a 401, and repeated tries
 * after failures that pass. A write is repeated with the same idempotency key, so it runs once.
 */
import { CrierError } from '../errors/error.ts'
import { errorFrom } from '../errors/problem.ts'
import type { TokenSource } from '../sign-in/token-keeper.ts'
import { type Answer, type Method, send, type World } from '../transport/http.ts'
import { type RouteTable, requestFor } from './rest-request.ts'

export interface CallOptions {
  /** Stops waiting for the response or a retry. Work that the server has begun continues. */
  signal?: AbortSignal
  /** How often a call is tried again after a failure that passes. Default 2. */
  retries?: number
  /** The longest time for one try, in milliseconds. Default: that of the client, 30,000. */
  timeout?: number
  /** The key of this write. By default each call gets one of its own. */
  idempotencyKey?: string
}

/** One try of a call, as the hooks see it. It never contains a token. */
export interface RequestInfo {
  /** Such as `email.send`. */
  operation: string
  method: Method
  url: string
  /** Headers of this request; a hook may add some, such as `traceparent`. */
  headers: Record<string, string>
  /** 1 for the first try. */
  attempt: number
}

export interface ResponseInfo extends Omit<RequestInfo, 'headers'> {
  /** 0 where there was no response. */
  status: number
  requestId: string | undefined
  milliseconds: number
  /** Set where the try failed. */
  error?: CrierError
}

export interface Hooks {
  /** Called before each try. */
  onRequest?(request: RequestInfo): void | Promise<void>
  /** Called after each try. */
  onResponse?(response: ResponseInfo): void | Promise<void>
}

/** How a result was obtained: see {@link responseOf}. */
export interface ResponseFacts {
  status: number
  /** Identifies the request in the server's log. */
  requestId: string | undefined
  /** The number of tries; 1 if none was repeated. */
  attempts: number
  /** The key that was sent with a write. */
  idempotencyKey: string | undefined
}

const facts = new WeakMap<object, ResponseFacts>()

/** The request id and the number of tries of a result of this package. */
export function responseOf(result: object): ResponseFacts | undefined {
  return facts.get(result)
}

export interface RestParts extends Hooks {
  world: World
  /** What stands before `/v1/`. */
  base: string
  routes: RouteTable
  /** Writes that take no idempotency key, and readings by POST. */
  keyless: ReadonlySet<string>
  /** Absent where the browser sends the session's cookie. */
  tokens?: TokenSource | undefined
  /** Whether failures that pass are tried again, and writes get keys for that; else only a 429 is. */
  repeatsFailures: boolean
  /** The longest `Retry-After`, in seconds, that is waited for; the caller handles others. */
  longestWait: number
}

export type Rest = (name: string, args: object, options: CallOptions) => Promise<unknown>

/** Statuses of failures that pass by themselves. */
const passing = new Set([408, 429, 502, 503, 504])
const firstPause = 500
const longestPause = 8_000

export function createRest(parts: RestParts): Rest {
  const { world, base, tokens } = parts

  /** Contract 14.3: on a 401 refresh once and retry; a second one is final. */
  const authorized = async (request: Sendable, options: CallOptions): Promise<Answer> => {
    const { signal, timeout = world.timeout } = options
    const sent = (bearer: string | undefined): Promise<Answer> =>
      send(
        { ...world, timeout },
        {
          ...request,
          headers: {
            ...request.headers,
            ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
          },
          signal,
        },
      )
    if (!tokens) return sent(undefined)
    const token = await tokens.token(signal)
    const answer = await sent(token.reveal())
    if (answer.status !== 401 || !tokens.renew) return answer
    const renewed = await tokens.renew(token, signal)
    const again = await sent(renewed.reveal())
    if (again.status === 401) throw signInAgain(errorFrom(again, world.now()))
    return again
  }

  return async (name, args, options) => {
    const { url: path, ...request } = requestFor(parts.routes, name, args)
    const url = base + path
    const { retries = 2, signal } = options
    const isRead = request.method === 'GET' || parts.keyless.has(name)
    const ownKey = (args as { idempotency_key?: string }).idempotency_key
    const callerKey = options.idempotencyKey ?? ownKey
    const key = isRead ? undefined : (callerKey ?? (parts.repeatsFailures ? newKey() : undefined))
    const isRepeatable = parts.repeatsFailures && (isRead || key !== undefined)
    for (let attempt = 1; ; attempt++) {
      const headers = {
        ...request.headers,
        ...(key !== undefined && ownKey === undefined && { 'idempotency-key': key }),
      }
      const info = { operation: name, method: request.method, url, attempt }
      await parts.onRequest?.({ ...info, headers })
      const began = world.now()
      const outcome = await authorized({ ...request, url, headers }, options).catch(
        (error: unknown) => {
          if (error instanceof CrierError) return error
          throw error
        },
      )
      const error = failureOf(outcome, world.now())
      const answer = outcome instanceof CrierError ? undefined : outcome
      const requestId = error?.requestId ?? answer?.headers.get('x-request-id') ?? undefined
      await parts.onResponse?.({
        ...info,
        status: answer?.status ?? error?.status ?? 0,
        requestId,
        milliseconds: world.now() - began,
        ...(error && { error }),
      })
      if (!error) {
        const result = answer?.body ?? {}
        const status = answer?.status ?? 0
        facts.set(result, { status, requestId, attempts: attempt, idempotencyKey: key })
        return result
      }
      const pause = pauseAfter(error, { attempt, world })
      const mayRepeat = error.status === 429 || (isRepeatable && passes(error))
      if (!mayRepeat || attempt > retries || pause > parts.longestWait * 1000) throw error
      await world.wait(pause, signal)
    }
  }
}

interface Sendable {
  url: string
  method: Method
  headers: Record<string, string>
  body?: string
}

/** An idempotency key that no other call has. */
export function newKey(): string {
  return `sdk_${crypto.randomUUID()}`
}

function failureOf(outcome: Answer | CrierError, now: number): CrierError | undefined {
  if (outcome instanceof CrierError) return outcome
  const { status } = outcome
  if (status < 200 || status >= 300) return errorFrom(outcome, now)
  if (status === 204 || isObject(outcome.body)) return undefined
  return new CrierError({
    code: 'bad_response',
    status,
    message: 'The answer is not that of a Crier server. Is the address right?',
    requestId: outcome.headers.get('x-request-id') ?? undefined,
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Of a failure without a response, nobody knows whether the call ran. */
function passes({ status, code }: CrierError): boolean {
  return passing.has(status) || (status === 0 && (code === 'network' || code === 'timeout'))
}

/** The server's own time, or pauses that double, each by chance between its half and itself. */
function pauseAfter(
  { retryAfter }: CrierError,
  { attempt, world }: { attempt: number; world: World },
): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  const pause = Math.min(longestPause, firstPause * 2 ** (attempt - 1))
  return Math.round(pause * (0.5 + world.random() / 2))
}

function signInAgain(error: CrierError): CrierError {
  return new CrierError({
    code: 'unauthorized',
    status: 401,
    requestId: error.requestId,
    message: `${error.message.replace(/\.?$/, '.')} A fresh token was refused as well: sign in again.`,
  })
}
