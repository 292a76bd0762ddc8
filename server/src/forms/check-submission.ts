import type { ContactToSave } from '../contacts/contact.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Hmac, Tier } from '../core/operation.ts'
import type { Origin } from '../events/emit.ts'
import { type Answers, readAnswers } from './answers.ts'
import { type ContactOptions, contactFromAnswers } from './contact-from-answers.ts'
import type { OpenForm } from './queries.ts'
import { noSuchForm } from './view.ts'

export interface SubmissionToSave extends ContactOptions {
  businessId: Id<'business'>
  tier: Tier
  formId: Id<'form'>
  fields: Record<string, string>
  sourceUrl: string
  origin: Origin
  /** Recognises the addresses of erased people. */
  hmac: Hmac
}

/** A submission that passed its form's checks, with the contact that it makes or changes. */
export interface CheckedSubmission {
  item: SubmissionToSave
  form: OpenForm
  answers: Answers
  contact: ContactToSave
}

/** Checks a submission against its form. */
export function checkSubmission(
  form: OpenForm | undefined,
  item: SubmissionToSave,
): CheckedSubmission | Refusal {
  if (!form) return noSuchForm(formatId('form', item.formId))
  if (form.status !== 'published') return notOpen(form)
  const answers = readAnswers(form.fields, item.fields)
  if (isRefusal(answers)) return answers
  const { businessId, tier, origin, hmac } = item
  const contact: ContactToSave = {
    ...contactFromAnswers(form, answers.values, {
      ...item,
      page: item.sourceUrl,
      formVersion: form.version,
      doubleOptIn: form.doubleOptIn,
    }),
    tags: form.tags,
    businessId,
    tier,
    source: 'form',
    origin,
    hmac,
  }
  return { item, form, answers, contact }
}

function notOpen({ id, status }: OpenForm): Refusal {
  const form_id = formatId('form', id)
  const is = status === 'draft' ? 'a draft' : 'archived'
  const message = `The form is ${is}; only a published form accepts submissions.`
  return refuse('conflict', message, {
    field: 'form_id',
    fix: { tool: 'form.save', arguments: { form_id, status: 'published' } },
    data: { status },
  })
}
