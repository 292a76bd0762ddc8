/**
 * What each type of field accepts. Answers arrive and are shown as strings (contract 9.3);
 * their parsed values are stored beside them.
 */
import { contactLimits, nameFields } from '../contacts/contact.ts'
import { isRefusal } from '../core/errors.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import { countryCodes } from '../lib/text/countries.ts'
import type { FieldType, FormField } from './form.ts'

/** The parsed value of an answer; for a `several-of` field, the chosen options. */
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
    takes: (field) => `any of these, parted by commas: ${listed(field)}`,
  },
  topics: {
    read: readSeveral,
    takes: (field) => `any of these topics, parted by commas: ${listed(field)}`,
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
export function nameFieldOf({ key, type }: FormField): (typeof nameFields)[number] | undefined {
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
