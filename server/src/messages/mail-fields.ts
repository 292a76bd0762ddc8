/** Header fields that the call sets: sender, reply address, cc and bcc, and custom fields. */
import { isRefusal, orThrow, refuse } from '../core/errors.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import {
  isHeaderName,
  isHeaderValue,
  parseMailbox,
  smtpAddress,
} from '../lib/email/header-fields.ts'
import { Type } from '../lib/schema/schema.ts'

export const mailFieldLimits = {
  /** The most addresses in the To field. */
  recipients: 50,
  copies: 10,
  /** The most bytes of the attachments of a mail and its copies, each of which stores its own. */
  copiedBytes: 20 * 1024 * 1024,
  headers: 20,
  headerLength: 900,
  mailboxLength: 400,
  replyAddresses: 10,
}

/** The header fields of a mail besides those that the business's sender sets. */
export interface MailFields {
  from?: string
  replyTo?: string | string[]
  /** The To field: with the names that the call gives, and in a copy that of the original mail. */
  to?: string | string[]
  cc?: string[]
  headers?: [name: string, value: string][]
}

const addresses = (description?: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: mailFieldLimits.mailboxLength }), {
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
  reply_to: Type.Optional(
    Type.Union([
      Type.String({ maxLength: mailFieldLimits.mailboxLength }),
      Type.Array(Type.String({ maxLength: mailFieldLimits.mailboxLength }), {
        minItems: 1,
        maxItems: mailFieldLimits.replyAddresses,
      }),
    ]),
  ),
  cc: addresses('Each a message of its own.'),
  bcc: addresses(),
  headers: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: mailFieldLimits.headerLength },
      description: 'In-Reply-To, References, List-…, Precedence, Auto-Submitted, X-….',
    }),
  ),
}

export interface MailFieldsInput {
  from?: string
  reply_to?: string | string[]
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
): ReadMailFields {
  const from = readMailbox(input.from, 'from')
  const replyTo = readReplyTo(input.reply_to)
  const cc = readAddresses(input.cc, 'cc')
  const bcc = readAddresses(input.bcc, 'bcc')
  const copies = [...new Set([...cc, ...bcc].map(({ address }) => address))]
  if (kind === 'marketing' && copies.length > 0) {
    const field = cc.length > 0 ? 'cc' : 'bcc'
    const text = `Marketing goes to one person who agreed to it, so it cannot have ${field}: send each person a message.`
    throw refuse('invalid_request', text, { field })
  }
  const headers = readHeaders(input.headers)
  const fields: MailFields = {
    ...(from !== undefined && { from }),
    ...(replyTo !== undefined && { replyTo }),
    ...(cc.length > 0 && { cc: cc.map(({ spelled }) => spelled) }),
    ...(headers.length > 0 && { headers }),
  }
  return { fields: Object.keys(fields).length > 0 ? fields : null, copies }
}

function readMailbox(text: string | undefined, field: string): string | undefined {
  if (text === undefined) return undefined
  orThrow(smtpAddress(parseMailbox(text).address, field))
  return text
}

function readReplyTo(addresses: string | string[] | undefined): MailFields['replyTo'] {
  if (!Array.isArray(addresses)) return readMailbox(addresses, 'reply_to')
  for (const [n, text] of addresses.entries()) {
    readMailbox(text, `reply_to[${n}]`)
  }
  return addresses
}

interface CopiedMailbox {
  address: string
  /** With the name that the call gives. */
  spelled: string
}

function readAddresses(list: readonly string[] = [], field: string): CopiedMailbox[] {
  const read: CopiedMailbox[] = []
  for (const [n, text] of list.entries()) {
    const path = `${field}[${n}]`
    const mailbox = parseMailbox(text)
    const address = normaliseEmail(mailbox.address)
    if (isRefusal(address)) throw refuse('invalid_request', address.message, { field: path })
    orThrow(smtpAddress(address, path))
    read.push({ address, spelled: mailbox.name ? text : address })
  }
  return read
}

/** An address of the web or of mail in angle brackets, or several (RFC 2369). */
const addressList =
  /^<(?:https?:\/\/|mailto:)[!-;=?-~]+>(?: ?, ?<(?:https?:\/\/|mailto:)[!-;=?-~]+>)*$/i

/** The fields that a call may set besides X-, each with the rule of its value and what it takes. */
const standardFields: Readonly<Record<string, { rule?: RegExp; takes?: string }>> = {
  'in-reply-to': {},
  references: {},
  'list-unsubscribe': { rule: addressList, takes: 'addresses such as <https://example.com/u>' },
  'list-unsubscribe-post': {
    rule: /^List-Unsubscribe=One-Click$/i,
    takes: 'List-Unsubscribe=One-Click (RFC 8058)',
  },
  'list-help': { rule: addressList, takes: 'addresses such as <https://example.com/help>' },
  'list-subscribe': { rule: addressList, takes: 'addresses such as <https://example.com/s>' },
  'list-owner': { rule: addressList, takes: 'addresses such as <mailto:desk@example.com>' },
  'list-archive': { rule: addressList, takes: 'addresses such as <https://example.com/archive>' },
  'list-post': {
    rule: /^(?:NO|<(?:https?:\/\/|mailto:)[!-;=?-~]+>)$/i,
    takes: 'NO, or an address such as <mailto:list@example.com>',
  },
  'list-id': {
    rule: /^[^<>]{0,300}<[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+>$/,
    takes: 'an id such as <weekly.blog.example.com> (RFC 2919)',
  },
  precedence: {
    rule: /^(?:bulk|list|junk|first-class)$/i,
    takes: 'bulk, list, junk or first-class',
  },
  'auto-submitted': {
    rule: /^(?:no|auto-generated|auto-replied|auto-notified)(?:\s*;.{0,300})?$/i,
    takes: 'no, auto-generated or auto-replied (RFC 3834)',
  },
}

/** What is wrong with a header field of a call, without its name; undefined if it may be sent. */
export function headerFault(name: string, value: string): string | undefined {
  const lower = name.toLowerCase()
  const isOwn = lower.startsWith('x-') && !lower.startsWith('x-crier-')
  const field = Object.hasOwn(standardFields, lower) ? standardFields[lower] : undefined
  if ((!field && !isOwn) || !isHeaderName(name)) {
    return 'headers accepts In-Reply-To, References, the fields of lists such as List-Unsubscribe and List-Id, Precedence, Auto-Submitted, and names that begin with X- but not with X-Crier-.'
  }
  if (!isHeaderValue(value)) {
    return `The value of ${name} must be printable ASCII in one line, without spaces at its ends.`
  }
  if (field?.rule && !field.rule.test(value)) return `${name} must be ${field.takes}.`
  return undefined
}

function readHeaders(headers: Record<string, string> = {}): [string, string][] {
  const all = Object.entries(headers)
  if (all.length > mailFieldLimits.headers) {
    const text = `headers can have at most ${mailFieldLimits.headers} fields.`
    throw refuse('invalid_request', text, { field: 'headers' })
  }
  const seen = new Set<string>()
  for (const [name, value] of all) {
    const field = `headers.${name.slice(0, 60)}`
    const fault = headerFault(name, value)
    if (fault) throw refuse('invalid_request', fault, { field })
    const lower = name.toLowerCase()
    if (seen.has(lower)) {
      const text = `headers names ${name} twice: give it once.`
      throw refuse('invalid_request', text, { field })
    }
    seen.add(lower)
  }
  if (seen.has('list-unsubscribe-post') && !hasHttpsUnsubscribe(all)) {
    const text =
      'List-Unsubscribe-Post needs a List-Unsubscribe with an https address beside it (RFC 8058).'
    throw refuse('invalid_request', text, { field: 'headers.List-Unsubscribe-Post' })
  }
  return all
}

export function hasHttpsUnsubscribe(headers: readonly (readonly [string, string])[]): boolean {
  return headers.some(([name, value]) => {
    return name.toLowerCase() === 'list-unsubscribe' && value.toLowerCase().includes('<https://')
  })
}
