/** Whom a business writes to: within it, one email address and one phone number at most. */
import type { Id } from '../../core/ids.ts'
import type { Hmac, Origin, Tier } from '../../core/operation.ts'

export const channels = ['email', 'sms'] as const
export type Channel = (typeof channels)[number]

export const consentStatuses = ['none', 'subscribed', 'unsubscribed'] as const
export type ConsentStatus = (typeof consentStatuses)[number]

/** What a person said of a topic on a channel; a topic that is absent was never spoken of. */
export const topicStatuses = ['subscribed', 'unsubscribed'] as const
export type TopicStatus = (typeof topicStatuses)[number]

/** By the topic's key. */
export type TopicsOfChannel = Readonly<Record<string, TopicStatus>>
export type Topics = Readonly<Partial<Record<Channel, TopicsOfChannel>>>

/** A key may be a name that every object inherits, such as `constructor`. */
export function saidOfTopic(
  topics: Topics,
  channel: Channel,
  key: string,
): TopicStatus | undefined {
  const said = topics[channel]
  return said && Object.hasOwn(said, key) ? said[key] : undefined
}

/** What brought a contact, or a change of it. */
export const contactSources = ['api', 'import', 'form'] as const
export type ContactSource = (typeof contactSources)[number]

/** What brought a change: beside those, the person, by a link in a mail. */
export type ChangeSource = ContactSource | 'person'

export const contactLimits = {
  nameLength: 200,
  /** What RFC 5646 section 4.4.1 asks of whoever keeps tags. */
  languageLength: 35,
  attributes: 100,
  attributeKeyLength: 64,
  attributeLength: 4_000,
  tags: 50,
  tagLength: 64,
  consentSourceLength: 200,
  consentTextLength: 4_000,
} as const

export type AttributeValue = string | number | boolean

/** Fields of one text, which stay until another takes its place. */
export const textFields = ['name', 'language'] as const
type TextField = (typeof textFields)[number]

/** Each of them with the value that is given for it. */
export function eachText<T>(textOf: (field: TextField) => T): Record<TextField, T> {
  return Object.fromEntries(textFields.map((field) => [field, textOf(field)])) as Record<
    TextField,
    T
  >
}

export interface ContactValues extends Readonly<Record<TextField, string | null>> {
  /** As `normaliseEmail` spells it. */
  email: string | null
  /** E.164. */
  phone: string | null
  attributes: Readonly<Record<string, AttributeValue>>
  /** In order, none twice. */
  tags: readonly string[]
  consent: Readonly<Record<Channel, ConsentStatus>>
  topics: Topics
}

export interface Contact extends ContactValues {
  id: Id<'contact'>
  source: ContactSource
  createdAt: Date
  updatedAt: Date
}

/** Consent as someone gave or withdrew it, with what shows that. */
export interface ConsentGiven {
  status: 'subscribed' | 'unsubscribed'
  /** Where it was said, such as `checkout page`. */
  source: string
  /** What was agreed to, word for word. */
  text?: string
  ip?: string
  agent?: string
  /** Keys of the topics it is about; without them it is about the whole channel. */
  topics?: readonly string[]
}

/** What is said of a person; what is left out stays as it is. */
export interface Person extends Partial<Record<TextField, string>> {
  /** Normalised; so is `phone`. One of the two is there. */
  email?: string
  phone?: string
  /** Merged by key; null takes a key away. */
  attributes?: Readonly<Record<string, AttributeValue | null>>
  /** Added to those there are. */
  tags?: readonly string[]
  removeTags?: readonly string[]
  consent?: Partial<Record<Channel, ConsentGiven>>
}

/** A person to be saved as a contact, and on whose behalf. */
export interface ContactToSave extends Person {
  businessId: Id<'business'>
  tier: Tier
  source: ContactSource
  origin: Origin
  /** Knows the addresses of erased people, which stay erased. */
  hmac: Hmac
}

export interface SavedContact {
  id: Id<'contact'>
  change: 'created' | 'updated' | 'unchanged'
  /** Channels that an import would have subscribed and did not: the person had left them, or a topic. */
  stayedUnsubscribed?: Channel[]
}
