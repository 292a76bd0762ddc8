/**
 * Interprets the answer of a receiving server. One function judges SMTP replies, delivery reports
 * and provider events: by the status (RFC 3463) where it is specific, otherwise by the text. In
 * doubt no recipient is suppressed.
 */
import { type BounceKind, meaningOf } from './reply-words.ts'

/** The answer of the remote server, as far as its parts are known. */
export interface Reply {
  /** The action of a report (RFC 3464 section 2.3.3), such as `failed`; no SMTP reply has one. */
  action?: string | undefined
  /** An enhanced status, such as `5.1.1`. */
  status?: string | undefined
  /** The three digits of an SMTP reply. */
  code?: number | undefined
  /** The remote server's own text. A status within it is found. */
  text: string
}

export interface Verdict {
  kind: BounceKind
  /** The status that decided, if there was one. */
  status: string | undefined
  /** Whether there is no further retry: after a 5xx reply or a report with `failed`. */
  final: boolean
  /** Whether the remote server asks for a lower rate: 421, or a status 4.7.x. */
  slower: boolean
}

/** How many characters of the remote server's text are examined. */
const readLength = 2_000

export function classify(reply: Reply): Verdict {
  const text = reply.text.slice(0, readLength)
  const status = statusOf(reply, text)
  const final = isFinal(reply, status)
  const slower = reply.code === 421 || status?.startsWith('4.7.') === true
  return { kind: final ? kindOf(status, text) : 'soft', status, final, slower }
}

/** The most specific status: `5.0.0` means only that it failed (RFC 3463 section 3.1). */
function statusOf({ status, code }: Reply, text: string): string | undefined {
  const told = [status?.trim(), statusIn(text)].filter(
    (entry) => entry !== undefined && isStatus(entry),
  )
  const specific = told.find((entry) => !entry?.endsWith('.0.0'))
  return specific ?? told[0] ?? plainStatus(code)
}

const isStatus = (text: string) => /^[245]\.\d{1,3}\.\d{1,3}$/.test(text)

/** The first status in a text. Parts of IP addresses and versions do not count. */
export function statusIn(text: string): string | undefined {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0]
}

/** Reply codes that mean the same as an enhanced status (RFC 5321 section 4.2.3). */
function plainStatus(code: number | undefined): string | undefined {
  if (code === 452 || code === 552) return `${String(code)[0]}.2.2`
  if (code === 530 || code === 535) return '5.7.0'
  return undefined
}

function isFinal({ action, code }: Reply, status: string | undefined): boolean {
  if (action !== undefined) return action.trim().toLowerCase() === 'failed'
  if (code !== undefined) return code >= 500
  return status?.startsWith('5.') ?? false
}

// RFC 3463 sections 3.2 to 3.8. A status that is not listed is judged by the text.
const kinds: [pattern: RegExp, kind: BounceKind][] = [
  // The server gave up after many tries, each of which got a temporary failure: Postfix sends such
  // a report with the last 4.x.x that it received.
  [/^4\./, 'soft'],
  // The sender's address is wrong, not the recipient's.
  [/^5\.1\.[78]$/, 'policy'],
  [/^5\.1\./, 'hard'],
  [/^5\.2\.1$/, 'hard'],
  [/^5\.2\.2$/, 'soft'],
  [/^5\.4\.4$/, 'hard'],
  [/^5\.4\.7$/, 'soft'],
  [/^5\.7\./, 'policy'],
]

function kindOf(status: string | undefined, text: string): BounceKind {
  const known = kinds.find(([pattern]) => status !== undefined && pattern.test(status))
  return known?.[1] ?? meaningOf(text)
}
