/**
 * `smtp://user:password@host:port?pool=20&rate=50&timeout=60&warmup=no&tls=offered`; `smtps://`
 * is TLS from the first byte.
 */
import { seconds } from '../../time/clock.ts'
import { numberUpTo, oneOf, type Parameter, wholeUpTo } from '../../transport/url-fault.ts'

export interface SmtpOptions {
  host: string
  port: number
  secure: boolean
  /** Whether a relay without STARTTLS is refused; otherwise it is used unencrypted. */
  requireTls: boolean
  auth: { user: string; pass: string } | undefined
  /** Simultaneous connections. One more is reserved for urgent mail. */
  pool: number
  /** The most messages per second for each sender domain; undefined for no limit. */
  rate: number | undefined
  /** How many milliseconds the relay may be silent. */
  silenceMs: number
  /** The mail for which a relay that offers it is asked to report success. */
  receipts: 'all' | 'transactional' | 'none'
  /** Whether a domain that has sent no marketing yet starts with a small daily volume. */
  warmUp: boolean
}

export const defaultPool = 5
const largestPool = 200
/**
 * Shorter than RFC 5321 section 4.5.3.2 requires of a server without a queue behind it: an
 * interrupted message is retried, and its connection is not blocked meanwhile.
 */
const defaultTimeout = 60

export const smtpParameters: ReadonlyMap<string, Parameter> = new Map([
  ['pool', wholeUpTo(largestPool)],
  ['rate', numberUpTo(100_000)],
  ['timeout', numberUpTo(3600)],
  ['warmup', oneOf('yes', 'no')],
  ['tls', oneOf('required', 'offered')],
  ['receipts', oneOf('all', 'transactional', 'none')],
])

/**
 * On `smtp://`, STARTTLS is used where the relay offers it, and its certificate is verified. A
 * password is sent over TLS only, because otherwise somebody in between could remove the offer and
 * read it (RFC 8314 section 3.3); exceptions are this machine and `tls=offered`.
 */
export function parseSmtpUrl(text: string): SmtpOptions {
  const { protocol, hostname, port, username, password, searchParams } = new URL(text)
  const secure = protocol === 'smtps:'
  const pool = Math.trunc(Number(searchParams.get('pool'))) || defaultPool
  const rate = Number(searchParams.get('rate'))
  const timeout = Number(searchParams.get('timeout'))
  const tls = searchParams.get('tls')
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTls: tls === 'required' || (tls !== 'offered' && username !== '' && !isHere(host)),
    auth: username
      ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
      : undefined,
    pool: Math.min(Math.max(1, pool), largestPool),
    rate: rate > 0 ? rate : undefined,
    silenceMs: seconds(timeout > 0 ? timeout : defaultTimeout),
    receipts: receiptsOf(searchParams.get('receipts')),
    warmUp: searchParams.get('warmup') !== 'no',
  }
}

/** A campaign would bring one mail back for each of its own, so it is asked for only by name. */
function receiptsOf(text: string | null): SmtpOptions['receipts'] {
  return text === 'all' || text === 'none' ? text : 'transactional'
}

function isHere(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}
