import type { Person } from '../contacts/model/contact.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type AnswerValue, isNameField } from './field-types.ts'
import { addressField, channelOf, type FormField } from './form.ts'

/**
 * Derives the contact from the answers. The first email and the first phone field give the
 * addresses, and a text field with the key `name` gives the name. Consent goes to the ledger with
 * the text that was agreed to, and everything else becomes attributes. A field left blank changes
 * nothing, and an unticked consent field withdraws nothing.
 */
export function contactFromAnswers(
  { id, fields }: { id: Id<'form'>; fields: readonly FormField[] },
  values: ReadonlyMap<string, AnswerValue>,
): Person {
  const source = `form ${formatId('form', id)}`
  const email = addressField(fields, 'email')
  const phone = addressField(fields, 'phone')
  const person: Person = {}
  const attributes: [string, string | number | boolean][] = []
  for (const field of fields) {
    const value = values.get(field.key)
    if (value === undefined) continue
    if (field === email) person.email = String(value)
    else if (field === phone) person.phone = String(value)
    else if (isNameField(field)) person.name = String(value)
    else if (field.type !== 'consent') {
      attributes.push([field.key, Array.isArray(value) ? value.join(', ') : value])
    } else if (value === true) {
      const given = { status: 'subscribed' as const, source, text: field.label }
      person.consent = { ...person.consent, [channelOf(field, fields)]: given }
    }
  }
  // Built from entries, because a form's key may be a name that every object inherits.
  return attributes.length > 0 ? { ...person, attributes: Object.fromEntries(attributes) } : person
}
