/**
 * Parses returned mail within limits, because strangers can send it: delivery status notifications,
 * bounces in plain words, and complaints.
 */

import type { Attachment, Email } from 'postal-mime'
import { limits } from '../config.ts'
import { classify, type Verdict } from '../lib/email/classify.ts'

/** The parts of a returned mail that are examined. */
export interface ReturnedMail {
  messageId: string | undefined
  subject: string
  /** The human-readable part, as text. */
  text: string
  /** The machine-readable parts by media type in lower case, the first part of each type. */
  parts: ReadonlyMap<string, string>
}

/** Limits beyond any real report; content beyond them is not read (RFC 3462 nests two levels). */
const bounds = {
  maxNestingDepth: 10,
  maxHeadersSize: 64 * 1024,
  // The message that a report returns is evidence: it is searched as text, not parsed.
  maxRfc822NestingDepth: 0,
  attachmentEncoding: 'utf8',
} as const

/** Returns undefined if the mail cannot be parsed. Only the beginning of a long mail is read. */
export async function readMail(source: Buffer): Promise<ReturnedMail | undefined> {
  const email = await parsed(headOf(source))
  if (!email) return undefined
  const parts = new Map<string, string>()
  for (const { mimeType, content } of email.attachments.toReversed()) {
    parts.set(mimeType, asText(content))
  }
  return {
    messageId: email.messageId,
    subject: email.subject ?? '',
    text: email.text ?? email.html ?? '',
    parts,
  }
}

/** Limits lines as well as bytes: for the parser an empty line takes as long as a full one. */
function headOf(source: Buffer): Buffer {
  const head = source.subarray(0, limits.returnedMailBytes)
  let end = -1
  for (let line = 0; line < limits.returnedMailLines; line++) {
    end = head.indexOf(0x0a, end + 1)
    if (end < 0) return head
  }
  return head.subarray(0, end)
}

async function parsed(source: Buffer): Promise<Email | undefined> {
  // Loaded at the first mail, because an idle service does not need it.
  const { default: PostalMime } = await import('postal-mime')
  try {
    return await PostalMime.parse(source, bounds)
  } catch {
    // The parser throws at its limits, and a mail that exceeds them is not a report.
    return undefined
  }
}

function asText(content: Attachment['content']): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}

export interface DeliveryStatus {
  action: 'failed' | 'delayed' | 'delivered'
  verdict: Verdict
  /** The remote server's own words. */
  words: string
}

/** With SMTPUTF8 the part has another name (RFC 6533 section 3). */
const types = ['message/delivery-status', 'message/global-delivery-status']

/**
 * What a notification reports about a message's single recipient; undefined if the mail is not a
 * notification, or reports only that the message was relayed. A forwarding server may report on
 * several recipients; a failure among them counts.
 */
export function readDeliveryStatus(mail: ReturnedMail): DeliveryStatus | undefined {
  const part = types.map((type) => mail.parts.get(type)).find((text) => text !== undefined)
  if (part === undefined) return undefined
  const recipients = fieldGroups(part).filter((group) => group.has('action'))
  for (const action of ['failed', 'delayed', 'delivered'] as const) {
    const group = recipients.find((recipient) => actionOf(recipient) === action)
    if (group) return { action, ...judged(group, action, mail.text) }
  }
  return undefined
}

/** By name in lower case; a repeated field has its first value. */
type Fields = ReadonlyMap<string, string>

function fieldGroups(text: string): Fields[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/, mostGroups)
    .map(fieldsIn)
    .filter((fields) => fields.size > 0)
}

/** The most groups that are read: one for the message and one for each recipient. */
const mostGroups = 50

function fieldsIn(text: string): Fields {
  const fields = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon < 1 || fields.has(name)) continue
    fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

function actionOf(group: Fields): string {
  // A comment may follow, as in `failed (bad destination address)`.
  return /^[a-z]+/.exec(group.get('action')?.toLowerCase() ?? '')?.[0] ?? ''
}

function judged(group: Fields, action: string, text: string): Omit<DeliveryStatus, 'action'> {
  const diagnostic = typed(group.get('diagnostic-code'))?.value ?? ''
  const recipient = typed(group.get('final-recipient'))?.value
  const words = diagnostic || wordsAbout(recipient, text)
  // Exchange writes it as `5.1.1 (bad destination mailbox address)`.
  const status = /^\S+/.exec(group.get('status') ?? '')?.[0]
  const code = /^([245]\d\d)\b/.exec(diagnostic)?.[1]
  const reply = { action, status, code: code === undefined ? undefined : Number(code), text: words }
  return { verdict: classify(reply), words }
}

/** Splits a field `type; value` into its type, in lower case, and its value. */
function typed(value: string | undefined): { type: string; value: string } | undefined {
  if (value === undefined) return undefined
  const semicolon = value.indexOf(';')
  return {
    type: value.slice(0, Math.max(0, semicolon)).trim().toLowerCase(),
    value: value.slice(semicolon + 1).trim(),
  }
}

/**
 * The human-readable text below the recipient's address. The rest of that part is the same for
 * every sender, and its words, such as `permanent error`, diagnose nothing.
 */
function wordsAbout(recipient: string | undefined, text: string): string {
  const address = recipient?.replace(/^<|>$/g, '').toLowerCase()
  if (!address) return ''
  const lines = text.split(/\r?\n/)
  const at = lines.findIndex((line) => line.toLowerCase().includes(address))
  if (at < 0) return ''
  const after = lines.slice(at + 1)
  const end = after.findIndex((line) => line.trim() === '')
  const own = [lines[at]?.toLowerCase().split(address)[1] ?? '']
  return [...own, ...after.slice(0, end < 0 ? after.length : end)].join('\n').trim()
}

export function readPlainBounce(mail: ReturnedMail): DeliveryStatus | undefined {
  const [first = '', ...paragraphs] = mail.text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/, 50)
  if (!first.startsWith('Hi. This is the')) return undefined
  const about = paragraphs.find((paragraph) => /^<([^\s>]*)>:/.exec(paragraph)?.[1]?.includes('@'))
  if (about === undefined) return undefined
  const words = about.slice(about.indexOf(':') + 1).trim()
  const action = 'failed'
  return { action, words, verdict: classify({ action, text: words }) }
}

/**
 * Types by which a person rejects such mail (RFC 5965 section 7.3). `not-spam` means the opposite;
 * `auth-failure` and `virus` are not a person's wish.
 */
const complaining = ['abuse', 'fraud', 'opt-out']

interface Complaint {
  /** The type of the feedback, and who collected it. */
  words: string
}

/** Undefined if the mail is not a feedback report, or if the report is not a complaint. */
export function readComplaint(mail: ReturnedMail): Complaint | undefined {
  const part = mail.parts.get('message/feedback-report')
  if (part === undefined) return undefined
  const fields = fieldsIn(part)
  const type = fields.get('feedback-type')?.toLowerCase() ?? ''
  if (!complaining.includes(type)) return undefined
  const agent = fields.get('user-agent')
  return { words: agent === undefined ? type : `${type}, ${agent}` }
}
