/**
 * Parses `SMS_URL`: `twilio://sid:token@api.twilio.com`, `smpp://id:password@host:2775` (`smpps://`
 * is TLS from the first byte), `kannel://user:password@host:13013?key=…`.
 */
import { seconds } from '../time/clock.ts'
import { anyText, numberUpTo, oneOf, type Parameter, wholeUpTo } from '../transport/url-fault.ts'
import type { IdBase } from './smpp/provider-id.ts'
import type { LongTexts } from './smpp/submit.ts'

export const smsProviders = ['twilio', 'smpp', 'kannel'] as const
export type SmsProvider = (typeof smsProviders)[number]

export interface SmsOptions {
  provider: SmsProvider
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  user: string
  password: string
  /** The sender of texts without one: a number, a name, or a messaging service's id. */
  from: string | undefined
  /** The most simultaneous texts: SMPP's window, or connections over HTTP. */
  connections: number
  /** The most texts per second for each sender; undefined for no limit. */
  rate: number | undefined
  /** Milliseconds within which the provider must respond. */
  silenceMs: number
  /** The key in Kannel's calls to us; undefined where it makes no calls. */
  key: string | undefined
  /** SMPP's system_type, which most providers leave empty. */
  systemType: string
  /** How texts of several segments are sent over SMPP. */
  longTexts: LongTexts
  /** How the id in an SMSC's receipt relates to the one in its response. */
  idBase: IdBase
}

const schemes: Record<string, { provider: SmsProvider; secure: boolean; port: number }> = {
  'twilio:': { provider: 'twilio', secure: true, port: 443 },
  'smpp:': { provider: 'smpp', secure: false, port: 2775 },
  'smpps:': { provider: 'smpp', secure: true, port: 3550 },
  'kannel:': { provider: 'kannel', secure: false, port: 13_013 },
  'kannels:': { provider: 'kannel', secure: true, port: 443 },
}

const longTexts = ['udh', 'sar', 'payload'] as const
const defaultConnections = 10
const mostConnections = 500
const defaultTimeout = 30

export const smsParameters: ReadonlyMap<string, Parameter> = new Map([
  ['from', anyText],
  ['window', wholeUpTo(mostConnections)],
  ['pool', wholeUpTo(mostConnections)],
  ['rate', numberUpTo(100_000)],
  ['timeout', numberUpTo(3600)],
  ['key', anyText],
  ['system_type', anyText],
  ['long', oneOf(...longTexts)],
  ['ids', oneOf('hex', 'same')],
  ['tls', oneOf('yes', 'no')],
])

/** Undefined where the text is invalid. It may contain a password: do not repeat it. */
export function parseSmsUrl(text: string): SmsOptions | undefined {
  const url = URL.parse(text)
  const scheme = schemes[url?.protocol ?? '']
  if (!url || !scheme || !url.hostname || !url.username) return undefined
  // Only an SMSC may know no password.
  if (scheme.provider !== 'smpp' && !url.password) return undefined
  const query = url.searchParams
  const connections = Math.trunc(Number(query.get('window') ?? query.get('pool')))
  const rate = Number(query.get('rate'))
  const timeout = Number(query.get('timeout'))
  return {
    provider: scheme.provider,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || scheme.port,
    // A server beside us with Twilio's interface has no certificate.
    secure: scheme.secure && query.get('tls') !== 'no',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    from: query.get('from') || undefined,
    connections: connections > 0 ? Math.min(connections, mostConnections) : defaultConnections,
    rate: rate > 0 ? rate : undefined,
    silenceMs: seconds(timeout > 0 ? timeout : defaultTimeout),
    key: query.get('key') || undefined,
    systemType: query.get('system_type') ?? '',
    longTexts: longTexts.find((mode) => mode === query.get('long')) ?? 'udh',
    idBase: query.get('ids') === 'hex' ? 'hex' : 'same',
  }
}

/** The scope within which provider ids are unique. */
export function routeOf({ provider, host, port, user }: SmsOptions): string {
  return `${provider}:${user}@${host}:${port}`
}
