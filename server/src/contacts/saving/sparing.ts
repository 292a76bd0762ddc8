/** Reduces a person to what may be saved where an existing contact is to be spared. */
import {
  type ContactToSave,
  type ContactValues,
  consentSubjects,
  type Person,
  textFields,
} from '../contact.ts'

/**
 * With `keep`, only opt-outs are applied; with `fill_blanks`, only what the contact lacks is added.
 * An opt-out always counts, whatever the caller requested.
 */
export function sparing(before: ContactValues, item: ContactToSave): Person {
  if (item.existing === undefined) return item
  const person: Person = {}
  const consent = consentOf(before, item)
  if (consent) person.consent = consent
  if (item.existing === 'keep') return person
  if (before.email === null && item.email !== undefined) person.email = item.email
  if (before.phone === null && item.phone !== undefined) person.phone = item.phone
  for (const field of textFields) {
    const text = item[field]
    if (before[field] === null && text !== undefined) person[field] = text
  }
  if (item.tags) person.tags = item.tags
  if (item.attributes) {
    const missing = Object.entries(item.attributes).filter(([key, value]) => {
      return value !== null && !Object.hasOwn(before.attributes, key)
    })
    person.attributes = Object.fromEntries(missing)
  }
  return person
}

function consentOf(before: ContactValues, item: ContactToSave): Person['consent'] {
  const { existing, consent } = item
  const kept = consentSubjects.flatMap((channel) => {
    const given = consent?.[channel]
    const isMissing = existing === 'fill_blanks' && before.consent[channel] === 'none'
    return given && (given.status === 'unsubscribed' || isMissing) ? [[channel, given]] : []
  })
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
