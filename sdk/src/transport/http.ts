/** One request and its JSON response: deadline, abort, and errors that contain no secret. */
import { CrierError } from '../errors/error.ts'
import { parsed } from '../errors/problem.ts'

/** A client's dependencies on the outside; tests replace time and the remote server. */
export interface World {
  fetch: typeof fetch
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after this many milliseconds, or rejects when the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** The longest time for one request, in milliseconds. */
  timeout: number
  /** Between 0 and 1, so that clients that failed together do not return together. */
  random(): number
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Request {
  url: string
  method: Method
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

export interface Answer {
  status: number
  headers: Headers
  /** The JSON of the body; undefined where the body is not JSON. */
  body: unknown
}

/** Adds defaults to the given parts of a {@link World}. */
export function worldFrom(given: Partial<World>): World {
  return {
    // Browsers and Workers refuse a fetch that is called as a method of another object.
    fetch: given.fetch ?? ((...args) => globalThis.fetch(...args)),
    now: given.now ?? Date.now,
    wait: given.wait ?? wait,
    timeout: given.timeout ?? 30_000,
    random: given.random ?? Math.random,
  }
}

/**
 * Sends one request. Redirects are not followed: a redirected token call would give its refresh
 * token to a host that nobody chose.
 */
export async function send(world: World, request: Request): Promise<Answer> {
  const { url, signal, ...init } = request
  const deadline = AbortSignal.timeout(world.timeout)
  try {
    const response = await world.fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    const { status, headers } = response
    const text = await response.text()
    if (status >= 300 && status < 400) throw redirected(request.url, headers)
    return { status, headers, body: parsed(text) }
  } catch (error) {
    if (error instanceof CrierError) throw error
    if (signal?.aborted) throw signal.reason
    throw unreachable(url, deadline.aborted ? world.timeout : undefined, error)
  }
}

/** Posts a form, as the OAuth endpoints require (RFC 6749 section 4.1.3). */
export function sendForm(
  world: World,
  url: string,
  fields: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  return send(world, {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    signal,
  })
}

/** Posts JSON. */
export function sendJson(
  world: World,
  url: string,
  value: unknown,
  extra: { headers?: Record<string, string>; signal?: AbortSignal | undefined } = {},
): Promise<Answer> {
  return send(world, {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...extra.headers },
    body: JSON.stringify(value),
    signal: extra.signal,
  })
}

function redirected(url: string, headers: Headers): CrierError {
  const target = headers.get('location')
  const place = target ? new URL(target, url).origin : 'another address'
  return new CrierError({
    code: 'bad_response',
    message: `${new URL(url).origin} sends on to ${place}. Use that address instead.`,
  })
}

function unreachable(url: string, timeout: number | undefined, error: unknown): CrierError {
  const { origin } = new URL(url)
  if (timeout !== undefined) {
    const message = `No answer from ${origin} within ${timeout / 1000} seconds.`
    return new CrierError({ code: 'timeout', message })
  }
  const reason = (error as { cause?: { code?: string } }).cause?.code
  return new CrierError({
    code: 'network',
    message: `${origin} cannot be reached${reason ? ` (${reason})` : ''}. Is the server running, and the address right?`,
    cause: error,
  })
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
  })
}
