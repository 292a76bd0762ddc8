/** A contact as a person edits it: each of the business's own fields is a field of the draft. */
import type { WholeContact } from './contact-drawer.tsx'

type Value = string | number | boolean
type AttributeField = `attributes.${string}`

export interface ContactDraft {
  email: string
  phone: string
  name: string
  first_name: string
  last_name: string
  language: string
  /** Separated by commas. */
  tags: string
  /** Null is a field that is about to be removed. */
  [field: AttributeField]: Value | null | undefined
}

export const attributeField = (key: string): AttributeField => `attributes.${key}`

export const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '')

export function fieldsOf(contact: WholeContact): ContactDraft {
  const { email, phone, language, tags } = contact
  const attributes = Object.entries(contact.attributes)
  return {
    email: email ?? '',
    phone: phone ?? '',
    name: contact.name ?? '',
    first_name: contact.first_name ?? '',
    last_name: contact.last_name ?? '',
    language: language ?? '',
    tags: tags.join(', '),
    ...Object.fromEntries(attributes.map(([key, value]) => [attributeField(key), value])),
  }
}

/** The call that makes these changes, with the address that says whose contact it is. */
export function callOf(contact: WholeContact, changed: Partial<ContactDraft>) {
  const { email, phone, name, first_name, last_name, language, tags, ...rest } = changed
  const attributes = Object.entries(rest).flatMap(([field, value]) =>
    value === undefined
      ? []
      : [[field.slice('attributes.'.length), value as Value | null] as const],
  )
  return {
    ...(contact.email === null ? { phone: contact.phone ?? '' } : { email: contact.email }),
    ...(email !== undefined && { email: email.trim() }),
    ...(phone !== undefined && { phone: phone.trim() }),
    ...(name !== undefined && { name: name.trim() }),
    ...(first_name !== undefined && { first_name: first_name.trim() }),
    ...(last_name !== undefined && { last_name: last_name.trim() }),
    ...(language !== undefined && { language: language.trim() }),
    ...(tags !== undefined && tagChange(contact.tags, listOf(tags))),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  }
}

function tagChange(before: readonly string[], now: readonly string[]) {
  const gone = before.filter((tag) => !now.includes(tag))
  const added = now.filter((tag) => !before.includes(tag))
  return {
    ...(added.length > 0 && { tags: [...added] }),
    ...(gone.length > 0 && { remove_tags: gone }),
  }
}
