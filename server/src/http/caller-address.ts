/**
 * The address that a request came from, for limits, the consent ledger and the audit log alike: one
 * interpretation of proxy headers. Fastify's own `request.ip` is not used, because it accepts
 * anything in the header as an address (a test checks that it is not used).
 */
import type { FastifyInstance } from 'fastify'
import { callerAddressOf, type ProxyTrust } from '../lib/http-client/proxy-trust.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's address, as far as proxies are trusted (TRUST_PROXY). */
    readonly callerAddress: string
    /** From a program on this machine: over loopback, and not through a proxy that says so. */
    readonly isFromThisMachine: boolean
    /** Forwarded by a proxy that says so. */
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
      return ['x-forwarded-for', 'forwarded', 'via'].some((name) => name in this.headers)
    },
  })
  server.decorateRequest('isFromThisMachine', {
    getter() {
      return !this.isProxied && isLoopback(this.raw.socket.remoteAddress ?? '')
    },
  })
}

const isLoopback = (address: string) =>
  address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
