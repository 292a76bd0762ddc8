/** Answers to a form: what each type of field takes, and the contact that they describe. */
import { contactLimits, nameFields, type Person } from '../contacts/contact.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import { countryCodes } from '../lib/text/countries.ts'
import {
  addressField,
  addressTypes,
  channelOf,
  emailConsentField,
  type FieldType,
  type FormField,
} from './form.ts'

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

/** The most characters of a browser's name that are stored. */
const agentLength = 500

/**
 * The parsed value of an answer. Answers arrive and are shown as strings (contract 9.3); their parsed
 * values are stored beside them. For a `several-of` field, the chosen options.
 */
export type AnswerValue = string | number | boolean | string[]

/** The most characters of an answer, by type; the contact must be able to store it. */
export const answerLengths = {
  line: 1_000,
  name: contactLimits.nameLength,
  textarea: contactLimits.attributeLength,
  url: 2_000,
} as const

interface TypeRules {
  /** Parses a text that is not blank; undefined if it is not valid. */
  read(text: string, field: FormField): AnswerValue | undefined
  /** What would be valid: the end of the sentence "fields.x must be …". */
  takes(field: FormField): string
}

const line: TypeRules = {
  read: (text, field) =>
    text.length <= lineLength(field) && !hasControlCharacters(text) ? text : undefined,
  takes: (field) => `one line of at most ${lineLength(field)} characters`,
}

const oneOf: TypeRules = {
  read: (text, { options = [] }) => (options.includes(text) ? text : undefined),
  takes: (field) => `one of ${listed(field)}`,
}

const rules: Record<FieldType, TypeRules> = {
  text: line,
  hidden: line,
  textarea: {
    read: (text) =>
      text.length <= answerLengths.textarea && !hasControlCharacters(text.replace(/[\t\r\n]/g, ''))
        ? text
        : undefined,
    takes: () => `text of at most ${answerLengths.textarea} characters`,
  },
  email: {
    read: (text) => unlessRefused(normaliseEmail(text)),
    takes: () => 'an email address such as ana@example.com',
  },
  phone: {
    read: (text) => unlessRefused(normalisePhone(text)),
    takes: () => 'a phone number with its country code, such as +33 6 12 34 56 78',
  },
  number: { read: readNumber, takes: () => 'a number such as 12 or -3.5' },
  country: {
    read: readCountry,
    takes: () => 'a country by its ISO 3166-1 code of two letters, such as FR',
  },
  rating: { read: readRating, takes: () => `a whole number from 1 to ${highestRating}` },
  date: { read: readDate, takes: () => 'a day as YYYY-MM-DD, such as 2026-11-20' },
  select: oneOf,
  radio: oneOf,
  'several-of': {
    read: readSeveral,
    takes: (field) => `any of these, separated by commas: ${listed(field)}`,
  },
  topics: {
    read: readSeveral,
    takes: (field) => `any of these topics, separated by commas: ${listed(field)}`,
  },
  boolean: { read: readBoolean, takes: () => 'true or false' },
  consent: {
    read: readBoolean,
    takes: ({ required }) => (required ? 'true: it is needed to submit' : 'true or false'),
  },
  url: {
    read: readUrl,
    takes: () =>
      `a URL that starts with http:// or https://, of at most ${answerLengths.url} characters`,
  },
}

/** Parses the text as an answer to the field; undefined if it is not valid. */
export function readAnswer(field: FormField, text: string): AnswerValue | undefined {
  const value = rules[field.type].read(text.trim(), field)
  // Answering no does not give a required consent.
  return field.type === 'consent' && field.required && value === false ? undefined : value
}

/** Whether a text field takes fewer characters; anything else that is wrong is not looked at. */
export function isTooLong(field: FormField, text: string): boolean {
  if (field.type === 'textarea') return text.length > answerLengths.textarea
  return (field.type === 'text' || field.type === 'hidden') && text.length > lineLength(field)
}

/** What the field accepts, for a refusal: the end of the sentence "fields.x must be …". */
export function acceptedValues(field: FormField): string {
  return rules[field.type].takes(field)
}

export function readUrl(text: string): string | undefined {
  const fits = text.length <= answerLengths.url && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)
  return fits && URL.canParse(text) ? text : undefined
}

/**
 * The contact's name, or the part of it, that the field fills: a text field with the key `name`,
 * `first_name` or `last_name`. They have lower limits of characters.
 */
function nameFieldOf({ key, type }: FormField): (typeof nameFields)[number] | undefined {
  return type === 'text' ? nameFields.find((nameField) => nameField === key) : undefined
}

function lineLength(field: FormField): number {
  const nameField = nameFieldOf(field)
  if (!nameField) return answerLengths.line
  return nameField === 'name' ? answerLengths.name : contactLimits.namePartLength
}

function readNumber(text: string): number | undefined {
  const fits = text.length <= 64 && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
  const number = Number(text)
  return fits && Number.isFinite(number) ? number : undefined
}

function readDate(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  // Date accepts 30 February as a day in March, so the result is compared with the text.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined
}

/** The best mark of a rating; the worst is 1. */
export const highestRating = 5

function readRating(text: string): number | undefined {
  const mark = readNumber(text)
  return mark !== undefined && Number.isInteger(mark) && mark >= 1 && mark <= highestRating
    ? mark
    : undefined
}

function readCountry(text: string): string | undefined {
  const code = text.toUpperCase()
  return countryCodes.includes(code) ? code : undefined
}

function readSeveral(text: string, { options = [] }: FormField): string[] | undefined {
  const chosen = new Set(text.split(',').map((part) => part.trim()))
  const chosenOptions = options.filter((option) => chosen.has(option))
  return chosenOptions.length === chosen.size ? chosenOptions : undefined
}

const yes = ['true', 'on', 'yes', '1']
const no = ['false', 'off', 'no', '0']

function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (yes.includes(word)) return true
  return no.includes(word) ? false : undefined
}

function hasControlCharacters(text: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text)
}

function unlessRefused(value: string | Error): string | undefined {
  return isRefusal(value) ? undefined : (value as string)
}

const optionsShown = 20

function listed({ options = [] }: FormField): string {
  const more = options.length - optionsShown
  return `${options.slice(0, optionsShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
