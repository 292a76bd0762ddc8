/**
 * Readers for each kind of setting: they return the value or throw an error that says what would
 * be right.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { DnsServer } from '../lib/dns/exchange.ts'
import { isHostName, parseDnsServer, spfMechanisms } from '../lib/dns/settings.ts'
import { smtpParameters } from '../lib/email/smtp/url.ts'
import { type AllowRule, parseAllowRule } from '../lib/http-client/outbound-guard.ts'
import { type ProxyTrust, parseProxyTrust } from '../lib/http-client/proxy-trust.ts'
import { readSmsSender } from '../lib/sms/sender.ts'
import { parseSmsUrl, type SmsOptions, smsParameters } from '../lib/sms/sms-url.ts'
import { nearest } from '../lib/text/nearest.ts'
import { escapes, urlFault } from '../lib/transport/url-fault.ts'
import { fewestHistoryMonths, retentionLimits } from './retention-limits.ts'
import { settings } from './settings.ts'

export class ConfigError extends Error {}

export function readInteger(text: string, name: string, min: number, max: number): number {
  const n = Number(text)
  if (!Number.isInteger(n) || n < min || n > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
  }
  return n
}

/** HISTORY_MONTHS; null: no limit. */
export function readMonths(text: string | undefined): number | null {
  if (text === undefined || text === 'none') return null
  return readInteger(text, 'HISTORY_MONTHS', fewestHistoryMonths, retentionLimits.maxMonths)
}

export function readOptional<T>(
  text: string | undefined,
  read: (text: string) => T,
): T | undefined {
  return text === undefined ? undefined : read(text)
}

/** The two settings are useless without each other. */
export function readCertificate(
  text: (name: string) => string | undefined,
  [certName, keyName]: readonly [string, string],
): { cert: string; key: string } | undefined {
  const [cert, key] = [text(certName), text(keyName)]
  if (cert !== undefined && key !== undefined) return { cert, key }
  if (cert === undefined && key === undefined) return undefined
  throw new ConfigError(`${certName} and ${keyName} belong together: set both, or neither.`)
}

/** The host name of a URL; `localhost` for an IPv6 address in brackets, which is not a domain. */
export function hostOf(url: string): string {
  const { hostname } = new URL(url)
  return hostname.startsWith('[') ? 'localhost' : hostname
}

export function readDomain(text: string, name: string): string {
  if (text === 'localhost' || isHostName(text)) return text.toLowerCase()
  throw new ConfigError(`${name} must be a domain such as bounce.example.com, not "${text}".`)
}

/**
 * Suggests the setting that was meant. The usual mistakes are a typo, such as `PROT` for `PORT`,
 * and a `CRIER_` prefix, which most settings do not have.
 */
export function describeUnknownSetting(name: string): string {
  const names = settings.map((setting) => setting.name)
  const bare = name.slice('CRIER_'.length)
  const meant = names.includes(bare) ? bare : (nearest(name, names) ?? nearest(bare, names))
  const hint = meant ? ` Did you mean ${meant}?` : ''
  return `${name} is not a setting of Crier.${hint} docs/operate/settings.md lists them all.`
}

/** An address, alone or after a name: hello@example.com, or Crier <hello@example.com>. */
export function readMailbox(text: string): string {
  const open = text.indexOf('<')
  const readAddress = open >= 0 && text.endsWith('>') ? text.slice(open + 1, -1) : text
  const at = readAddress.lastIndexOf('@')
  const host = readAddress.slice(at + 1)
  const isFine =
    at > 0 && !/[\s<>"]/.test(readAddress) && (host === 'localhost' || isHostName(host))
  if (isFine) return text
  throw new ConfigError(
    `MAIL_FROM must be an address such as hello@example.com or Crier <hello@example.com>, not "${text}".`,
  )
}

export function address(text: string, name: string): string {
  const url = URL.parse(text)
  const fine =
    url &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !url.username
  if (!fine) {
    throw new ConfigError(`${name} must be http(s)://host[:port] without a path, not "${text}".`)
  }
  return url.origin
}

export function readSmtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const fault = smtpUrlFault(text)
  if (fault !== undefined) throw new ConfigError(`SMTP_URL ${fault}`)
  return text
}

/** Completes `SMTP_URL …`; the text may contain a password, so it is not repeated. */
export function smtpUrlFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname) {
    return `must be smtp://user:password@host:port or smtps://… ${escapes}`
  }
  return urlFault(text, smtpParameters)
}

export function readSmsUrl(text: string): SmsOptions {
  // The value may contain a password, so it is not repeated.
  const fault = urlFault(text, smsParameters)
  if (fault !== undefined) throw new ConfigError(`SMS_URL ${fault}`)
  const options = parseSmsUrl(text)
  if (!options) {
    throw new ConfigError(
      `SMS_URL must be twilio://sid:token@api.twilio.com?from=+12025550100, smpp://id:password@host:2775 or kannel://user:password@host:13013?key=… ${escapes}`,
    )
  }
  if (options.from === undefined) return options
  // In a query string a plus decodes to a space.
  const from = readSmsSender(options.from.replace(/^ /, '+'))
  if (from instanceof Error) throw new ConfigError(`from of SMS_URL: ${from.message}`)
  return { ...options, from }
}

export function readSecret(text: string | undefined, name: string): string | undefined {
  if (text !== undefined && text.length < 32) {
    throw new ConfigError(
      `${name} must be at least 32 characters, such as openssl rand -base64 32 prints.`,
    )
  }
  return text
}

export function readDnsServer(text: string): DnsServer {
  const server = parseDnsServer(text)
  if (server) return server
  throw new ConfigError(`DNS_SERVERS must be IP[:port], such as 192.0.2.53, not "${text}".`)
}

export function readSpfMechanisms(text: string): string {
  const mechanisms = spfMechanisms(text)
  if (mechanisms) return mechanisms
  throw new ConfigError(
    `SPF_MECHANISMS must be mechanisms such as include:spf.relay.example, without v=spf1 and all, not "${text}".`,
  )
}

export function readAllowRule(text: string): AllowRule {
  const rule = parseAllowRule(text)
  if (rule) return rule
  throw new ConfigError(
    `OUTBOUND_ALLOW must be CIDR:port or CIDR:*, such as 10.0.0.0/8:443, not "${text}".`,
  )
}

export function readProxies(text: string): ProxyTrust | false {
  if (text === 'no') return false
  const trust = parseProxyTrust(text)
  if (trust) return trust
  throw new ConfigError(
    `TRUST_PROXY must be the number of proxies in front (1 to 10; yes is 1), their networks such as 10.0.0.0/8 2001:db8::/32 (/8 and /7 at the widest), or no, not "${text}".`,
  )
}

/** A public key as providers show theirs: base64 of an SPKI structure. */
export function readPublicKey(text: string, name: string): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  } catch {
    throw new ConfigError(`${name} must be a public key in base64, as the provider shows it.`)
  }
}

export function readTopic(text: string): string {
  if (/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/.test(text)) return text
  throw new ConfigError('SES_TOPICS must be ARNs such as arn:aws:sns:eu-west-1:123456789012:mail.')
}

export function readChoice<T extends string>(
  text: string | undefined,
  name: string,
  of: T[],
): T | undefined {
  if (text === undefined) return undefined
  const choice = of.find((value) => value === text)
  if (!choice) throw new ConfigError(`${name} must be one of ${of.join(', ')}, not "${text}".`)
  return choice
}

export function readYesOrNo(text: string | undefined, name: string): boolean {
  return readChoice(text, name, ['yes', 'no']) === 'yes'
}
