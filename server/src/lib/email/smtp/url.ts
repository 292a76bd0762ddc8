/**
 * `smtp://user:password@host:port?pool=20&rate=50&timeout=60&warmup=no&tls=offered`; `smtps://`
 * is TLS from the first byte.
 */
import { seconds } from '../../time/clock.ts'

export interface SmtpOptions {
  host: string
  port: number
  secure: boolean
  /** Whether a relay without STARTTLS is told nothing; else it is spoken to in clear. */
  requireTls: boolean
  auth: { user: string; pass: string } | undefined
  /** Connections at once. One more stands by for urgent mail. */
  pool: number
  /** Messages a second at most, of each sender domain; undefined for no limit. */
  rate: number | undefined
  /** Milliseconds that the relay may be silent. */
  silenceMs: number
  /** Whether a domain that has sent no marketing yet begins with little of it. */
  warmUp: boolean
}

export const defaultPool = 5
const largestPool = 200
/**
 * Shorter than RFC 5321 section 4.5.3.2 asks of a server that has no queue behind it: a
 * message that was cut off is tried again, and its line is not held meanwhile.
 */
const defaultTimeout = 60

/**
 * On `smtp://` STARTTLS is used where the relay offers it, and its certificate is checked. A
 * password goes over TLS alone, or whoever stands between could take the offer away and read it
 * (RFC 8314 section 3.3), save on this machine or with `tls=offered`.
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
    warmUp: searchParams.get('warmup') !== 'no',
  }
}

function isHere(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}
