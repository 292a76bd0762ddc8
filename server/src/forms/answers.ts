import type { Person } from '../contacts/contact.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type AnswerValue, acceptedValues, nameFieldOf, readAnswer } from './field-types.ts'
import { addressField, addressTypes, channelOf, emailConsentField, type FormField } from './form.ts'

/** The most characters that all answers of one submission may have together. */
export const maxAnswersLength = 50_000

export interface Answers {
  /** The answers as they were given, by key; events and lists show these. */
  fields: Record<string, string>
  /** The parsed values by key; a field left blank has none. */
  values: ReadonlyMap<string, AnswerValue>
}

/** Checks answers against a form; the refusal names the first one that is not valid. */
export function readAnswers(
  fields: readonly FormField[],
  input: Readonly<Record<string, string>>,
): Answers | Refusal {
  const unknown = findUnknown(fields, input)
  if (unknown) return unknown
  const texts: [string, string][] = []
  const values = new Map<string, AnswerValue>()
  let length = 0
  for (const field of fields) {
    // A form may use a key that every object inherits, such as toString.
    const text = Object.hasOwn(input, field.key) ? input[field.key] : undefined
    if (text === undefined || text.trim() === '') {
      if (field.required)
        return refuseAnswer(field, `is missing: it must be ${acceptedValues(field)}.`, {
          reason: 'missing',
        })
      if (text !== undefined) texts.push([field.key, text])
      continue
    }
    const value = readAnswer(field, text)
    if (value === undefined) return refuseAnswer(field, `must be ${acceptedValues(field)}.`)
    values.set(field.key, value)
    texts.push([field.key, Array.isArray(value) ? value.join(', ') : text])
    length += text.length
  }
  if (length > maxAnswersLength) {
    const message = `The answers have ${length} characters together; at most ${maxAnswersLength} are accepted.`
    return refuse('too_large', message, {
      field: 'fields',
      data: { reason: 'answers_too_long', limit: maxAnswersLength },
    })
  }
  return findMissingAddress(fields, values) ?? { fields: Object.fromEntries(texts), values }
}

function findUnknown(
  fields: readonly FormField[],
  input: Readonly<Record<string, string>>,
): Refusal | undefined {
  const names = new Set(fields.map(({ key }) => key))
  const unknown = Object.keys(input).find((key) => !names.has(key))
  if (unknown === undefined) return undefined
  const field = `fields.${unknown.length > 80 ? `${unknown.slice(0, 80)}…` : unknown}`
  const message = `${field} is not a field of this form. Its fields: ${[...names].join(', ')}.`
  return refuse('invalid_request', message, { field, data: { reason: 'unknown_field' } })
}

/** Consent to a channel needs an answer that gives the address or number. */
function findMissingAddress(
  fields: readonly FormField[],
  values: ReadonlyMap<string, AnswerValue>,
): Refusal | undefined {
  for (const field of fields) {
    if (field.type !== 'consent' || values.get(field.key) !== true) continue
    const type = addressTypes[channelOf(field, fields)]
    const address = type && addressField(fields, type)
    if (address && !values.has(address.key)) {
      return refuseAnswer(
        address,
        `is missing: fields.${field.key} is consent for that address, so it is required.`,
        { reason: 'missing' },
      )
    }
  }
  return undefined
}

function refuseAnswer(
  { key }: FormField,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `fields.${key} ${rule}`, { field: `fields.${key}`, data })
}

/** The most characters of a browser's name that are stored. */
const agentLength = 500

export interface ContactOptions {
  /** The page that the form was on, and the version of its fields, as evidence of consent. */
  page?: string
  formVersion?: number
  /** Whether the answers came from the form's own page, which shows its boxes empty. */
  byOwnPage?: boolean
  /** The address and the browser of a visitor who submitted the form in person. */
  visitor?: { address: string; agent: string | undefined }
  /** The text that the visitor read if it was not the label itself, by the field's key. */
  consentTexts?: Readonly<Record<string, string>>
  byFirstAddress?: boolean
  /** Whether email consent must first be confirmed by mail. */
  doubleOptIn?: boolean
  /** Whether no challenge was solved on a guarded form. */
  unproven?: boolean
  /** The language of the page that the visitor read (BCP 47). */
  language?: string
}

/** The chosen topics; undefined if none was chosen, which means consent to everything. */
function topicsChosen(
  fields: readonly FormField[],
  values: ReadonlyMap<string, AnswerValue>,
): readonly string[] | undefined {
  const field = fields.find(({ type }) => type === 'topics')
  const chosen = field && values.get(field.key)
  return Array.isArray(chosen) ? chosen : undefined
}

/**
 * Whether the purpose of the form is its consent: the box is required, or the form asks only who
 * the person is. A person who submits another form, such as an enquiry, is known for that too.
 */
function isSignUp(fields: readonly FormField[]): boolean {
  if (emailConsentField(fields)?.required) return true
  const plain = ['email', 'phone', 'consent', 'topics', 'hidden']
  return fields.every((field) => plain.includes(field.type) || nameFieldOf(field))
}

/**
 * Derives the contact from the answers. The first email and the first phone field give the
 * addresses, and a text field with the key `name`, `first_name` or `last_name` gives the name or that
 * part of it. Consent is recorded in the ledger with the text that was agreed to, and everything else
 * becomes attributes. A field left blank changes nothing, and an unticked consent field withdraws
 * nothing. `visitor` becomes evidence of consent. With `byFirstAddress` the phone number of a person
 * who gave an email address is only an answer.
 */
export function contactFromAnswers(
  { id, fields }: { id: Id<'form'>; fields: readonly FormField[] },
  values: ReadonlyMap<string, AnswerValue>,
  options: ContactOptions = {},
): Person {
  const {
    visitor,
    consentTexts = {},
    byFirstAddress = false,
    page,
    formVersion,
    byOwnPage,
  } = options
  const source = `form ${formatId('form', id)}`
  const email = addressField(fields, 'email')
  const withPhone = !byFirstAddress || !email || !values.has(email.key)
  const phone = withPhone ? addressField(fields, 'phone') : undefined
  const person: Person = {}
  const topics = topicsChosen(fields, values)
  const attributes: [string, string | number | boolean][] = []
  for (const field of fields) {
    const value = values.get(field.key)
    if (value === undefined) continue
    const nameField = nameFieldOf(field)
    if (field === email) person.email = String(value)
    else if (field === phone) person.phone = String(value)
    else if (nameField) person[nameField] = String(value)
    else if (field.type === 'topics') continue
    else if (field.type !== 'consent') {
      attributes.push([field.key, Array.isArray(value) ? value.join(', ') : value])
    } else if (value === true) {
      const channel = channelOf(field, fields)
      if (channel === 'sms' && !withPhone) continue
      const choice = {
        status:
          channel === 'email' && options.doubleOptIn
            ? ('pending' as const)
            : ('subscribed' as const),
        source,
        text: consentTexts[field.key] ?? field.label,
        ...(page !== undefined && { page }),
        ...(formVersion !== undefined && { formVersion }),
        box: byOwnPage ? ('ticked' as const) : ('sent' as const),
        ...(!isSignUp(fields) && { keepsContact: true }),
        ...(channel === 'email' && topics && { topics }),
        ...(options.unproven && { unproven: true }),
        ...(options.doubleOptIn && { formId: id }),
        ...(options.language !== undefined && { language: options.language }),
        ...(visitor && { ip: visitor.address }),
        ...(visitor?.agent !== undefined && { agent: visitor.agent.slice(0, agentLength) }),
      }
      person.consent = { ...person.consent, [channel]: choice }
    }
  }
  // Built from entries, because a form's key may be a name that every object inherits.
  return attributes.length > 0 ? { ...person, attributes: Object.fromEntries(attributes) } : person
}
