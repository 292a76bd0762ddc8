/**
 * HTTP to remote servers that strangers named. Requests are guarded, have a deadline and a limit of
 * bytes, and follow no redirect. Connections are kept open and reused (undici's dispatch on a pool;
 * the global fetch reaches 0.17 of the rate of undici's request).
 */

import { isRefusal, type Refusal } from '../schema/refusal.ts'
import { seconds } from '../time/clock.ts'
import { ForbiddenAddress, guardedConnector } from './outbound-connect.ts'
import { exchange, type OutboundAnswer } from './outbound-exchange.ts'
import { failureOf, type OutboundFailure } from './outbound-failure.ts'
import type { OutboundGuard } from './outbound-guard.ts'
import { createOrigins } from './outbound-origins.ts'

export type { OutboundAnswer } from './outbound-exchange.ts'

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
    const known = judged.get(text)
    if (known) return known
    const url = guard.check(text)
    if (isRefusal(url)) return url
    if (judged.size >= keptUrls) judged.clear()
    const judgement = { origin: url.origin, path: `${url.pathname}${url.search}` }
    judged.set(text, judgement)
    return judgement
  }

  return {
    async fetch(wanted) {
      const target = judge(wanted.url)
      if (isRefusal(target)) return failureOf(new ForbiddenAddress(target))
      const request = {
        ...target,
        method: wanted.method ?? 'GET',
        headers: wanted.headers ?? {},
        body: wanted.body ?? null,
      }
      return exchange(origins.poolOf(target), request, {
        deadlineMs: wanted.deadlineMs ?? defaultMs,
        bodyMs: wanted.bodyMs ?? defaultMs,
        maxBytes: wanted.maxBytes ?? defaultBytes,
      })
    },
    close: () => origins.close(),
  }
}
