/** Reads a person's consent to one channel, and its evidence, from the cells of a row. */

import { isIP } from 'node:net'
import { type ConsentGiven, contactLimits } from '../../contacts/contact.ts'
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

/** What the ledger names as the source where the row names none. */
export const fileSource = (fileName: string): string => `the file ${fileName}`

const saysNo = new Set(['', 'no', 'false', '0'])
const longestAgent = 500
/** Of a moment as an export writes it. */
const longestTime = 100

export function readConsent(
  { status, evidence }: ConsentCells,
  { agreement, fileName }: { agreement: Agreement | undefined; fileName: string },
): ReadConsent {
  const word = status
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const told = word === undefined ? 'as_agreed' : Object.hasOwn(words, word) && words[word]
  const hasLeft = !saysNo.has((evidence.left_at?.trim() ?? '').toLowerCase())
  if (!told && !hasLeft) return 'unknown_status'
  if (hasLeft || told === 'unsubscribed') {
    const source = sourceOf(evidence, fileSource(fileName))
    return withDetails({ status: 'unsubscribed', source }, evidence, evidence.text)
  }
  if (told === 'none') return 'none'
  const own = evidence.source?.trim() ?? ''
  if (!own && !agreement) return told === 'subscribed' ? 'without_evidence' : 'none'
  const source = sourceOf(evidence, agreement?.source ?? '')
  const text = evidence.text ?? (own ? undefined : agreement?.text)
  return withDetails({ status: 'subscribed', source }, evidence, text)
}

function sourceOf(evidence: ConsentCells['evidence'], otherwise: string): string {
  let times = ''
  for (const { part, verb } of timesTold) {
    const time = evidence[part]?.trim()
    if (time) times += `${times && ', '}${verb} ${time.slice(0, longestTime)}`
  }
  const source = evidence.source?.trim() ? evidence.source : otherwise
  if (times === '') return source
  const ending = ` (${singleLine(times)})`.slice(0, contactLimits.consentSourceLength)
  return source.slice(0, contactLimits.consentSourceLength - ending.length) + ending
}

const timesTold = [
  { part: 'at', verb: 'agreed' },
  { part: 'confirmed_at', verb: 'confirmed' },
  { part: 'left_at', verb: 'left' },
] as const

/** Adds the other evidence to what the row says. */
function withDetails(
  said: ConsentGiven,
  { topics, agent, ...evidence }: ConsentCells['evidence'],
  text: string | undefined,
): ConsentGiven {
  if (text) said.text = text
  const ip = ipOf(evidence.confirmed_ip) ?? ipOf(evidence.ip)
  if (ip) said.ip = ip
  const keys = topics === undefined ? [] : splitTags(topics)
  if (keys.length > 0) said.topics = keys
  if (agent) said.agent = agent.slice(0, longestAgent)
  return said
}

function ipOf(cell: string | undefined): string | undefined {
  const text = cell?.trim()
  return text && isIP(text) ? text : undefined
}
