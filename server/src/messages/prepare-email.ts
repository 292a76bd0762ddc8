import { limits } from '../config.ts'
import { isRefusal, orThrow, refuse } from '../core/errors.ts'
import { type Id, liveOf, newId } from '../core/ids.ts'
import { isMasked } from '../core/masking.ts'
import { type BusinessContext, isApprover } from '../core/operation.ts'
import { checkTakesDataOut } from '../core/taking-out.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { parseMailbox, smtpAddress } from '../lib/email/header-fields.ts'
import { type Static, type TObject, Type } from '../lib/schema/schema.ts'
import { isWithin, ownDomainsOf } from '../sender-domains/senders/own-domains.ts'
import { readContent } from './content.ts'
import type { Sender, Senders } from './dependencies.ts'
import { labelInputs, readLabels } from './labels.ts'
import { type MailFields, mailFieldInputs, mailFieldLimits, readMailFields } from './mail-fields.ts'
import { type Content, type MessageKind, messageKinds } from './message.ts'
import {
  fillOwnContent,
  findRecipient,
  hasLiquid,
  liquidWarnings,
  type OwnContentParts,
} from './own-words.ts'
import {
  allowsDuplicate,
  checkContactLinks,
  type FindTemplate,
  type FindTopic,
  languageInput,
  type NamedRecipient,
  type NamedTemplate,
  orderFields,
  readLanguage,
  readMessageTopic,
  readNamedRecipient,
  readTemplate,
  readTime,
  templateInputs,
  topicInput,
} from './send-input.ts'
import type { CheckTemplateValues } from './template-words.ts'
import type { MessageToSave } from './to-save.ts'

export interface SendParts extends OwnContentParts {
  /** `inbox`: mail stays on this machine. */
  email: 'smtp' | 'inbox'
  checkValues: CheckTemplateValues
  findTemplate: FindTemplate
  findTopic: FindTopic
  senders: Senders
}

const attachment = Type.Object(
  {
    filename: Type.String({ maxLength: 200 }),
    content_type: Type.String({ maxLength: 300 }),
    content: Type.String({ description: 'Base64.' }),
    content_id: Type.Optional(
      Type.String({ maxLength: 100, description: 'Shown in html by cid:.' }),
    ),
  },
  { additionalProperties: false },
)

const mailbox = Type.String({ maxLength: mailFieldLimits.mailboxLength })

/** In a batch each mail has one recipient, who has its outcome; also as a list of one. */
export const oneRecipient = Type.Optional(
  Type.Union([mailbox, Type.Array(mailbox, { minItems: 1, maxItems: 1 })]),
)

/** The fields of a call, or of an entry of a batch, that describe one mail. */
export const emailInputs = {
  to: Type.Optional(
    Type.Union(
      [
        mailbox,
        Type.Array(mailbox, {
          minItems: 1,
          maxItems: mailFieldLimits.recipients,
          uniqueItems: true,
        }),
      ],
      { description: 'Address, Name <address>, or contact_id.' },
    ),
  ),
  contact_id: Type.Optional(Type.String({ pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$' })),
  subject: Type.Optional(Type.String({ maxLength: limits.emailSubject })),
  html: Type.Optional(Type.String({ maxLength: limits.emailCharacters })),
  text: Type.Optional(
    Type.String({ maxLength: limits.emailCharacters, description: 'Default: made of html.' }),
  ),
  ...mailFieldInputs,
  ...templateInputs,
  variables: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
    }),
  ),
  language: languageInput,
  attachments: Type.Optional(
    Type.Array(attachment, {
      maxItems: limits.emailAttachments,
      description: '10 MB together; in a tool call 3.',
    }),
  ),
  kind: Type.Optional(
    Type.Enum(messageKinds, {
      description: 'Default transactional.',
    }),
  ),
  topic: topicInput,
  send_at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: `ISO 8601 with zone, to ${limits.sendAheadDays} days ahead.`,
    }),
  ),
  allow_duplicate: Type.Optional(Type.Boolean()),
  ...labelInputs,
  track_opens: Type.Optional(Type.Boolean()),
  track_clicks: Type.Optional(Type.Boolean()),
}

type EmailInput = Static<TObject<typeof emailInputs>>

/** A mail and its copies for the further recipients, cc and bcc. */
export interface PreparedEmail {
  message: MessageToSave
  copies: MessageToSave[]
  /** How many of the copies go to recipients that the mail addresses, the first of them. */
  addressed: number
  warnings: string[]
}

/** The mail that a call requests, checked and complete, or a refusal. */
export async function prepareEmail(
  parts: SendParts,
  context: BusinessContext,
  input: EmailInput,
): Promise<PreparedEmail> {
  const { findTemplate, findTopic, senders } = parts
  const { db, business, now, principal } = context
  const { kind = 'transactional' } = input
  const [first, ...others] = readRecipients(input.to)
  checkSeveral(context, { kind, others })
  const { contact_id } = input
  const recipientInput = {
    ...(first && { to: first.address }),
    ...(contact_id !== undefined && { contact_id }),
  }
  const recipient = readNamedRecipient(recipientInput, (address) => address)
  const template = await readTemplate(input, { channel: 'email', kind }, (name) =>
    findTemplate(db, business.id, name),
  )
  const read = readContent(input)
  const language = readLanguage(input)
  const labels = readLabels(input)
  const sendAt = readTime(input.send_at, now)
  const topic = await readMessageTopic(context, findTopic, input)
  const mail = readMailFields(input, kind)
  await checkKeepsIn(context, senders, input)
  const { subject, html, text, variables } = read
  await checkContactLinks(context, { template, words: variables ? [subject, html, text] : [] })
  checkCopied(read, mail.copies.length + others.length + 1)
  const toField = toFieldOf(first, others)
  const fields = mail.fields || toField ? { ...mail.fields, ...toField } : null
  const sender = await senderFor(senders, { businessId: business.id, kind, from: fields?.from })
  const request = {
    ...read,
    ...(fields && { fields }),
    ...(language !== undefined && { language }),
  }
  const id = newId('message')
  const toFill = { ...recipient, id, kind, topic, template, content: request, sender }
  const content = await filledIn(parts, context, toFill)
  const message: MessageToSave = {
    ...recipient,
    ...orderFields(context),
    id,
    channel: 'email',
    units: 1,
    kind,
    topic,
    byApprover: isApprover(principal, business),
    template,
    content,
    request,
    sendAt,
    allowDuplicate: allowsDuplicate(context, input.allow_duplicate),
    labels,
  }
  const warnings = liquidWarnings(read, template)
  const further = others.map(({ address }) => address)
  if (mail.copies.length + further.length === 0) {
    return { message, copies: [], addressed: 0, warnings }
  }
  const to = await shownAddress(context, recipient)
  const addresses = [...new Set([...further, ...mail.copies])].filter((address) => address !== to)
  const copies = addresses.map((address) => copyOf(message, { id, to, address }))
  return { message, copies, addressed: further.length, warnings }
}

interface AddressedMailbox {
  address: string
  /** With the name that the call gives. */
  spelled: string
  isNamed: boolean
}

/** Whether it is a list of addresses in one text, as mail programs write it. */
const holdsSeveral = (text: string): boolean =>
  !text.includes('"') && text.split('@').length > 2 && (text.includes(',') || text.includes(';'))

/** The recipients that the mail addresses; the first is the one whom its message is for. */
function readRecipients(to: EmailInput['to']): AddressedMailbox[] {
  const texts = to === undefined ? [] : [to].flat()
  const read = texts.map((text, n) => {
    const field = Array.isArray(to) ? `to[${n}]` : 'to'
    if (holdsSeveral(text)) {
      const rule = `${field} holds several addresses: give a list of them, such as ["ana@example.com", "ben@example.com"].`
      throw refuse('invalid_request', rule, { field, data: { reason: 'no_email' } })
    }
    const { name, address: typed } = parseMailbox(text)
    if (name !== undefined && /\p{Cc}/u.test(name)) {
      const rule = `${field} must be a name without line breaks and control characters.`
      throw refuse('invalid_request', rule, { field, data: { reason: 'one_line' } })
    }
    const address = readAddress(text.includes('<') ? typed : text, field)
    const recipient = name === undefined ? address : `"${name}" <${address}>`
    return { address, spelled: recipient, isNamed: name !== undefined }
  })
  const addresses = read.map(({ address }) => address)
  const doubled = addresses.findIndex((address, n) => addresses.indexOf(address) !== n)
  if (doubled < 0) return read
  const field = `to[${doubled}]`
  const text = `${field} is the address of an entry before it: name each recipient once.`
  throw refuse('invalid_request', text, { field, data: { reason: 'recipient_twice' } })
}

/** Several people get one mail, and each sees the others. */
function checkSeveral(
  context: BusinessContext,
  { kind, others }: { kind: MessageKind; others: readonly AddressedMailbox[] },
): void {
  if (others.length === 0) return
  if (kind === 'marketing') {
    const text =
      'Marketing goes to one person who agreed to it, so to takes one address: send each person a message.'
    throw refuse('invalid_request', text, { field: 'to', data: { reason: 'several_recipients' } })
  }
  const action = 'A mail to several people'
  checkTakesDataOut(context, { action, page: '/messages', field: 'to' })
}

function toFieldOf(
  first: AddressedMailbox | undefined,
  others: readonly AddressedMailbox[],
): Pick<MailFields, 'to'> | undefined {
  if (!first) return undefined
  if (others.length === 0) return first.isNamed ? { to: first.spelled } : undefined
  return { to: [first, ...others].map(({ spelled }) => spelled) }
}

/** Copies, and answers to an address elsewhere, be it the sender's, take out what the mail says. */
async function checkKeepsIn(
  context: BusinessContext,
  senders: Senders,
  { from, cc = [], bcc = [], reply_to = [], headers = {} }: EmailInput,
): Promise<void> {
  if (!context.principal.keepsDataIn) return
  const page = '/messages'
  if (cc.length > 0) checkTakesDataOut(context, { action: 'A copy (cc)', page, field: 'cc' })
  if (bcc.length > 0) checkTakesDataOut(context, { action: 'A copy (bcc)', page, field: 'bcc' })
  const ofReplies = [reply_to].flat().map((text) => domainOf(parseMailbox(text).address))
  const ofLists = Object.entries(headers).flatMap(([name, value]) =>
    /^list-/i.test(name) ? hostsIn(value) : [],
  )
  if (from === undefined && ofReplies.length + ofLists.length === 0) return
  const own = await ownDomainsOf(context.db, liveOf(context.business.id))
  if (from !== undefined && !own.includes(domainOf(parseMailbox(from).address))) {
    const sender = await senders.senderOf(context.business.id)
    const isUsual = !isRefusal(sender) && addressOf(sender.from) === addressOf(from)
    const action = 'A sender outside of the verified domains'
    if (!isUsual) checkTakesDataOut(context, { action, page, field: 'from' })
  }
  if (!ofReplies.every((domain) => own.includes(domain))) {
    const action = 'A reply address outside of the verified domains'
    checkTakesDataOut(context, { action, page, field: 'reply_to' })
  }
  const hosts = new Set([...own, new URL(context.appUrl).hostname])
  if (!ofLists.every((host) => isWithin(host, hosts))) {
    const action = 'A header field that leads outside of the verified domains'
    checkTakesDataOut(context, { action, page, field: 'headers' })
  }
}

/**
 * The hosts of the addresses in a field such as `<mailto:off@shop.example>, <https://shop.example>`, of
 * a link without its user and port. What is no plain host is named as it stands, within no domain.
 */
function hostsIn(value: string): string[] {
  const hosts = [...value.matchAll(/<(mailto:[^@<>]{0,64}@|https?:\/\/)([^?/#\\<>]{1,255})/gi)]
  return hosts.map(([, scheme = '', part = '']) => {
    const isLink = /^http/i.test(scheme)
    const host = isLink ? domainOf(part).replace(/:\d{0,5}$/, '') : part.toLowerCase()
    return /^[\p{L}\p{N}.-]+$/u.test(host) ? host : `${host}:`
  })
}

const addressOf = (mailbox: string) => parseMailbox(mailbox).address.toLowerCase()

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

function checkCopied({ attachments }: Content, recipients: number): void {
  if (recipients === 1 || !attachments) return
  const bytes = attachments.reduce(
    (sum, { content }) => sum + Buffer.byteLength(content, 'base64'),
    0,
  )
  if (bytes * recipients <= mailFieldLimits.copiedBytes) return
  const text = `The attachments go to ${recipients} people, ${bytes * recipients} bytes in total; the limit is ${mailFieldLimits.copiedBytes}: send a link instead.`
  throw refuse('too_large', text, {
    field: 'attachments',
    data: { reason: 'attachments_too_large' },
  })
}

/** A copy has the same content. Its To field names the person whom the mail addresses. */
function copyOf(
  message: MessageToSave,
  { id, to, address }: { id: Id<'message'>; to: string; address: string },
): MessageToSave {
  const addressed = (content: Content) => ({ ...content, fields: { to, ...content.fields } })
  const { content, request } = message
  return {
    ...message,
    id: newId('message'),
    copyOf: id,
    contactId: undefined,
    to: address,
    content: addressed(content),
    ...(request && { request: addressed(request) }),
  }
}

/** The address that the mail goes to. For a contact's id, the contact's address. */
async function shownAddress(
  context: BusinessContext,
  { to, contactId }: NamedRecipient,
): Promise<string> {
  if (to !== undefined) return to
  const recipient = await findRecipient(context, {
    channel: 'email',
    kind: 'transactional',
    topic: null,
    contactId,
    to,
  })
  return recipient.address
}

function readAddress(typed: string, field: string): string {
  const to = normaliseEmail(typed)
  if (isRefusal(to))
    throw refuse('invalid_request', to.message, { field, data: { reason: 'no_email' } })
  orThrow(smtpAddress(to, field))
  return to
}

/**
 * The business's sender, or why it may not send now. Conditions that may change until then are
 * checked again when the message is sent.
 */
async function senderFor(
  senders: Senders,
  {
    businessId,
    kind,
    from,
  }: { businessId: Id<'business'>; kind: MessageKind; from?: string | undefined },
): Promise<Sender> {
  const sender = orThrow(await senders.senderOf(businessId, from))
  if (kind !== 'marketing') return sender
  if (sender.marketing !== true) throw sender.marketing
  if (sender.waits) throw sender.waits
  return sender
}

interface EmailToFill extends NamedRecipient {
  id: Id<'message'>
  kind: MessageKind
  topic: string | null
  template: NamedTemplate | undefined
  content: Content
  sender: Sender
}

/**
 * Renders the call's own content if it gives variables and uses Liquid. Other content is sent
 * unchanged. A template is rendered when it is sent, and checked here.
 */
async function filledIn(
  parts: SendParts,
  context: BusinessContext,
  { id, template, content, sender, ...whom }: EmailToFill,
): Promise<Content> {
  const { subject, html, text, variables, language } = content
  if (template) {
    await parts.checkValues({
      businessId: context.business.id,
      templateVersionId: template.versionId,
      variables: variables ?? {},
      ...(language && { language }),
      masksContact: isMasked(context),
      async findContactId() {
        const recipient = await findRecipient(context, { ...whom, channel: 'email' })
        return recipient.contactId
      },
    })
    return content
  }
  if (variables === null || !hasLiquid([subject, html, text]))
    return { ...content, variables: null }
  const filled = await fillOwnContent(parts, context, {
    ...whom,
    messageId: id,
    channel: 'email',
    trackingHost: sender.trackingHost,
    source: {
      subject: subject ?? '',
      ...(html !== null && { html }),
      ...(text !== null && { text }),
    },
    variables,
  })
  const line = filled.subject.trim()
  checkSubject(line)
  return { ...content, ...wordsOf(filled), subject: line, variables: null }
}

function wordsOf({ html = null, text }: { html?: string | null; text: string }) {
  return { html, text }
}

function checkSubject(subject: string): void {
  if (subject === '') {
    throw refuse('invalid_request', 'The subject is empty once its values are filled in.', {
      data: { reason: 'subject_missing' },
      field: 'subject',
    })
  }
  if (subject.length <= limits.emailSubject) return
  const text = `The subject comes out longer than ${limits.emailSubject} characters.`
  throw refuse('too_large', text, { field: 'subject', data: { reason: 'subject_too_long' } })
}
