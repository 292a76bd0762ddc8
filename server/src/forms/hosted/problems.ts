/** Finds the problems of a visitor's answers, field by field, with sentences in every language. */
import type { RecipientWords } from '../../core/recipient-words/words.ts'
import { readAnswer } from '../field-types.ts'
import { addressField, addressTypes, channelOf, type FieldType, type FormField } from '../form.ts'

/** The key of the catalogue's sentence that describes the problem. */
export type Problem = Extract<
  keyof RecipientWords['form'],
  'missing' | 'email' | 'phone' | 'number' | 'date' | 'url' | 'choice' | 'tooLong' | 'consentNeeded'
>

const problemOfType: Partial<Record<FieldType, Problem>> = {
  email: 'email',
  phone: 'phone',
  number: 'number',
  date: 'date',
  url: 'url',
  consent: 'consentNeeded',
  text: 'tooLong',
  textarea: 'tooLong',
  hidden: 'tooLong',
}

/** Returns all problems by the field's key, whereas `readAnswers` returns only the first. */
export function findProblems(
  fields: readonly FormField[],
  answers: Readonly<Record<string, string>>,
): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const field of fields) {
    const text = answers[field.key]?.trim() ?? ''
    if (text === '') {
      if (field.required) {
        problems.set(field.key, field.type === 'consent' ? 'consentNeeded' : 'missing')
      }
      continue
    }
    if (readAnswer(field, text) === undefined) {
      problems.set(field.key, problemOfType[field.type] ?? 'choice')
    }
  }
  for (const field of fields) {
    if (field.type !== 'consent' || readAnswer(field, answers[field.key] ?? '') !== true) continue
    const type = addressTypes[channelOf(field, fields)]
    const address = type && addressField(fields, type)
    if (address && (answers[address.key]?.trim() ?? '') === '') problems.set(address.key, 'missing')
  }
  return problems
}
