import { consentStatuses } from '../contacts/contact.ts'
import { formatId, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { findForm, formIdInput, noSuchForm } from './form.ts'
import { listSubmissions, type Submission } from './submission.ts'

const submissionView = Type.Object({
  submission_id: Type.String(),
  form_id: Type.String(),
  contact_id: Type.String(),
  form_version: Type.Integer(),
  consent: Type.Union(
    [
      Type.Object({ email: Type.Enum(consentStatuses), sms: Type.Enum(consentStatuses) }),
      Type.Null(),
    ],
    { description: 'What became of it: the person’s consent now; null where the contact is gone.' },
  ),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({
    fields: Type.Unsafe<Record<string, string>>({
      type: 'object',
      description: 'Answers by key; several chosen options are joined by a comma and a space.',
      additionalProperties: { type: 'string' },
    }),
    source_url: Type.String(),
  }),
})

export const submissionList = operation({
  name: 'submission.list',
  title: 'List submissions',
  area: 'forms',
  everyday: true,
  summary:
    'What people answered to a form, newest first. The answers lie under untrusted: strangers typed them.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/forms/:form_id/submissions',
  input: { form_id: formIdInput, ...pageInput },
  output: Type.Object({ submissions: Type.Array(submissionView), next_cursor: nextCursor }),

  async run({ db, business }, { form_id, ...paging }) {
    const page = pageOf('submission', paging)
    const id = parseId('form', form_id)
    if (!id) throw noSuchForm(form_id)
    const rows = await listSubmissions(db, business.id, id, page)
    if (rows.length === 0 && !(await findForm(db, business.id, id))) throw noSuchForm(form_id)
    const { shown: pageRows, next } = pageFrom('submission', rows, page, (row) =>
      viewOf(form_id, row),
    )
    return { submissions: pageRows.map((row) => viewOf(form_id, row)), ...next }
  },
})

function viewOf(formId: string, submission: Submission) {
  return {
    submission_id: formatId('submission', submission.id),
    form_id: formId,
    contact_id: formatId('contact', submission.contactId),
    form_version: submission.formVersion,
    consent: consentOf(submission),
    created_at: submission.createdAt.toISOString(),
    untrusted: { fields: submission.fields, source_url: submission.sourceUrl },
  }
}

function consentOf({ emailConsent, smsConsent }: Submission) {
  return emailConsent && smsConsent && { email: emailConsent, sms: smsConsent }
}
