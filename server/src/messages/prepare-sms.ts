import { limits } from '../config.ts'
import { isRefusal, orThrow, type Refusal, refuse } from '../core/errors.ts'
import { type Id, newId } from '../core/ids.ts'
import { isMasked } from '../core/masking.ts'
import { type BusinessContext, isApprover } from '../core/operation.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import { type Static, type TObject, Type } from '../lib/schema/schema.ts'
import { composeText, segmentsOf, type smsEncodings } from '../lib/sms/segments.ts'
import type { SmsProvider } from '../lib/sms/sms-url.ts'
import type { TextSenders } from './dependencies.ts'
import { labelInputs, readLabels } from './labels.ts'
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
import { fillText, saysNothing, type TextWordsDeps, tooLong } from './text-words.ts'
import type { MessageToSave } from './to-save.ts'

export interface SendSmsParts extends TextWordsDeps, OwnContentParts {
  /** The provider of texts; `inbox`: they stay on this machine. */
  sms: SmsProvider | 'inbox'
  findTemplate: FindTemplate
  findTopic: FindTopic
  textSenders: TextSenders
  checkValues: CheckTemplateValues
}

/** The fields of a call, or of an entry of a batch, that describe one text. */
export const smsInputs = {
  to: Type.Optional(Type.String({ description: 'Phone number with country code, or contact_id.' })),
  contact_id: Type.Optional(Type.String({ pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$' })),
  text: Type.Optional(Type.String({ maxLength: limits.smsCharacters })),
  ...templateInputs,
  variables: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  language: languageInput,
  kind: Type.Optional(Type.Enum(messageKinds)),
  topic: topicInput,
  send_at: Type.Optional(Type.String()),
  allow_duplicate: Type.Optional(Type.Boolean()),
  ...labelInputs,
}

type SmsInput = Static<TObject<typeof smsInputs>>

interface PreparedSms {
  message: MessageToSave
  segments: number
  encoding: (typeof smsEncodings)[number]
  warnings: string[]
}

/** The text that a call requests, checked and complete, or a refusal. */
export async function prepareSms(
  parts: SendSmsParts,
  context: BusinessContext,
  input: SmsInput,
): Promise<PreparedSms> {
  const { db, business, now, principal } = context
  const kind = input.kind ?? 'transactional'
  const recipient = readNamedRecipient(input, readNumber)
  const template = await readTemplate(input, { channel: 'sms', kind }, (name) =>
    parts.findTemplate(db, business.id, name),
  )
  const language = readLanguage(input)
  const labels = readLabels(input)
  const sendAt = readTime(input.send_at, now)
  const topic = await readMessageTopic(context, parts.findTopic, input)
  const sender = orThrow(await parts.textSenders.textSenderOf(business.id, recipient.to))
  if (kind === 'marketing' && sender.marketing !== true) throw sender.marketing
  const id = newId('message')
  const request = { ...recipient, id, kind, topic, template, input, language }
  await checkContactLinks(context, { template, words: input.variables ? [input.text] : [] })
  const words = template
    ? await filled(parts, context, { ...request, template })
    : await ownWords(parts, context, request)
  const text = composeText(words)
  const { segments, encoding } = segmentsOf(text)
  const long = tooLong(segments)
  if (long) throw long
  const message: MessageToSave = {
    ...recipient,
    ...orderFields(context),
    id,
    channel: 'sms',
    units: segments,
    kind,
    topic,
    byApprover: isApprover(principal, business),
    template,
    content: { ...nothing, text },
    ...(!template && { request: { ...nothing, ...textContent(input) } }),
    sendAt,
    allowDuplicate: allowsDuplicate(context, input.allow_duplicate),
    labels,
  }
  return { message, segments, encoding, warnings: liquidWarnings(input, template) }
}

const nothing = {
  subject: null,
  html: null,
  variables: null,
  attachments: null,
  trackOpens: false,
  trackClicks: false,
}

function readNumber(typed: string): string {
  const to = normalisePhone(typed)
  if (!isRefusal(to)) return to
  throw refuse('invalid_request', to.message.replace(/^phone/, 'to'), {
    field: 'to',
    data: { reason: 'no_phone' },
  })
}

async function ownWords(
  parts: SendSmsParts,
  context: BusinessContext,
  { id, to, contactId, kind, topic, input }: Omit<SmsToFill, 'template'>,
): Promise<string> {
  const { text, variables } = input
  if (text === undefined) {
    const lacking = 'text is missing: give text, or a template_id.'
    throw refuse('invalid_request', lacking, { field: 'text', data: { reason: 'missing' } })
  }
  const refusal = variables && tooManyVariables(variables)
  if (refusal) throw refusal
  if (text.trim() === '') {
    throw refuse('invalid_request', 'text is empty: write the message.', {
      field: 'text',
      data: { reason: 'empty_text' },
    })
  }
  if (!variables || !hasLiquid([text])) return text
  const whom = { channel: 'sms', kind, topic, to, contactId } as const
  const own = { ...whom, messageId: id, source: { text }, variables }
  const filled = await fillOwnContent(parts, context, own)
  if (filled.text.trim() === '') throw saysNothing()
  return filled.text.trim()
}

/**
 * The content by which a repeated call is recognised. Variables count only if the text uses them.
 */
function textContent({ text, variables }: SmsToFill['input']): Pick<Content, 'text' | 'variables'> {
  return {
    text: text === undefined ? null : composeText(text),
    variables: hasLiquid([text]) ? (variables ?? null) : null,
  }
}

function tooManyVariables(variables: Record<string, unknown>): Refusal | undefined {
  if (Buffer.byteLength(JSON.stringify(variables)) <= limits.emailVariablesBytes) return undefined
  const text = `variables can be at most ${limits.emailVariablesBytes} bytes as JSON.`
  return refuse('too_large', text, { field: 'variables', data: { reason: 'variables_too_large' } })
}

interface SmsToFill extends NamedRecipient {
  id: Id<'message'>
  kind: MessageKind
  topic: string | null
  template: NamedTemplate
  language: string | undefined
  input: { text?: string; variables?: Record<string, unknown> }
}

/** Renders the text when it is queued, so that the counted segments are the ones sent. */
async function filled(
  parts: SendSmsParts,
  context: BusinessContext,
  { id, to, contactId, kind, topic, template, input, language }: SmsToFill,
): Promise<string> {
  if (input.text !== undefined) {
    const both = 'text and template_id cannot be used together: give one of them.'
    throw refuse('invalid_request', both, { field: 'text', data: { reason: 'one_of' } })
  }
  const variables = input.variables ?? {}
  const refusal = tooManyVariables(variables)
  if (refusal) throw refusal
  const recipient = await findRecipient(context, { channel: 'sms', kind, topic, contactId, to })
  const checked = {
    businessId: context.business.id,
    templateVersionId: template.versionId,
    variables,
    ...(language !== undefined && { language }),
    masksContact: isMasked(context),
  }
  await parts.checkValues({
    ...checked,
    findContactId: async () => recipient.contactId,
  })
  const text = await fillText(parts, {
    ...checked,
    messageId: id,
    kind,
    topic,
    contactId: recipient.contactId,
  })
  if (text !== '') return text
  throw saysNothing()
}
