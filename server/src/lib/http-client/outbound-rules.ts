/** Which addresses and ports an outbound request may reach when a stranger named the URL. */
import ipaddr from 'ipaddr.js'
import { isCloudService } from './cloud-services.ts'

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
