/**
 * A contact: a person a business writes to, with at most one email address and one phone number,
 * each unique within the business.
 */
import type { Id } from '../core/ids.ts'
import type { Hmac, Origin, Tier } from '../core/operation.ts'

export const channels = ['email', 'sms'] as const
export type Channel = (typeof channels)[number]

/** What a consent may be about: a channel, or that opens and clicks are recorded. */
export const consentSubjects = [...channels, 'tracking'] as const
export type ConsentSubject = (typeof consentSubjects)[number]

export const consentStatuses = ['none', 'pending', 'subscribed', 'unsubscribed'] as const
export type ConsentStatus = (typeof consentStatuses)[number]

/** A person's choice for a topic on a channel; a topic without a choice is absent. */
export const topicStatuses = ['subscribed', 'unsubscribed'] as const
export type TopicStatus = (typeof topicStatuses)[number]

/** Choices by the topic's key. */
export type TopicsOfChannel = Readonly<Record<string, TopicStatus>>
export type Topics = Readonly<Partial<Record<ConsentSubject, TopicsOfChannel>>>

/** A key may be a name that every object inherits, such as `constructor`. */
export function saidOfTopic(
  topics: Topics,
  channel: ConsentSubject,
  key: string,
): TopicStatus | undefined {
  const said = topics[channel]
  return said && Object.hasOwn(said, key) ? said[key] : undefined
}

/** How a contact, or a change to one, arrived. */
export const contactSources = ['api', 'import', 'form'] as const
export type ContactSource = (typeof contactSources)[number]

/** How a change arrived: also `person`, for a link in a mail. */
export type ChangeSource = ContactSource | 'person'

export const contactLimits = {
  nameLength: 200,
  /** The minimum that RFC 5646 section 4.4.1 requires of software that stores language tags. */
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

/** Fields of plain text, whose value stays until another one replaces it. */
export const textFields = ['name', 'language'] as const
type TextField = (typeof textFields)[number]

/** Builds an object with the value of each text field. */
export function eachText<T>(textOf: (field: TextField) => T): Record<TextField, T> {
  return { name: textOf('name'), language: textOf('language') }
}

export interface ContactValues extends Readonly<Record<TextField, string | null>> {
  /** The address as `normaliseEmail` spells it. */
  email: string | null
  /** The phone number (E.164). */
  phone: string | null
  attributes: Readonly<Record<string, AttributeValue>>
  /** Sorted, without duplicates. */
  tags: readonly string[]
  consent: Readonly<Record<ConsentSubject, ConsentStatus>>
  topics: Topics
}

export interface Contact extends ContactValues {
  id: Id<'contact'>
  source: ContactSource
  createdAt: Date
  updatedAt: Date
}

/** The basis of a message: the person's own consent, or that they are a customer already. */
export const consentBases = ['consent', 'existing_customer'] as const
export type ConsentBasis = (typeof consentBases)[number]

/**
 * How a form's box was answered. `ticked`: it was empty on the form's own page, and the person
 * ticked it. `sent`: another site or a program sent the answer, and how it showed the box is
 * unknown.
 */
export const consentBoxes = ['ticked', 'sent'] as const
export type ConsentBox = (typeof consentBoxes)[number]

/** Consent that was given or withdrawn, with its evidence. */
export interface ConsentGiven {
  /** `pending`: a mail asks the person to confirm, and they are not subscribed before they do. */
  status: 'pending' | 'subscribed' | 'unsubscribed'
  /** Where the person chose, such as `checkout page`. */
  source: string
  /** The exact text that was agreed to. */
  text?: string
  ip?: string
  agent?: string
  /** Keys of the topics that it is about; without them it is about the whole channel. */
  topics?: readonly string[]
  /** When the person chose, if that is known. */
  at?: Date
  basis?: ConsentBasis
  /** The page that the form was on, and the form's version. */
  page?: string
  formVersion?: number
  box?: ConsentBox
  /** The language that the person read (BCP 47), in which a confirmation mail is written. */
  language?: string
  formId?: Id<'form'>
  /** No challenge was solved on a guarded form, so a person must release the mail. */
  unproven?: boolean
  /** The contact is known for another reason, and stays even if this is never confirmed. */
  keepsContact?: boolean
  /** The confirmation by which the person agreed. */
  confirmationId?: Id<'confirmation'>
}

/** A change to a person; fields left out stay as they are. */
export interface Person extends Partial<Record<TextField, string>> {
  /** Normalised, like `phone`. At least one of the two is set. */
  email?: string
  phone?: string
  /** Merged by key; null deletes a key. */
  attributes?: Readonly<Record<string, AttributeValue | null>>
  /** Added to the existing tags. */
  tags?: readonly string[]
  removeTags?: readonly string[]
  /** The text fields to clear. */
  clear?: readonly TextField[]
  consent?: Partial<Record<ConsentSubject, ConsentGiven>>
}

/** A person to save as a contact, with the call on whose behalf this happens. */
export interface ContactToSave extends Person {
  businessId: Id<'business'>
  tier: Tier
  source: ContactSource
  origin: Origin
  /** Recognises the addresses of erased people, which stay erased. */
  hmac: Hmac
  /** An OAuth connection makes the call: who left is asked by mail, and only they come back. */
  mustConfirm?: true
  /** How an existing contact is treated; without it, the contact is updated. */
  existing?: 'keep' | 'fill_blanks'
}

export interface SavedContact {
  id: Id<'contact'>
  change: 'created' | 'updated' | 'unchanged'
  /** Consents that were not applied, because the person had withdrawn them. */
  stayedUnsubscribed?: ConsentSubject[]
  /** Channels that are subscribed now, while a suppression of the address still stops marketing. */
  stillSuppressed?: ConsentSubject[]
  /** The person had left email or a topic of it, and a mail asks them before they are back. */
  awaitsConfirmation?: boolean
}
