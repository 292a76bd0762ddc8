/** The networks from which a key is accepted, as CIDR blocks. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { refuse } from '../../core/errors.ts'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Returns canonical blocks (one address is a block too), or the fault of the first bad one. */
export function readNetworks(texts: readonly string[]): string[] {
  const networks: string[] = []
  for (const text of texts) {
    const range = rangeOf(text)
    if (!range) {
      const form = `“${text.slice(0, 50)}” is not a valid network: write 203.0.113.0/24, or one address.`
      throw refuse('invalid_request', form, {
        field: 'allowed_networks',
        data: { reason: 'no_network', text: text.slice(0, 50) },
      })
    }
    networks.push(`${range[0].toString()}/${range[1]}`)
  }
  return networks
}

/** Whether one of the networks contains the address. Without networks, every address is allowed. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  const ip = ipaddr.process(address)
  return networks.some((text) => {
    const range = rangeOf(text)
    return range && ip.kind() === range[0].kind() && ip.match(range as [ipaddr.IPv4, number])
  })
}

function rangeOf(text: string): Range | undefined {
  const [address = '', prefix, ...more] = text.trim().split('/')
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return undefined
  const ip = ipaddr.process(address)
  const bits = ip.kind() === 'ipv4' ? 32 : 128
  if (prefix === undefined) return [ip, bits]
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? [ip, Number(prefix)] : undefined
}
