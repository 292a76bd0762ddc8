import { type Refusal, refuse } from '../core/errors.ts'
import { type AnswerValue, acceptedValues, readAnswer } from './field-types.ts'
import { addressField, addressTypes, channelOf, type FormField } from './form.ts'

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
