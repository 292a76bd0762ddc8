import { readAnswer } from '../field-types.ts'
import { emailConsentField } from '../form.ts'
import type { HostedForm } from './hosted-form.ts'

/**
 * Whether the page asks the visitor to look for a confirmation mail. This depends only on the form
 * and the visitor's answers: whether a mail is really sent would reveal whom the business knows.
 */
export function asksToConfirm(
  { doubleOptIn, fields }: Pick<HostedForm, 'doubleOptIn' | 'fields'>,
  answers: Readonly<Record<string, string>>,
): boolean {
  const consent = emailConsentField(fields)
  return (
    doubleOptIn && consent !== undefined && readAnswer(consent, answers[consent.key] ?? '') === true
  )
}
