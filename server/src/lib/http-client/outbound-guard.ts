/**
 * Keeps requests to addresses that strangers name (webhooks, client documents) from reaching our
 * own network. A name is resolved once, all its addresses are checked, and only checked addresses
 * are connected to. A name that resolves differently a moment later (DNS rebinding) gains nothing.
 */
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRefusal, type Refusal, refuse } from '../schema/refusal.ts'
import { seconds } from '../time/clock.ts'
import { createResolve, type Resolve } from './outbound-resolve.ts'
import { type AllowRule, isPortUsed, mayReach } from './outbound-rules.ts'

export type { Resolve } from './outbound-resolve.ts'

export interface OutboundGuard {
  /** Checks a URL without DNS. */
  check: (url: string) => URL | Refusal
  /** The complete check, for the moment when a URL is registered. */
  admit: (url: string) => Promise<Refusal | undefined>
  /** The addresses of a name, if all of them are allowed. Throws where DNS fails. */
  addressesOf(hostname: string, port: number): Promise<string[] | Refusal>
  mayReach(address: string | undefined, port: number): boolean
}

export interface GuardOptions {
  /** Allows plain http, for development. */
  allowHttp: boolean
  rules: AllowRule[]
  resolve?: Resolve
}

const admitDeadlineMs = seconds(5)

export function createGuard(options: GuardOptions): OutboundGuard {
  const { allowHttp, rules, resolve = createResolve() } = options

  const check = (text: string): URL | Refusal => {
    const url = URL.parse(text)
    if (!url) return refuse('invalid_request', 'This is no URL: send https://host/path.')
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
      return refuse('invalid_request', 'The URL must start with https://.')
    }
    if (url.username || url.password) {
      return refuse('invalid_request', 'The URL must not hold a user name or password.')
    }
    if (!isPortUsed(portOf(url), rules)) {
      return refuse('invalid_request', `Port ${portOf(url)} is not reached from here: use 443.`)
    }
    // The URL parser has normalised 127.1, 0x7f.1 and 2130706433 already.
    const literal = literalOf(url)
    return literal !== undefined && !mayReach(literal, portOf(url), rules) ? notPublic() : url
  }

  const addressesOf = async (hostname: string, port: number): Promise<string[] | Refusal> => {
    const addresses = await resolve(hostname)
    const fine = addresses.length > 0 && addresses.every((ip) => mayReach(ip, port, rules))
    return fine ? addresses : notPublic()
  }

  return {
    check,
    addressesOf,
    mayReach: (address, port) => address !== undefined && mayReach(address, port, rules),
    async admit(text) {
      const url = check(text)
      if (isRefusal(url)) return url
      if (literalOf(url) !== undefined) return undefined
      const late = new AbortController()
      try {
        const addresses = await Promise.race([
          addressesOf(url.hostname, portOf(url)),
          sleep(admitDeadlineMs, undefined, { signal: late.signal }),
        ])
        if (addresses === undefined) return noName(url.hostname)
        return Array.isArray(addresses) ? undefined : addresses
      } catch {
        return noName(url.hostname)
      } finally {
        late.abort()
      }
    },
  }
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

/** The IP address in place of a host name, if there is one. */
export function literalOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) ? host : undefined
}

export function notPublic(): Refusal {
  return refuse(
    'invalid_request',
    'The URL leads to an address that is not public. Use a host that the internet can reach; whoever runs this service can allow others with OUTBOUND_ALLOW.',
  )
}

function noName(hostname: string): Refusal {
  return refuse(
    'invalid_request',
    `The host ${hostname} has no address in DNS. Check its spelling.`,
  )
}
