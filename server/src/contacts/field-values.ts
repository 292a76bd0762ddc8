/** Converts a contact's values to and from the field names of `contact.updated`. */

import {
  type AttributeValue,
  type Channel,
  type ConsentStatus,
  type ConsentSubject,
  type ContactValues,
  channels,
  consentSubjects,
  eachText,
  type TopicStatus,
  type Topics,
  textFields,
  topicStatusOf,
} from './contact.ts'

/** Null if the contact has no value. */
export type FieldValue = AttributeValue | null | readonly string[]
export type FieldValues = Readonly<Record<string, FieldValue>>

const attributeStart = 'attributes.'

export function pickFields(values: ContactValues, fields: readonly string[]): FieldValues {
  return Object.fromEntries(fields.map((field) => [field, valueAt(values, field)]))
}

function valueAt(values: ContactValues, field: string): FieldValue {
  if (field.startsWith(attributeStart)) {
    const key = field.slice(attributeStart.length)
    return Object.hasOwn(values.attributes, key) ? (values.attributes[key] ?? null) : null
  }
  const subject = consentSubjects.find((consentSubject) => field === `consent.${consentSubject}`)
  if (subject) return values.consent[subject]
  const topic = topicOf(field)
  if (topic) return topicStatusOf(values.topics, topic.channel, topic.key) ?? null
  if (field === 'tags') return values.tags
  if (field === 'email' || field === 'phone') return values[field]
  const text = textFields.find((textField) => textField === field)
  return text ? values[text] : null
}

/** The topic that `topics.email.news` names. */
export function topicOf(field: string): { channel: Channel; key: string } | undefined {
  const channel = channels.find((word) => field.startsWith(`topics.${word}.`))
  return channel && { channel, key: field.slice(`topics.${channel}.`.length) }
}

/**
 * Restores the earlier values of a contact: each field that still has the value of the change. Of
 * tags, added ones are removed and removed ones return. Others stay.
 */
export function restored(
  values: ContactValues,
  { before, after }: { before: FieldValues; after: FieldValues },
): ContactValues {
  const back = (field: string): FieldValue | undefined => {
    const isUntouched = Object.hasOwn(before, field) && valueAt(values, field) === after[field]
    return isUntouched ? before[field] : undefined
  }
  const address = (field: 'email' | 'phone') => {
    const value = back(field)
    return value === undefined ? values[field] : (value as string | null)
  }
  const attributes = new Map(Object.entries(values.attributes))
  for (const field of Object.keys(before).filter((text) => text.startsWith(attributeStart))) {
    const value = back(field)
    const key = field.slice(attributeStart.length)
    if (value === null) attributes.delete(key)
    else if (value !== undefined) attributes.set(key, value as AttributeValue)
  }
  const consentOn = (channel: ConsentSubject) =>
    (back(`consent.${channel}`) as ConsentStatus | undefined) ?? values.consent[channel]
  return {
    email: address('email'),
    phone: address('phone'),
    ...eachText((field) => {
      const value = back(field)
      return value === undefined ? values[field] : (value as string | null)
    }),
    attributes: Object.fromEntries(attributes),
    tags: tagsBefore(values.tags, before['tags'], after['tags']),
    consent: {
      email: consentOn('email'),
      sms: consentOn('sms'),
      tracking: consentOn('tracking'),
    },
    topics: topicsBefore(values.topics, Object.keys(before), back),
  }
}

function topicsBefore(
  topics: Topics,
  fields: readonly string[],
  back: (field: string) => FieldValue | undefined,
): Topics {
  let all = topics
  for (const field of fields) {
    const topic = topicOf(field)
    const status = topic && back(field)
    if (!topic || status === undefined) continue
    const { [topic.key]: _now, ...others } = all[topic.channel] ?? {}
    const topicsOfChannel =
      status === null ? others : { ...others, [topic.key]: status as TopicStatus }
    all = { ...all, [topic.channel]: topicsOfChannel }
  }
  return all
}

function tagsBefore(
  tags: readonly string[],
  before: FieldValue | undefined,
  after: FieldValue | undefined,
): readonly string[] {
  if (!Array.isArray(before) || !Array.isArray(after)) return tags
  const [old, current] = [before, after].map((list) => new Set(list as string[])) as [
    Set<string>,
    Set<string>,
  ]
  const remaining = tags.filter((tag) => old.has(tag) || !current.has(tag))
  const restored = [...old].filter((tag) => !current.has(tag))
  return [...new Set([...remaining, ...restored])].sort()
}
