/**
 * Content that came with a call, as its recipient gets it: rendered in the same way as templates where
 * it uses Liquid.
 */

import { createHash } from 'node:crypto'
import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import type { Channel } from '../contacts/contact.ts'
import {
  type Recipient as MessageRecipient,
  type ReadContact,
  resolveRecipients,
} from '../contacts/recipients.ts'
import { isRefusal, orThrow, type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { isMasked } from '../core/masking.ts'
import type { BusinessContext } from '../core/operation.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import type { Compiled, Rendered, Templates } from '../templates/compile.ts'
import type { EmailSource, SmsSource } from '../templates/source.ts'
import type { MissingValues } from '../templates/thread/answer.ts'
import { ownVariables, type Recipient, templateVariables } from '../templates/variables.ts'
import type { OwnLinks, Tracking } from './dependencies.ts'
import { ownLinks, surroundingVariables } from './mail-of.ts'
import type { MessageKind } from './message.ts'

interface OwnWords extends OwnLinks {
  businessId: Id<'business'>
  /** The subject with HTML or text of a mail, or the text of an SMS. */
  source: EmailSource | SmsSource
  contactId: Id<'contact'> | null
  variables: Record<string, unknown>
  /** Whether the recipient's address and number are masked in it, as whoever wrote it sees them. */
  masksContact: boolean
}

export type FillOwnWords = (words: OwnWords) => Promise<Rendered>

interface OwnWordsDeps {
  templates: Pick<Templates, 'checkMail' | 'missingIn' | 'render'>
  senderProfileOf: ReadSenderProfile
  contactOf: ReadContact
}

/**
 * How many compiled contents are cached. The same content often comes again with other variables.
 */
const cachedContents = 100

/** Whether the content uses Liquid. Other content is sent as it is and needs no thread. */
export function hasLiquid(words: readonly (string | null | undefined)[]): boolean {
  return words.some((text) => text?.includes('{{') || text?.includes('{%'))
}

/**
 * Warns of text that looks like Liquid and is sent as it stands, because the call gives no
 * variables: the caller may have meant it.
 */
export function liquidWarnings(
  {
    subject,
    html,
    text,
    variables,
  }: Partial<Record<'subject' | 'html' | 'text', string | null>> & {
    variables?: object | null
  },
  template?: object,
): string[] {
  // The subject that a call gives beside a template is never filled in.
  if (variables && !template) return []
  const parts = Object.entries({ subject, html, text }).filter(([, words]) => hasLiquid([words]))
  if (parts.length === 0) return []
  const names = parts.map(([part]) => part).join(', ')
  const how = template
    ? 'the subject of the call is not filled in: leave it out for that of the template.'
    : 'give variables ({} for none) to have it filled in with Liquid.'
  return [`Sent as it stands, though it holds {{ or {%: ${names}. If that was not meant, ${how}`]
}

export function createOwnWords(deps: OwnWordsDeps): FillOwnWords {
  const { templates, senderProfileOf, contactOf } = deps
  const cache = new Map<string, Compiled>()

  const compiledOf = async ({ businessId, source }: OwnWords): Promise<Compiled> => {
    const hash = createHash('sha256').update(JSON.stringify(source)).digest('base64')
    const key = `${businessId} ${hash}`
    const compiled = cache.get(key) ?? (await templates.checkMail(businessId, source))
    if (isRefusal(compiled)) {
      throw compiled.code === 'invalid_request' ? withUnsubscribeCheck(compiled) : compiled
    }
    setNewest(cache, [key, compiled], cachedContents)
    return compiled
  }

  return async (words) => {
    const { businessId, contactId, variables, masksContact } = words
    const compiled = await compiledOf(words)
    const [business, contact] = await Promise.all([
      senderProfileOf(businessId),
      contactId && contactOf({ businessId, contactId }),
    ])
    if (!business) throw refuse('gone', 'The business was deleted.')
    const recipient = contact && masksContact ? await maskedRecipient(contact) : contact
    const surrounding = surroundingVariables({ business, contact: recipient || undefined }, words)
    const all = templateVariables(surrounding, variables)
    const missing = orThrow(await templates.missingIn({ businessId, compiled }, all))
    if (missing) throw refuseMissing(missing, missing.part, ` ${asItStands}`)
    return orThrow(await templates.render({ businessId, compiled }, all))
  }
}

/** The recipient as a connection that sees people masked may have them filled in. */
export async function maskedRecipient(contact: Recipient): Promise<Recipient> {
  const { maskedReader } = await import('../core/masked-text.ts')
  return maskedReader(contact)
}

const asItStands =
  'Text that is to go as it stands goes between {% raw %} and {% endraw %}, or without variables.'

function withUnsubscribeCheck({ code, message, details }: Refusal): Refusal {
  const how = 'The words are filled in with Liquid: mend them there.'
  return refuse(code, `${message} ${how} ${asItStands}`, details)
}

/** The most names without a value that a refusal names. */
const mostNamed = 10

/** The refusal of words that would go out with a hole. */
export function refuseMissing({ part, names }: MissingValues, field: string, hint = ''): Refusal {
  const listed = names.slice(0, mostNamed).map((name) => `{{ ${name.slice(0, 100)} }}`)
  const text = `${part} puts out ${listed.join(', ')}, and nothing gives that a value. Give it in variables, or a default: {{ name | default: "there" }}. By themselves there are ${Object.keys(ownVariables).join(', ')}.${hint}`
  return refuse('invalid_request', text, {
    field,
    data: { reason: 'unknown_words', names: names.join(', '), unknown: names },
  })
}

export interface OwnContentParts {
  fillOwn: FillOwnWords
  tracking: Pick<Tracking, 'preferencesUrl' | 'viewUrl'>
}

interface MessageTarget {
  channel: Channel
  kind: MessageKind
  topic: string | null
  /** Set if `to` is not. */
  contactId: Id<'contact'> | undefined
  to: string | undefined
}

interface OwnContent extends MessageTarget, Pick<OwnWords, 'source' | 'variables'> {
  messageId: Id<'message'>
  trackingHost?: string | undefined
}

/** Renders the content when it is queued, so that the caller gets a refusal if that fails. */
export async function fillOwnContent(
  { fillOwn, tracking }: OwnContentParts,
  context: BusinessContext,
  { messageId, source, variables, trackingHost, ...whom }: OwnContent,
): Promise<Rendered> {
  const recipient = await findRecipient(context, whom)
  const businessId = context.business.id
  const { contactId } = recipient
  const links = ownLinks(tracking, {
    businessId,
    messageId,
    kind: whom.kind,
    opens: false,
    clicks: false,
    channel: whom.channel,
    ...(contactId && { contactId }),
    ...(whom.topic && { topic: whom.topic }),
    ...(trackingHost !== undefined && { trackingHost }),
  })
  return fillOwn({
    businessId,
    source,
    contactId,
    variables,
    masksContact: isMasked(context),
    ...links,
    // A text has no page.
    ...(whom.channel === 'sms' && { viewUrl: '' }),
  })
}

/**
 * Finds the recipient, or the reason why nothing may be sent to them. The check is repeated when
 * the message is saved.
 */
export async function findRecipient(
  { db, business, hmac }: BusinessContext,
  { channel, kind, topic, contactId, to }: MessageTarget,
): Promise<MessageRecipient> {
  const needsConsent = kind === 'marketing'
  const whom = { businessId: business.id, channel, contactId, address: to, needsConsent, topic }
  const [recipient] = await resolveRecipients(db, hmac, [whom])
  if (recipient) return orThrow(recipient)
  throw refuse('not_found', 'There is no such recipient.', { field: 'to' })
}
