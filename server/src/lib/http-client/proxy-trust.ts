/**
 * Decides which entries of `X-Forwarded-For` are trusted. Each proxy appends the address of its
 * client, so the entries are read from the right, and only as far as our own proxies reach. The
 * entries further left come from the caller, who may write anything there.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The number of proxies in front, or their networks. */
export type ProxyTrust = { hops: number } | { networks: readonly Range[] }

const mostHops = 10
/**
 * Wider networks would treat callers as proxies, and `0.0.0.0/0` would treat everyone as one. The
 * private ranges 10.0.0.0/8 and fc00::/7 are the widest that proxies are in.
 */
const widest = { ipv4: 8, ipv6: 7 }

/** `2`, `10.0.0.0/8 192.0.2.7` or `yes`, which is one hop; undefined where the text is invalid. */
export function parseProxyTrust(text: string): ProxyTrust | undefined {
  if (text === 'yes') return { hops: 1 }
  if (/^\d+$/.test(text)) {
    const hops = Number(text)
    return hops >= 1 && hops <= mostHops ? { hops } : undefined
  }
  const networks: Range[] = []
  for (const part of text.split(/[\s,]+/)) {
    const range = rangeOf(part)
    if (!range) return undefined
    networks.push(range)
  }
  return { networks }
}

/** The caller's address: the peer's, or the address that trusted proxies report. */
export function callerAddressOf(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trust: ProxyTrust | false,
): string {
  // A socket that is closed already has no address.
  let address = plainAddress(peer ?? '') ?? '0.0.0.0'
  if (!trust || forwardedFor === undefined) return address
  const entries = forwardedFor.split(',')
  for (let hop = 1; isProxy(trust, address, hop); hop++) {
    const before = plainAddress(entries.pop() ?? '')
    // The entry is missing, or a proxy hides the address (`unknown`): this is the nearest known
    // address.
    if (before === undefined) return address
    address = before
  }
  return address
}

function isProxy(trust: ProxyTrust, address: string, hop: number): boolean {
  if ('hops' in trust) return hop <= trust.hops
  const ip = ipaddr.parse(address)
  return trust.networks.some(
    (range) => ip.kind() === range[0].kind() && ip.match(range as [ipaddr.IPv4, number]),
  )
}

/**
 * The address without a port or brackets, which some proxies add. Each connection of a caller has
 * another port and would count as a network of its own. IPv4 within IPv6 becomes IPv4.
 */
function plainAddress(entry: string): string | undefined {
  const text = entry.trim()
  const bare =
    /^\[([^\]]{2,64})\](?::\d{1,5})?$/.exec(text)?.[1] ??
    /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text)?.[1] ??
    text
  const address = bare.split('%', 1)[0] as string
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

function rangeOf(text: string): Range | undefined {
  const [address = '', prefix, ...more] = text.split('/')
  if (isIP(address) === 0 || more.length > 0) return undefined
  const ip = ipaddr.parse(address)
  const bits = ip.kind() === 'ipv4' ? 32 : 128
  if (prefix === undefined) return [ip, bits]
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined
  return Number(prefix) < widest[ip.kind()] ? undefined : [ip, Number(prefix)]
}
