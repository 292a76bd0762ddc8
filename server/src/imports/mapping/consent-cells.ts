/** Reads a person's consent to one channel, and its evidence, from the cells of a row. */

import { isIP } from 'node:net'
import { type ConsentGiven, contactLimits } from '../../contacts/model/contact.ts'
import { singleLine } from '../../lib/text/single-line.ts'
import type { Agreement } from './plan.ts'
import { splitTags } from './tag-list.ts'
import type { EvidencePart } from './target.ts'

type Status = 'subscribed' | 'unsubscribed' | 'none' | 'as_agreed'

/** Status words of the known exports, in lower case with single underscores. */
const words: Readonly<Record<string, Status>> = {
  subscribed: 'subscribed',
  opted_in: 'subscribed',
  confirmed: 'subscribed',
  yes: 'subscribed',
  true: 'subscribed',
  unsubscribed: 'unsubscribed',
  unconfirmed: 'none',
  opted_out: 'unsubscribed',
  no: 'unsubscribed',
  false: 'unsubscribed',
  cleaned: 'unsubscribed',
  bounced: 'unsubscribed',
  disabled: 'unsubscribed',
  blocklisted: 'unsubscribed',
  blacklisted: 'unsubscribed',
  suppressed: 'unsubscribed',
  complained: 'unsubscribed',
  '': 'none',
  none: 'none',
  never_subscribed: 'none',
  non_subscribed: 'none',
  nonsubscribed: 'none',
  pending: 'none',
  // Words for a list that may be written to. The agreement for the whole file decides.
  enabled: 'as_agreed',
  active: 'as_agreed',
}

export interface ConsentCells {
  /** Undefined if no column holds the status. */
  status: string | undefined
  evidence: Partial<Record<EvidencePart, string>>
}

export type ReadConsent = ConsentGiven | 'none' | 'without_evidence' | 'unknown_status'

const saysNo = new Set(['', 'no', 'false', '0'])
const longestAgent = 500

export function readConsent(
  { status, evidence }: ConsentCells,
  { agreement, fileName }: { agreement: Agreement | undefined; fileName: string },
): ReadConsent {
  const word = status
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const told = word === undefined ? 'as_agreed' : Object.hasOwn(words, word) && words[word]
  if (!told) return 'unknown_status'
  const leftAt = evidence.left_at?.trim() ?? ''
  if (!saysNo.has(leftAt.toLowerCase()) || told === 'unsubscribed') {
    const source = sourceOf(evidence, `the file ${fileName}`)
    return { status: 'unsubscribed', ...withDetails({ ...evidence, source }) }
  }
  if (told === 'none') return 'none'
  const own = evidence.source?.trim()
  if (!own && !agreement) return told === 'subscribed' ? 'without_evidence' : 'none'
  const source = sourceOf(evidence, agreement?.source ?? '')
  const text = evidence.text ?? (own ? undefined : agreement?.text)
  const { text: _text, ...others } = evidence
  const details = withDetails({ ...others, source, ...(text !== undefined && { text }) })
  return { status: 'subscribed', ...details }
}

function sourceOf(evidence: ConsentCells['evidence'], otherwise: string): string {
  const times = [
    evidence.at?.trim() && `agreed ${evidence.at.trim()}`,
    evidence.confirmed_at?.trim() && `confirmed ${evidence.confirmed_at.trim()}`,
    evidence.left_at?.trim() && `left ${evidence.left_at.trim()}`,
  ].filter(Boolean)
  const source = evidence.source?.trim() ? evidence.source : otherwise
  if (times.length === 0) return source
  const ending = ` (${singleLine(times.join(', '))})`.slice(0, contactLimits.consentSourceLength)
  return source.slice(0, contactLimits.consentSourceLength - ending.length) + ending
}

function withDetails(evidence: ConsentCells['evidence'] & { source: string }) {
  const { source, text, agent } = evidence
  const topics = splitTags(evidence.topics ?? '')
  const ip = [evidence.confirmed_ip, evidence.ip].map((entry) => entry?.trim() ?? '').find(isIP)
  return {
    source,
    ...(text !== undefined && text !== '' && { text }),
    ...(ip !== undefined && { ip }),
    ...(topics.length > 0 && { topics }),
    ...(agent !== undefined && agent !== '' && { agent: agent.slice(0, longestAgent) }),
  }
}
