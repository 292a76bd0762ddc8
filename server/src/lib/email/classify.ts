/**
 * What a receiving side's answer means: one judge for replies over SMTP, for delivery
 * reports and for what providers tell. By the status (RFC 3463) where it says something,
 * by the words where it does not. In doubt nobody is suppressed.
 */
import { type BounceKind, meaningOf } from './reply-words.ts'

/** What the remote server said, of whichever of these it said. */
export interface Reply {
  /** Of a delivery report (RFC 3464 section 2.3.3), such as `failed`. A reply over SMTP has none. */
  action?: string | undefined
  /** An enhanced status, such as `5.1.1`. */
  status?: string | undefined
  /** The three digits of an SMTP reply. */
  code?: number | undefined
  /** The remote server's own words; a status among them is found. */
  text: string
}

export interface Verdict {
  kind: BounceKind
  /** The status that decided, where there was one. */
  status: string | undefined
  /** No further try is made: a 5xx, or a report that says `failed`. */
  final: boolean
  /** The remote server asks for less: 421, or a status 4.7.x. */
  slower: boolean
}

/** Characters of the remote server's words that are looked at. */
const readLength = 2_000

export function classify(reply: Reply): Verdict {
  const text = reply.text.slice(0, readLength)
  const status = statusOf(reply, text)
  const final = isFinal(reply, status)
  const slower = reply.code === 421 || status?.startsWith('4.7.') === true
  return { kind: final ? kindOf(status, text) : 'soft', status, final, slower }
}

/** The one that says most: `5.0.0` says no more than that it failed (RFC 3463 section 3.1). */
function statusOf({ status, code }: Reply, text: string): string | undefined {
  const told = [status?.trim(), statusIn(text)].filter((one) => one !== undefined && isStatus(one))
  const specific = told.find((one) => !one?.endsWith('.0.0'))
  return specific ?? told[0] ?? plainStatus(code)
}

const isStatus = (text: string) => /^[245]\.\d{1,3}\.\d{1,3}$/.test(text)

/** The first status among words; part of an IP address or of a version it is not. */
export function statusIn(text: string): string | undefined {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0]
}

/** Reply codes that say by themselves what an enhanced status would (RFC 5321 section 4.2.3). */
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

// RFC 3463 sections 3.2 to 3.8. What is not here is read from the words.
const kinds: [pattern: RegExp, kind: BounceKind][] = [
  // Given up after many tries, each of which was told to come again: Postfix sends such a
  // report with the 4.x.x it got last.
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
