/**
 * HTTP to remote servers that strangers named. Requests are guarded, have a deadline and a limit of
 * bytes, and follow no redirect. Connections are kept open and reused (undici's dispatch on a pool;
 * the global fetch reaches 0.17 of the rate of undici's request).
 */
import { type Dispatcher, Pool } from 'undici'
import { ignoreError } from '../concurrency/ignore-error.ts'
import { isRefusal, type Refusal } from '../schema/refusal.ts'
import { seconds } from '../time/clock.ts'
import { ForbiddenAddress, guardedConnector } from './outbound-connect.ts'
import { failed, failureOf, type OutboundFailure } from './outbound-failure.ts'
import type { OutboundGuard } from './outbound-guard.ts'

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /**
   * Milliseconds from the start, including DNS and connection, to the end of the headers; default
   * 5 s.
   */
  deadlineMs?: number
  /** Milliseconds from the headers to the end of the body; default 5 s. */
  bodyMs?: number
  /**
   * The most bytes of the body that are read, after which the connection is closed. The default is
   * 64 KiB.
   */
  maxBytes?: number
}

export interface Outbound {
  /** Expected failures are returned, never thrown. */
  fetch(request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure>
  close(): Promise<void>
}

export interface OutboundOptions {
  guard: OutboundGuard
  /**
   * The most connections to one origin; further requests wait within their deadline. Set it to the
   * number of requests where a hanging one must not delay others to the same host.
   */
  connections?: number
  /** The most origins with open connections. */
  maxOrigins?: number
  /** Certificates to trust instead of the system's, for tests. */
  ca?: string
}

const defaultMs = seconds(5)
const defaultBytes = 64 * 1024
const defaultConnections = 64
const defaultOrigins = 256
const keptUrls = 4096

export function createOutbound(options: OutboundOptions): Outbound {
  const { guard, connections = defaultConnections, maxOrigins = defaultOrigins, ca } = options
  const trust = ca === undefined ? {} : { ca }
  const pool = {
    connect: guardedConnector({ guard, timeoutMs: defaultMs, ...trust }),
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: seconds(10),
    keepAliveMaxTimeout: seconds(60),
    // Our own deadlines apply: headersTimeout fires late, and bodyTimeout restarts with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const origins = createOrigins({ max: maxOrigins, pool })

  // The verdict on a URL never changes, and the URLs of webhooks are used again and again.
  const judged = new Map<string, { origin: string; path: string }>()
  const judge = (text: string): { origin: string; path: string } | Refusal => {
    const cached = judged.get(text)
    if (cached) return cached
    const url = guard.check(text)
    if (isRefusal(url)) return url
    if (judged.size >= keptUrls) judged.clear()
    const judgement = { origin: url.origin, path: `${url.pathname}${url.search}` }
    judged.set(text, judgement)
    return judgement
  }

  return {
    async fetch(options) {
      const target = judge(options.url)
      if (isRefusal(target)) return failureOf(new ForbiddenAddress(target))
      const request = {
        ...target,
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        body: options.body ?? null,
      }
      return exchange(origins.poolOf(target), request, {
        deadlineMs: options.deadlineMs ?? defaultMs,
        bodyMs: options.bodyMs ?? defaultMs,
        maxBytes: options.maxBytes ?? defaultBytes,
      })
    },
    close: () => origins.close(),
  }
}

export interface OutboundAnswer {
  outcome: 'answered'
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** False where the body is incomplete: too long, too slow, or interrupted. */
  complete: boolean
}

export interface ExchangeLimits {
  /** Milliseconds from the start, including DNS and connection, to the end of the headers. */
  deadlineMs: number
  /** Milliseconds from the headers to the end of the body. */
  bodyMs: number
  maxBytes: number
}

type Ended = OutboundAnswer | OutboundFailure

/**
 * One request and its response, straight from undici's dispatcher. A response of a few bytes needs
 * no stream and no signal of its own (`request` with both costs twice as much).
 *
 * Resolves with expected failures too; rejects only for a bug.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const handler = new Exchange(limits, resolve, reject)
    dispatcher.dispatch(request, handler)
  })
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits
  readonly #resolve: (ended: Ended) => void
  readonly #reject: (fault: unknown) => void
  readonly #chunks: Buffer[] = []
  #size = 0
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #head: Pick<OutboundAnswer, 'status' | 'headers'> | undefined
  #isOver = false

  constructor(
    limits: ExchangeLimits,
    resolve: (ended: Ended) => void,
    reject: (fault: unknown) => void,
  ) {
    this.#limits = limits
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#cut(failed('timeout', 'DEADLINE')), limits.deadlineMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The deadline passed before the request got a connection.
    if (this.#isOver) controller.abort(new Error('too late'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: OutboundAnswer['headers'],
  ): void {
    if (status < 200 || this.#isOver) return
    this.#head = { status, headers }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#cut(), this.#limits.bodyMs)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > this.#limits.maxBytes) this.#cut()
  }

  onResponseEnd(): void {
    this.#end(this.#answer(true))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    // The response was interrupted after its headers. The part that arrived is returned, marked as
    // incomplete.
    if (this.#head) {
      this.#end(this.#answer(false))
      return
    }
    clearTimeout(this.#timer)
    this.#isOver = true
    try {
      this.#resolve(failureOf(error))
    } catch (fault) {
      this.#reject(fault)
    }
  }

  /** Ends the exchange before the remote server does, and closes its connection. */
  #cut(ended: Ended = this.#answer(false)): void {
    this.#end(ended)
    this.#controller?.abort(new Error('cut'))
  }

  #end(ended: Ended): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#resolve(ended)
  }

  #answer(complete: boolean): Ended {
    if (!this.#head) return failed('protocol', 'NO_HEADERS')
    const [only] = this.#chunks
    const whole = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : (only ?? nothing)
    const body = whole.subarray(0, this.#limits.maxBytes)
    return { outcome: 'answered', ...this.#head, body, complete }
  }
}

const nothing = Buffer.alloc(0)

/**
 * Keeps connections to a bounded number of recently used origins. The least recently used one makes
 * room. (undici's Agent refuses the request to one origin too many.)
 */
export interface Origins {
  /** The current pool of the URL's origin. The next call may close the pool of another origin. */
  poolOf(url: Pick<URL, 'origin'>): Dispatcher
  /** The number of origins with a pool. */
  readonly size: number
  close(): Promise<void>
}

export interface OriginsOptions {
  max: number
  pool: Pool.Options
}

export function createOrigins({ max, pool: options }: OriginsOptions): Origins {
  // In the order of last use.
  const pools = new Map<string, Pool>()

  const makeRoom = (): void => {
    const [oldest] = pools
    if (!oldest || pools.size < max) return
    const [origin, pool] = oldest
    pools.delete(origin)
    // Requests that are under way on the pool end normally.
    void ignoreError('its requests tell their callers themselves', pool.close())
  }

  return {
    get size() {
      return pools.size
    },
    poolOf({ origin }) {
      let pool = pools.get(origin)
      if (pool) pools.delete(origin)
      else {
        makeRoom()
        pool = new Pool(origin, options)
      }
      pools.set(origin, pool)
      return pool
    },
    async close() {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
    },
  }
}
