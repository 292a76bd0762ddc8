/** Input that the sending operations share: the template, the recipient, the time, and who sends. */

import { limits } from '../config.ts'
import { type Channel, contactLimits } from '../contacts/contact.ts'
import { type readTopic, topicLimits } from '../contacts/topics/topic.ts'
import { orThrow, type Refusal, refuse } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import type { BusinessContext } from '../core/operation.ts'
import { readSendAt } from '../core/send-at.ts'
import { checkTakesDataOut } from '../core/taking-out.ts'
import type { Db } from '../lib/db/types.ts'
import { type Static, type TObject, Type } from '../lib/schema/schema.ts'
import { canonicalLanguageTag } from '../lib/text/language-tag.ts'
import type { Compiled } from '../templates/compile.ts'
import { noSuchKey } from '../templates/key.ts'
import { isEmail, type TemplateSource, templateLimits } from '../templates/source.ts'
import type { Condition } from '../templates/variables.ts'
import { templateIdInput } from '../templates/view.ts'
import { limitOfConnection } from '../usage/connection-limit.ts'
import type { MessageKind } from './message.ts'
import type { MessageToSave, Words } from './to-save.ts'

/** Finds the version of a template that is currently used for sending. */
export type FindTemplate = (
  db: Db,
  businessId: Id<'business'>,
  reference: Id<'template'> | { key: string },
) => Promise<FoundTemplate | undefined>

interface FoundTemplate {
  id: Id<'template'>
  versionId: Id<'templateVersion'>
  channel: Channel
  source: TemplateSource
  compiled: Pick<Compiled, 'conditions'>
  /** Whether a person marked it as transactional. */
  isTransactional: boolean
  /** Whether it may be sent as marketing alone. */
  isMarketing: boolean
  /** Its slots that nobody has filled. */
  emptySlots: string[]
}

/** Finds a topic that a message may name. */
export type FindTopic = typeof readTopic

/** A mail of the gallery is sent as what it is, and whole. */
function checkGallery({ isMarketing, emptySlots }: FoundTemplate, kind: MessageKind): void {
  if (isMarketing && kind !== 'marketing') {
    const text =
      'The template was made of a mail of the gallery that is marketing: it cannot be sent as transactional. Send it with kind "marketing", to people who agreed.'
    throw refuse('invalid_request', text, { field: 'kind' })
  }
  if (emptySlots.length > 0) {
    const text = `The template still has empty slots: ${emptySlots.slice(0, 20).join(', ')}. Write the facts with template.save, then send it.`
    throw refuse('invalid_request', text, { field: 'template_id' })
  }
}

export interface NamedTemplate {
  id: Id<'template'>
  versionId: Id<'templateVersion'>
  isTransactional: boolean
  words: Words
  source: TemplateSource
  /** The filters of its blocks. */
  conditions?: readonly Condition[]
}

/** The fields by which a call names a template. */
export const templateInputs = {
  template_id: Type.Optional(templateIdInput),
  template_key: Type.Optional(Type.String({ maxLength: templateLimits.keyLength })),
}

type TemplateInput = Static<TObject<typeof templateInputs>>

/** By what a batch remembers a template that it has read. */
export const templateName = (template: Id<'template'> | { key: string }) =>
  typeof template === 'string' ? template : `key ${template.key}`

export async function readTemplate(
  { template_id: templateId, template_key: key }: TemplateInput,
  { channel, kind = 'transactional' }: { channel: Channel; kind?: MessageKind | undefined },
  find: (template: Id<'template'> | { key: string }) => ReturnType<FindTemplate>,
): Promise<NamedTemplate | undefined> {
  if (templateId !== undefined && key !== undefined) {
    const text = 'template_id and template_key cannot be used together: give one of them.'
    throw refuse('invalid_request', text, { field: 'template_key' })
  }
  if (templateId === undefined && key === undefined) return undefined
  const id = templateId === undefined ? undefined : parseId('template', templateId)
  const reference = key === undefined ? id : { key }
  const version = reference && (await find(reference))
  if (version && version.channel !== channel) {
    const text = `The template ${templateId ?? key} is for ${version.channel}, not for ${channel}.`
    throw refuse('invalid_request', text, {
      field: key === undefined ? 'template_id' : 'template_key',
    })
  }
  if (version) {
    checkGallery(version, kind)
    const { id, versionId, isTransactional, source } = version
    const { conditions } = version.compiled
    const words = wordsOf(source)
    return { id, versionId, isTransactional, words, source, ...(conditions && { conditions }) }
  }
  throw key === undefined ? noSuchTemplate(templateId ?? '') : noSuchKey(key, 'template_key')
}

function wordsOf(source: TemplateSource): Words {
  if (!isEmail(source)) return { subject: null, html: null, text: source.text }
  const { subject, html, mjml, blocks, text } = source
  const markup = html ?? mjml ?? (blocks && JSON.stringify(blocks))
  return { subject, html: markup ?? null, text: text ?? null }
}

export function noSuchTemplate(templateId: string): Refusal {
  return refuse('not_found', `This business has no template ${templateId}.`, {
    field: 'template_id',
    fix: { tool: 'template.list', arguments: {} },
  })
}

/** The recipient that a call names: an address or number, or a contact. */
export interface NamedRecipient {
  /** Normalised. */
  to: string | undefined
  contactId: Id<'contact'> | undefined
}

/** Reads the recipient that a call names; `normalise` reads an address or number as typed. */
export function readNamedRecipient(
  input: { to?: string; contact_id?: string },
  normalise: (typed: string) => string,
): NamedRecipient {
  if ((input.to === undefined) === (input.contact_id === undefined)) {
    const text = 'Say to whom it goes: to or contact_id, one of the two.'
    throw refuse('invalid_request', text, { field: 'to' })
  }
  if (input.to === undefined) {
    return { to: undefined, contactId: parseId('contact', input.contact_id ?? '') }
  }
  const to = normalise(input.to)
  return { to, contactId: undefined }
}

export const languageInput = Type.Optional(Type.String({ maxLength: contactLimits.languageLength }))

/** Reads the language of the template that a call asks for, instead of the contact's. */
export function readLanguage(input: TemplateInput & { language?: string }): string | undefined {
  const { language, template_id, template_key } = input
  if (language === undefined) return undefined
  const tag = canonicalLanguageTag(language)
  if (tag === undefined) {
    const form = 'language must be a language tag (BCP 47), such as fr or de-AT.'
    throw refuse('invalid_request', form, { field: 'language' })
  }
  if (template_id !== undefined || template_key !== undefined) return tag
  const text =
    'language chooses a translation of a template: give template_id with it, or leave it out.'
  throw refuse('invalid_request', text, { field: 'language' })
}

/** Reads the time at which to send. Undefined means now. */
export function readTime(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const moment = readSendAt(text, { now, daysAhead: limits.sendAheadDays })
  return moment > now ? moment : undefined
}

/** The time as it was understood, in UTC; absent from the answer if the message is sent at once. */
export const sendAtView = Type.Optional(Type.String())

/**
 * Refuses a call, unless its idempotency key has an answer already: a call that is repeated after
 * its `send_at` has passed gets that of the first.
 */
export async function refuseOnce<T>(
  { write }: Pick<BusinessContext, 'write'>,
  { idempotency_key }: { idempotency_key?: string },
  refusal: Refusal,
): Promise<T> {
  if (idempotency_key === undefined) throw refusal
  return write<T>(() => Promise.reject(refusal))
}

/** The key of a topic. The input of `campaign.save` has its description. */
export const topicInput = Type.Optional(Type.String({ maxLength: topicLimits.keyLength }))

/** The topic of a message, or null. Only marketing has one: nobody can opt out of the rest. */
export async function readMessageTopic(
  { db, business }: Pick<BusinessContext, 'db' | 'business'>,
  find: FindTopic,
  { topic, kind = 'transactional' }: { topic?: string; kind?: MessageKind },
): Promise<string | null> {
  if (topic !== undefined && topic !== '' && kind !== 'marketing') {
    const text = 'A topic is what marketing is about: give kind: "marketing" with it, or no topic.'
    throw refuse('invalid_request', text, { field: 'topic' })
  }
  const read = orThrow(topic === undefined ? undefined : await find(db, business.id, topic))
  return read ?? null
}

type OrderField = 'businessId' | 'tier' | 'origin' | 'hmac' | 'connectionLimit'

/** The fields of a message that say for which business, and by whose call, it is sent. */
export function orderFields({
  business,
  origin,
  hmac,
  principal,
  appUrl,
}: BusinessContext): Pick<MessageToSave, OrderField> {
  const { id: businessId, tier } = business
  return {
    businessId,
    tier,
    origin,
    hmac,
    connectionLimit: limitOfConnection(principal, { businessId, appUrl }),
  }
}

/**
 * Whether the same message may be queued again within two minutes. Models repeat themselves, so a
 * tool call is guarded, unless its idempotency key says what a repetition is. Programs send what
 * they are told, unless they ask to be guarded.
 */
export function allowsDuplicate(
  { isToolCall, hasKey }: Pick<BusinessContext, 'isToolCall' | 'hasKey'>,
  isWanted: boolean | undefined,
): boolean {
  return hasKey || (isWanted ?? !isToolCall)
}

interface Filled {
  template: NamedTemplate | undefined
  /** The call's own words, where they are filled in. */
  words: readonly unknown[]
}

/**
 * Refuses links and pictures that tell a host outside of the business about the recipient, unless a
 * person marked the template as transactional.
 */
export async function checkContactLinks(
  context: BusinessContext,
  { template, words }: Filled,
): Promise<void> {
  const { db, business, principal, appUrl } = context
  if (!principal.keepsDataIn || template?.isTransactional) return
  const { foreignContactHosts } = await import('./personal-links.ts')
  const hosts = await foreignContactHosts(db, {
    businessId: business.id,
    sources: template ? [template.source] : words,
    ownHosts: [new URL(appUrl).hostname],
  })
  if (hosts.length === 0) return
  const action = `A link or picture that tells ${hosts.join(', ')} about the recipient`
  checkTakesDataOut(context, { action, page: '/messages' })
}
