/**
 * What `SMS_URL` says: `twilio://sid:token@api.twilio.com`, `smpp://id:password@host:2775`
 * (`smpps://` is TLS from the first byte), `kannel://user:password@host:13013?key=…`.
 */
import { seconds } from '../time/clock.ts'
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
  /** The sender of texts that name none: a number, a name, or a messaging service's id. */
  from: string | undefined
  /** Texts on their way at once: SMPP's window, or connections over HTTP. */
  connections: number
  /** Texts a second at most, of each sender; undefined for no limit. */
  rate: number | undefined
  /** Milliseconds that the provider may take for an answer. */
  silenceMs: number
  /** The key that Kannel's calls to us carry; undefined where it calls none. */
  key: string | undefined
  /** SMPP's system_type, which most providers leave empty. */
  systemType: string
  /** How texts of several segments go over SMPP. */
  longTexts: LongTexts
  /** Whether an SMSC names a text in its answer as in its receipt. */
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

/** Undefined where it is none of these. The text may hold a password: do not repeat it. */
export function parseSmsUrl(text: string): SmsOptions | undefined {
  const url = URL.parse(text)
  const scheme = schemes[url?.protocol ?? '']
  if (!url || !scheme || !url.hostname || !url.username) return undefined
  const query = url.searchParams
  const connections = Math.trunc(Number(query.get('window') ?? query.get('pool')))
  const rate = Number(query.get('rate'))
  const timeout = Number(query.get('timeout'))
  return {
    provider: scheme.provider,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || scheme.port,
    // A server beside us that speaks Twilio's shape has no certificate.
    secure: scheme.secure && query.get('tls') !== 'no',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    from: query.get('from') || undefined,
    connections: connections > 0 ? Math.min(connections, mostConnections) : defaultConnections,
    rate: rate > 0 ? rate : undefined,
    silenceMs: seconds(timeout > 0 ? timeout : defaultTimeout),
    key: query.get('key') || undefined,
    systemType: query.get('system_type') ?? '',
    longTexts: longTexts.find((known) => known === query.get('long')) ?? 'udh',
    idBase: query.get('ids') === 'hex' ? 'hex' : 'same',
  }
}

/** Provider ids are unique within it. */
export function routeOf({ provider, host, port, user }: SmsOptions): string {
  return `${provider}:${user}@${host}:${port}`
}
