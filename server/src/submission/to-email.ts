/** Makes a call of `email.send` out of a submitted mail and its envelope. */
import { createHash } from 'node:crypto'
import { orThrow, refuse } from '../core/errors.ts'
import { readJson } from '../core/json.ts'
import { hasHttpsUnsubscribe, headerFault, mailFieldLimits } from '../messages/mail-fields.ts'
import type { SubmittedMail } from './reading/mail.ts'

/** Recipients of a mail: the first is whom `email.send` sends it to, the others get copies. */
export const mostRecipients = mailFieldLimits.copies + 1

/** The input of `email.send`. Recipients are those of the envelope, whatever the fields name. */
export function toEmail(
  mail: SubmittedMail,
  envelope: readonly string[],
  digest: string,
): Record<string, unknown> {
  const settings = readSettings(mail.settings)
  const recipients = [...new Set(envelope)]
  const recipientsIn = (list: readonly string[]) => {
    const names = new Set(list.map((address) => address.toLowerCase()))
    return recipients.filter((address) => names.has(address.toLowerCase()))
  }
  const [to = recipients[0]] = [...recipientsIn(mail.to), ...recipientsIn(mail.cc)]
  const visible = recipientsIn([...mail.to, ...mail.cc]).filter((address) => address !== to)
  const hidden = recipients.filter((address) => address !== to && !visible.includes(address))
  if (settings['kind'] === 'marketing' && recipients.length > 1) {
    const text = 'A marketing mail goes to one recipient: submit one mail for each.'
    throw refuse('invalid_request', text, { field: 'to' })
  }
  const headers = withoutLonePost(mail.headers.filter(isPassedOn).slice(0, mailFieldLimits.headers))
  const replyTo = mail.replyTo.slice(0, mailFieldLimits.replyAddresses)
  return {
    to: to && withName(to, mail.names),
    subject: mail.subject,
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.text !== undefined && { text: mail.text }),
    ...(mail.from !== undefined && { from: mail.from }),
    ...(replyTo.length > 0 && { reply_to: replyTo.length === 1 ? replyTo[0] : replyTo }),
    ...(visible.length > 0 && { cc: visible.map((address) => withName(address, mail.names)) }),
    ...(hidden.length > 0 && { bcc: hidden }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(mail.files.length > 0 && { attachments: mail.files }),
    ...onceOnly(mail, recipients, digest),
    ...settings,
  }
}

/**
 * A client that loses the answer submits the same bytes again, after hours even: they are one
 * mail. Two mails with ids of their own are two, although they say the same.
 */
function onceOnly({ messageId }: SubmittedMail, recipients: readonly string[], digest: string) {
  if (!messageId) return {}
  const parts = [messageId, ...recipients.toSorted(), digest]
  const key = createHash('sha256').update(parts.join('\n')).digest('base64url')
  return { idempotency_key: `smtp-${key}`, allow_duplicate: true }
}

/** Fields that a mail program writes and Crier cannot send on are left out: they hold no content. */
function isPassedOn(
  [name, value]: [string, string],
  index: number,
  all: [string, string][],
): boolean {
  const lower = name.toLowerCase()
  const isFirst = all.findIndex(([other]) => other.toLowerCase() === lower) === index
  const fits = value.length <= mailFieldLimits.headerLength
  return isFirst && fits && headerFault(name, value) === undefined
}

/** One-click unsubscribing means nothing without the address that it posts to (RFC 8058). */
function withoutLonePost(headers: [string, string][]): [string, string][] {
  if (hasHttpsUnsubscribe(headers)) return headers
  return headers.filter(([name]) => name.toLowerCase() !== 'list-unsubscribe-post')
}

/** The recipient as To or Cc shows them. A name that is too long is left out. */
function withName(address: string, names: SubmittedMail['names']): string {
  const [, name] = names.find(([other]) => other === address.toLowerCase()) ?? []
  const spelled = `"${name}" <${address}>`
  return name === undefined || spelled.length > mailFieldLimits.mailboxLength ? address : spelled
}

const names = ['kind', 'tags', 'metadata', 'topic', 'idempotency-key', 'track'] as const
type Name = (typeof names)[number]

type Read = (value: string) => Record<string, unknown>

const readers: Record<Name, Read> = {
  kind: (kind) => ({ kind, ...(kind === 'marketing' && { allow_duplicate: false }) }),
  tags: (value) => ({
    tags: [...new Set(value.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
  }),
  metadata(value) {
    const metadata = orThrow(readJson(value, ['metadata']))?.value
    if (typeof metadata === 'object' && metadata !== null) return { metadata }
    const text = 'X-Crier-Metadata must be a JSON object of texts, such as {"order": "1042"}.'
    throw refuse('invalid_request', text, { field: 'metadata' })
  },
  topic: (topic) => ({ topic }),
  'idempotency-key': (key) => ({ idempotency_key: key }),
  track(value) {
    if (value === 'yes') return {}
    if (value === 'no') return { track_opens: false, track_clicks: false }
    throw refuse('invalid_request', 'X-Crier-Track must be yes or no.', { field: 'track_opens' })
  },
}

/**
 * The X-Crier- fields of a submitted mail: what other fields of a mail cannot say.
 *
 * Fields of `email.send`; what they hold is checked there.
 */
function readSettings(
  fields: readonly (readonly [name: string, value: string])[],
): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const [name, value] of fields) {
    const setting = names.find((word) => word === name)
    if (!setting || seen.has(name)) {
      const why = setting ? 'is there twice' : 'is no field of Crier'
      const list = names.map((word) => `X-Crier-${spelled(word)}`).join(', ')
      throw refuse('invalid_request', `X-Crier-${name.slice(0, 60)} ${why}. There are ${list}.`)
    }
    seen.add(name)
    Object.assign(settings, readers[setting](value))
  }
  return settings
}

/** `idempotency-key` as a mail program writes it: `Idempotency-Key`. */
function spelled(name: string): string {
  const words = name.split('-').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  return words.join('-')
}
