/** Parses and checks settings about DNS. */
import { isIP } from 'node:net'
import type { DnsServer } from './exchange.ts'

const defaultPort = 53

/** Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`. */
export function parseDnsServer(text: string): DnsServer | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = bracketed ?? plain ?? text
  const number = Number(port ?? defaultPort)
  const isRight = isIP(address) !== 0 && number > 0 && number < 65_536
  return isRight ? { address, port: number } : undefined
}

/** Whether the text is two or more labels of letters, digits, hyphens (RFC 1123, section 2.1). */
export function isHostName(text: string): boolean {
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
  const labels = text.split('.')
  return text.length <= 253 && labels.length > 1 && labels.every((entry) => label.test(entry))
}

/** The mechanisms, separated by single spaces; undefined where one is invalid (RFC 7208, 5). */
export function spfMechanisms(text: string): string | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const mechanism = /^\+?(a|mx|include|ip4|ip6|exists)(:[a-z0-9._:-]+)?(\/\d{1,3}){0,2}$/
  return words.length > 0 && words.every((word) => mechanism.test(word))
    ? words.join(' ')
    : undefined
}
