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
import { type AllowRule, isNamed, isPortUsed, isPublicAddress, mayReach } from './outbound-rules.ts'

export type { Resolve } from './outbound-resolve.ts'

export interface OutboundGuard {
  /** Checks a URL without DNS. */
  check: (url: string) => URL | Refusal
  /** The complete check, for the moment when a URL is registered. */
  admit: (url: string) => Promise<Refusal | undefined>
  /** The addresses of a name, if all of them are allowed. Throws where DNS fails. */
  addressesOf(hostname: string, target: Target): Promise<string[] | Refusal>
  mayReach(address: string | undefined, target: Target): boolean
}

/** Plain http leaves requests open to whoever carries them, so it reaches fewer addresses. */
export interface Target {
  port: number
  isPlain: boolean
}

export interface GuardOptions {
  /** Allows plain http to every address, for development. Else the rules alone allow it. */
  allowHttp: boolean
  rules: AllowRule[]
  resolve?: Resolve
}

const admitDeadlineMs = seconds(5)

export function createGuard(options: GuardOptions): OutboundGuard {
  const { allowHttp, rules, resolve = createResolve() } = options

  const reaches = (address: string, { port, isPlain }: Target): boolean =>
    isPlain && !allowHttp ? isNamed(address, port, rules) : mayReach(address, port, rules)
  /** Why an address is not reached. */
  const whyNot = (address: string | undefined, { port, isPlain }: Target): Refusal =>
    isPlain && !allowHttp && address !== undefined && isPublicAddress(address)
      ? plainHttp(port)
      : notPublic(port)

  const check = (text: string): URL | Refusal => {
    const url = URL.parse(text)
    if (!url) return refuse('invalid_request', 'This is not a URL. Send https://host/path.')
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      return refuse('invalid_request', 'The URL must start with https://.')
    }
    if (url.username || url.password) {
      return refuse('invalid_request', 'The URL must not contain a user name or password.')
    }
    const target = targetOf(url)
    if (!isPortUsed(target.port, rules)) {
      return refuse(
        'invalid_request',
        `Port ${target.port} is not allowed. Use 443. ${adviceFor(target.port)}`,
      )
    }
    if (target.isPlain && !allowHttp && rules.length === 0) return plainHttp(target.port)
    // The URL parser has normalised 127.1, 0x7f.1 and 2130706433 already.
    const literal = literalOf(url)
    return literal !== undefined && !reaches(literal, target) ? whyNot(literal, target) : url
  }

  const addressesOf = async (hostname: string, target: Target): Promise<string[] | Refusal> => {
    const addresses = await resolve(hostname)
    const foreign = addresses.find((address) => !reaches(address, target))
    if (addresses.length > 0 && foreign === undefined) return addresses
    return whyNot(foreign, target)
  }

  return {
    check,
    addressesOf,
    mayReach: (address, target) => address !== undefined && reaches(address, target),
    async admit(text) {
      const url = check(text)
      if (isRefusal(url)) return url
      if (literalOf(url) !== undefined) return undefined
      const late = new AbortController()
      try {
        const addresses = await Promise.race([
          addressesOf(url.hostname, targetOf(url)),
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

export function targetOf(url: URL): Target {
  const isPlain = url.protocol === 'http:'
  return { port: Number(url.port) || (isPlain ? 80 : 443), isPlain }
}

/** The IP address in place of a host name, if there is one. */
export function literalOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) ? host : undefined
}

function plainHttp(port: number): Refusal {
  return refuse(
    'invalid_request',
    `The URL must start with https://. Plain http is only for hosts on networks that the service is allowed to reach, such as a program beside it. ${adviceFor(port)}`,
  )
}

export function notPublic(port = 443): Refusal {
  return refuse(
    'invalid_request',
    `The URL resolves to an address that is not public. Use a host that is reachable from the internet. ${adviceFor(port)}`,
  )
}

/** What an operator sets. It names no address, which would tell strangers what names in our network resolve to. */
function adviceFor(port: number): string {
  return `For a program in its own network, such as n8n beside it, whoever runs the service sets OUTBOUND_ALLOW to that network and port, such as 172.16.0.0/12:${port}.`
}

function noName(hostname: string): Refusal {
  return refuse(
    'invalid_request',
    `The host ${hostname} has no address in DNS. Check its spelling.`,
  )
}
