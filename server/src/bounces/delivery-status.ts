/** Delivery status notifications (RFC 3464): reports by the servers that carried a message. */
import { classify, type Verdict } from '../lib/email/classify.ts'
import type { ReturnedMail } from './read-mail.ts'
import { type Fields, fieldGroups, typed } from './report-fields.ts'

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
