/** Whether a URL names the machine that the service runs on. */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Decides by the URL alone; names are not resolved. */
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
