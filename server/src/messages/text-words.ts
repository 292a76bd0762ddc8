/** The content of SMS, and the limit on its length. */
import { limits } from '../config.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { textOf } from '../lib/email/quoted-printable.ts'
import type { ReadContent } from './content.ts'
import type { Templates, Tracking } from './dependencies.ts'
import type { Message, MessageKind } from './message.ts'

export interface TextWordsDeps {
  templates: Templates
  tracking: Pick<Tracking, 'preferencesUrl' | 'viewUrl'>
}

export interface TextOfTemplate {
  businessId: Id<'business'>
  messageId: Id<'message'>
  kind: MessageKind
  topic?: string | null | undefined
  templateVersionId: Id<'templateVersion'>
  contactId: Id<'contact'> | null
  variables: Record<string, unknown>
  /** The language that the call asks for. Else the contact's. */
  language?: string
  /** Whether the recipient's address and number are masked in it, as whoever calls sees them. */
  masksContact?: boolean
}

/** Renders the template for the recipient. */
export async function fillText(
  { templates, tracking }: TextWordsDeps,
  message: TextOfTemplate,
): Promise<string> {
  const { businessId, messageId, kind, topic, contactId } = message
  const preferencesUrl = tracking.preferencesUrl({
    businessId,
    messageId,
    kind,
    channel: 'sms',
    ...(topic && { topic }),
    opens: false,
    clicks: false,
    ...(contactId && { contactId }),
  })
  // A text has no page of its own, so its template gets no link to one.
  const rendered = await templates.render({
    ...message,
    ...(preferencesUrl !== undefined && { preferencesUrl }),
  })
  return textOf(rendered.text).trim()
}

/** Reads the text of queued messages: the text they were queued with, or their template's text. */
export function createTextWords(deps: TextWordsDeps, readContent: ReadContent) {
  return async (message: Message): Promise<string> => {
    const { businessId, id, kind, topic, contactId, templateVersionId } = message
    const content = await readContent(message)
    if (content?.text) return content.text
    if (!content || templateVersionId === null) {
      throw refuse('gone', 'The content of the message was deleted.')
    }
    const variables = content.variables ?? {}
    const whom = { businessId, messageId: id, kind, topic, contactId }
    const request = { ...whom, templateVersionId, variables }
    const text = await fillText(deps, request)
    if (text !== '') return text
    throw saysNothing()
  }
}

export function saysNothing(): Refusal {
  return refuse('invalid_request', 'The text is empty once its values are filled in.', {
    field: 'text',
    data: { reason: 'empty_text' },
  })
}

/** The refusal of a text with too many segments. Undefined if it may be sent. */
export function tooLong(segments: number): Refusal | undefined {
  if (segments <= limits.smsSegments) return undefined
  const text = `The text has ${segments} segments; the limit is ${limits.smsSegments}. Shorten it, or leave out characters outside the GSM alphabet (emoji, curly quotes): they more than double the number of segments.`
  return refuse('too_large', text, {
    field: 'text',
    data: { reason: 'too_many_segments_of_text', limit: limits.smsSegments },
  })
}
