/**
 * The address that a request came from, for limits, the consent ledger and the audit log alike: one
 * interpretation of proxy headers. Fastify's own `request.ip` is not used, because it accepts
 * anything in the header as an address (a test checks that it is not used).
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../core/errors.ts'
import { callerAddressOf, type ProxyTrust } from '../lib/http-client/proxy-trust.ts'
import { networkOf } from '../lib/rate-limit/attempts.ts'
import type { LocalLimit } from '../lib/rate-limit/local-limit.ts'
import type { Visit } from '../tracking/visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's address, as far as proxies are trusted (TRUST_PROXY). */
    readonly callerAddress: string
    /**
     * From a program on this machine: over loopback, under a name of this machine, and not through
     * a proxy or tunnel that says so. A page elsewhere can point its own name at 127.0.0.1, but the
     * browser then sends that name as Host.
     */
    readonly isFromThisMachine: boolean
    /** Forwarded by a proxy or tunnel that says so. */
    readonly isProxied: boolean
  }
}

export function readCallerAddresses(server: FastifyInstance, trust: ProxyTrust | false): void {
  server.decorateRequest('callerAddress', {
    getter() {
      const { headers, raw } = this
      // Node joins repeated headers of this name, in order.
      const forwarded = headers['x-forwarded-for'] as string | undefined
      return callerAddressOf(raw.socket.remoteAddress, forwarded, trust)
    },
  })
  server.decorateRequest('isProxied', {
    getter() {
      return isForwarded(this.headers)
    },
  })
  server.decorateRequest('isFromThisMachine', {
    getter() {
      const { headers, raw } = this
      return (
        !isForwarded(headers) &&
        isLoopback(raw.socket.remoteAddress ?? '') &&
        namesLoopback(headers.host)
      )
    },
  })
}

const isLoopback = (address: string) =>
  address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')

/** Whether a Host header names this machine by an address or name that no other machine has. */
export function namesLoopback(host: string | undefined): boolean {
  const hostname = URL.parse(`http://${host ?? ''}`)?.hostname
  return hostname === 'localhost' || hostname === '[::1]' || isLoopbackIpv4(hostname ?? '')
}

const isLoopbackIpv4 = (hostname: string) => isIP(hostname) === 4 && hostname.startsWith('127.')

/**
 * Headers with which proxies and tunnels pass on who called them: RFC 7239 (Forwarded), RFC 9110
 * (Via), RFC 8586 (CDN-Loop), and the headers that nginx, Cloudflare and cloudflared, Akamai,
 * Fastly, Fly.io, Envoy, Amazon, Azure, Google and Tailscale document. ngrok, localtunnel and the
 * tunnels of editors send `X-Forwarded-*`.
 */
const forwardingHeaders: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'cdn-loop',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'x-original-forwarded-for',
  'x-original-url',
  'true-client-ip',
  'fastly-client-ip',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
  'x-arr-log-id',
  'x-proxyuser-ip',
  'proxy-connection',
])
const forwardingPrefixes = [
  'x-forwarded',
  'cf-',
  'fly-',
  'x-envoy-',
  'x-azure-',
  'x-appengine-',
  'tailscale-',
]

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some(
    (name) =>
      forwardingHeaders.has(name) || forwardingPrefixes.some((prefix) => name.startsWith(prefix)),
  )
}

/** A person's or a program's visit of a page for recipients. */
export function visitOf(request: FastifyRequest): Visit {
  const { headers, method, callerAddress } = request
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-moz']]
  const purpose = purposes.filter((entry) => entry !== undefined).join(' ')
  return { method, address: callerAddress, agent: headers['user-agent'], purpose }
}

/** Counts the visit; false once the visitor's network has made too many. */
export function countVisit(limit: LocalLimit, { address }: Visit): boolean {
  return limit.take(networkOf(address))
}

/** Counts the visit of a page that costs something, such as one that renders a mail. */
export function refuseManyVisits(limit: LocalLimit, request: FastifyRequest): Refusal | undefined {
  if (countVisit(limit, visitOf(request))) return undefined
  const text = 'Too many pages were opened from your network. Wait a minute and try again.'
  return refuse('rate_limited', text, { retryAfter: 60 })
}
