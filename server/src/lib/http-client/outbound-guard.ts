/**
 * Keeps requests to addresses that strangers name (webhooks, client documents) from reaching our
 * own network. A name is resolved once, all its addresses are checked, and only checked addresses
 * are connected to. A name that resolves differently a moment later (DNS rebinding) gains nothing.
 */

import dns, { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { ignoreError } from '../concurrency/ignore-error.ts'
import { isRefusal, type Refusal, refuse } from '../schema/refusal.ts'
import { seconds } from '../time/clock.ts'
import { isCloudService } from './cloud-services.ts'

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

export type Resolve = (hostname: string) => Promise<string[]>

export interface ResolveOptions {
  /** `address:port` of servers to query instead of the machine's own. */
  servers?: readonly string[]
}

const timeoutMs = seconds(1.5)

/**
 * Resolves names that strangers gave. Names of the internet are queried over DNS directly:
 * `dns.lookup` occupies one of four threads for as long as a name server is silent, and four such
 * names would block every lookup, file operation and cipher of the process.
 */
export function createResolve({ servers }: ResolveOptions = {}): Resolve {
  return async (hostname) => {
    if (await isOurs(hostname)) {
      const addresses = await dns.lookup(hostname, { all: true })
      return addresses.map(({ address }) => address)
    }
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    const answers = [four, six].flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    )
    if (answers.length === 0 && four.status === 'rejected') throw four.reason
    return answers
  }
}

/** Whether no stranger can own the name: one word, a link-local name, or in the hosts file. */
async function isOurs(hostname: string): Promise<boolean> {
  const name = hostname.replace(/\.$/, '').toLowerCase()
  if (!name.includes('.') || name.endsWith('.local')) return true
  const hosts = await ignoreError(
    'without the file there are no such names',
    readFile('/etc/hosts'),
  )
  const words = (hosts?.toString() ?? '').replaceAll(/#.*/g, '').toLowerCase().split(/\s+/)
  return words.includes(name)
}

/** One `CIDR:port` or `CIDR:*` of OUTBOUND_ALLOW. */
export interface AllowRule {
  range: [ipaddr.IPv4 | ipaddr.IPv6, number]
  port: number | '*'
}

const webPorts = new Set([80, 443])
// All addresses that are assigned for use on the internet (IANA, "IPv6 Global Unicast Address
// Assignments"). Others may mean anything in our own network.
const globalUnicast6 = ipaddr.parseCIDR('2000::/3')

/** Parses a rule; undefined where the text is invalid. */
export function parseAllowRule(text: string): AllowRule | undefined {
  const at = text.lastIndexOf(':')
  const [cidr, portText] = [text.slice(0, at).replace(/^\[(.*)\]/, '$1'), text.slice(at + 1)]
  if (!ipaddr.isValidCIDR(cidr)) return undefined
  const range = ipaddr.parseCIDR(cidr)
  if (portText === '*') return { range, port: '*' }
  const port = Number(portText)
  return /^\d+$/.test(portText) && port >= 1 && port <= 65_535 ? { range, port } : undefined
}

/** Whether any address at all may be reached on this port. */
export function isPortUsed(port: number, rules: AllowRule[]): boolean {
  return webPorts.has(port) || rules.some((rule) => rule.port === '*' || rule.port === port)
}

/** Allows public unicast addresses on 80 and 443, and the addresses and ports of the rules. */
export function mayReach(address: string, port: number, rules: AllowRule[]): boolean {
  return (webPorts.has(port) && isPublicAddress(address)) || isNamed(address, port, rules)
}

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4-mapped IPv6 address (::ffff:127.0.0.1) is checked as IPv4.
  const ip = ipaddr.process(address)
  return !isCloudService(ip) && isPublic(ip)
}

/** Whether a rule names the address and port. */
export function isNamed(address: string, port: number, rules: AllowRule[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  const ofCloud = isCloudService(ip)
  return rules.some(
    (rule) =>
      (rule.port === '*' || rule.port === port) &&
      // A rule for a wide network does not mean the services of the cloud within it.
      (!ofCloud || isOneAddress(rule)) &&
      ip.kind() === rule.range[0].kind() &&
      ip.match(rule.range as [ipaddr.IPv4, number]),
  )
}

function isOneAddress({ range: [ip, bits] }: AllowRule): boolean {
  return bits === (ip.kind() === 'ipv4' ? 32 : 128)
}

function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  // Also refuses NAT64, 6to4 and Teredo, which may contain a private IPv4 address.
  if (ip.range() !== 'unicast') return false
  return ip instanceof ipaddr.IPv4 || ip.match(globalUnicast6)
}

/** Whether a URL names the machine that the service runs on. Names are not resolved. */
export function isThisMachine(text: string): boolean {
  const host = URL.parse(text)?.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!host) return false
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  if (!ipaddr.isValid(host)) return false
  const address = ipaddr.process(host)
  if (['loopback', 'unspecified'].includes(address.range())) return true
  return ownAddresses().has(address.toString())
}

function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  // A URL cannot contain a zone (fe80::1%eth0).
  return new Set(all.map(({ address }) => ipaddr.process(address.split('%')[0] ?? '').toString()))
}
