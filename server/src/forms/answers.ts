import { type Refusal, refuse } from '../core/errors.ts'
import { type AnswerValue, readAnswer, whatItTakes } from './field-types.ts'
import { addressField, addressTypes, channelOf, type FormField } from './form.ts'

/** Characters of one submission's answers at most, all together. */
export const answersLength = 50_000

export interface Answers {
  /** As they were given, key by key: what events and lists tell. */
  fields: Record<string, string>
  /** What they mean; a field that was left blank has none. */
  values: ReadonlyMap<string, AnswerValue>
}

/** Checks answers against a form; the first that does not fit is named. */
export function readAnswers(
  fields: readonly FormField[],
  given: Readonly<Record<string, string>>,
): Answers | Refusal {
  const unknown = findUnknown(fields, given)
  if (unknown) return unknown
  const texts: [string, string][] = []
  const values = new Map<string, AnswerValue>()
  let length = 0
  for (const field of fields) {
    // A form's key may be a name that every object inherits, such as toString.
    const text = Object.hasOwn(given, field.key) ? given[field.key] : undefined
    if (text === undefined || text.trim() === '') {
      if (field.required) return no(field, `is missing: it takes ${whatItTakes(field)}.`)
      if (text !== undefined) texts.push([field.key, text])
      continue
    }
    const value = readAnswer(field, text)
    if (value === undefined) return no(field, `takes ${whatItTakes(field)}.`)
    values.set(field.key, value)
    texts.push([field.key, Array.isArray(value) ? value.join(', ') : text])
    length += text.length
  }
  if (length > answersLength) {
    const message = `The answers have ${length} characters together; at most ${answersLength} are taken.`
    return refuse('too_large', message, { field: 'fields' })
  }
  return findUnreachable(fields, values) ?? { fields: Object.fromEntries(texts), values }
}

function findUnknown(
  fields: readonly FormField[],
  given: Readonly<Record<string, string>>,
): Refusal | undefined {
  const known = new Set(fields.map(({ key }) => key))
  const unknown = Object.keys(given).find((key) => !known.has(key))
  if (unknown === undefined) return undefined
  const field = `fields.${unknown.length > 80 ? `${unknown.slice(0, 80)}…` : unknown}`
  const message = `${field} is not a field of this form. Its fields: ${[...known].join(', ')}.`
  return refuse('invalid_request', message, { field })
}

/** Consent to a channel needs the address it is for. */
function findUnreachable(
  fields: readonly FormField[],
  values: ReadonlyMap<string, AnswerValue>,
): Refusal | undefined {
  for (const field of fields) {
    if (field.type !== 'consent' || values.get(field.key) !== true) continue
    const address = addressField(fields, addressTypes[channelOf(field, fields)])
    if (address && !values.has(address.key)) {
      return no(address, `is missing: fields.${field.key} agrees to be written to there.`)
    }
  }
  return undefined
}

function no({ key }: FormField, rule: string): Refusal {
  return refuse('invalid_request', `fields.${key} ${rule}`, { field: `fields.${key}` })
}
