/** Header fields that the call sets: sender, reply address, cc and bcc, and custom fields. */
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { isHeaderName, isHeaderValue } from '../../lib/email/header-text.ts'
import { parseMailbox, smtpAddress } from '../../lib/email/mailbox.ts'
import { Type } from '../../lib/schema/schema.ts'

export const mailFieldLimits = {
  copies: 10,
  /** The most bytes of the attachments of a mail and its copies, each of which stores its own. */
  copiedBytes: 20 * 1024 * 1024,
  headers: 20,
  headerLength: 900,
  mailboxLength: 400,
}

/** The header fields of a mail besides those that the business's sender sets. */
export interface MailFields {
  from?: string
  replyTo?: string
  /** The To field of a copy: the address of the original mail. */
  to?: string
  cc?: string[]
  headers?: [name: string, value: string][]
}

const mailbox = Type.Optional(Type.String({ maxLength: mailFieldLimits.mailboxLength }))
const addresses = (description?: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 320 }), {
      maxItems: mailFieldLimits.copies,
      uniqueItems: true,
      ...(description !== undefined && { description }),
    }),
  )

export const mailFieldInputs = {
  from: Type.Optional(
    Type.String({
      maxLength: mailFieldLimits.mailboxLength,
      description: 'At any verified domain.',
    }),
  ),
  reply_to: mailbox,
  cc: addresses('Each a message of its own.'),
  bcc: addresses(),
  headers: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: mailFieldLimits.headerLength },
      description: 'In-Reply-To, References, X-….',
    }),
  ),
}

export interface MailFieldsInput {
  from?: string
  reply_to?: string
  cc?: string[]
  bcc?: string[]
  headers?: Record<string, string>
}

export interface ReadMailFields {
  /** Null if the call sets none of these fields. */
  fields: MailFields | null
  /** Addresses that get a copy, each once. Those of cc come first. */
  copies: string[]
}

export function readMailFields(
  input: MailFieldsInput,
  kind: 'transactional' | 'marketing',
): ReadMailFields | Refusal {
  const from = readMailbox(input.from, 'from')
  if (isRefusal(from)) return from
  const replyTo = readMailbox(input.reply_to, 'reply_to')
  if (isRefusal(replyTo)) return replyTo
  const cc = readAddresses(input.cc, 'cc')
  if (isRefusal(cc)) return cc
  const bcc = readAddresses(input.bcc, 'bcc')
  if (isRefusal(bcc)) return bcc
  const copies = [...new Set([...cc, ...bcc])]
  if (kind === 'marketing' && copies.length > 0) {
    const field = cc.length > 0 ? 'cc' : 'bcc'
    const text = `Marketing goes to one person who agreed to it, so it takes no ${field}: send each person a message.`
    return refuse('invalid_request', text, { field })
  }
  const headers = readHeaders(input.headers)
  if (isRefusal(headers)) return headers
  const fields: MailFields = {
    ...(from !== undefined && { from }),
    ...(replyTo !== undefined && { replyTo }),
    ...(cc.length > 0 && { cc }),
    ...(headers.length > 0 && { headers }),
  }
  return { fields: Object.keys(fields).length > 0 ? fields : null, copies }
}

function readMailbox(text: string | undefined, field: string): string | undefined | Refusal {
  if (text === undefined) return undefined
  const spelled = smtpAddress(parseMailbox(text).address, field)
  return isRefusal(spelled) ? spelled : text
}

function readAddresses(list: readonly string[] = [], field: string): string[] | Refusal {
  const read: string[] = []
  for (const [n, text] of list.entries()) {
    const place = `${field}[${n}]`
    const address = normaliseEmail(text)
    if (isRefusal(address)) return refuse('invalid_request', address.message, { field: place })
    const spelled = smtpAddress(address, place)
    if (isRefusal(spelled)) return spelled
    read.push(address)
  }
  return read
}

const threading = ['in-reply-to', 'references']

function readHeaders(headers: Record<string, string> = {}): [string, string][] | Refusal {
  const all = Object.entries(headers)
  if (all.length > mailFieldLimits.headers) {
    const most = `headers takes at most ${mailFieldLimits.headers} fields.`
    return refuse('invalid_request', most, { field: 'headers' })
  }
  const seen = new Set<string>()
  for (const [name, value] of all) {
    const lower = name.toLowerCase()
    const allowed =
      threading.includes(lower) || (lower.startsWith('x-') && !lower.startsWith('x-crier-'))
    if (!allowed || !isHeaderName(name)) {
      const text =
        'headers takes In-Reply-To, References, and names that begin with X- but not with X-Crier-.'
      return refuse('invalid_request', text, { field: `headers.${name.slice(0, 60)}` })
    }
    if (seen.has(lower)) {
      const text = `headers names ${name} twice: give it once.`
      return refuse('invalid_request', text, { field: `headers.${name}` })
    }
    seen.add(lower)
    if (!isHeaderValue(value)) {
      const text = `The value of ${name} takes printable ASCII in one line, without spaces at its ends.`
      return refuse('invalid_request', text, { field: `headers.${name}` })
    }
  }
  return all
}
