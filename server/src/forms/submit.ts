import { refuse } from '../core/errors.ts'
import { formatId, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { answerLengths, readUrl } from './field-types.ts'
import { type FormAddresses, formIdInput, formsBase, noSuchForm, urlOf } from './form.ts'
import { saveSubmissions } from './save-submissions.ts'

export function formSubmit(addresses: FormAddresses) {
  return operation({
    name: 'form.submit',
    title: 'Submit a form',
    area: 'forms',
    everyday: true,
    summary:
      'Submit answers to a published form for the person they name: the contact is found or made, consent recorded (where the form has double_opt_in, pending: a mail asks to confirm), form.submitted announced. Each call is a submission of its own; with an idempotency_key it is so once. form.get tells the keys.',
    reach: 'business',
    scope: 'forms:write',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/forms/:form_id/submissions',
    status: 201,
    input: {
      form_id: formIdInput,
      fields: Type.Unsafe<Record<string, string>>({
        type: 'object',
        description:
          'Answers as strings by key: several-of options parted by commas, boolean and consent true or false, date YYYY-MM-DD, country FR, rating 1 to 5.',
        additionalProperties: { type: 'string' },
      }),
      source_url: Type.Optional(
        Type.String({
          maxLength: answerLengths.url,
          description: "Page the form was on, http(s); default: the form's hosted page.",
        }),
      ),
    },
    output: Type.Object({ submission_id: Type.String(), contact_id: Type.String() }),

    async run({ batch, business, origin, hmac }, { form_id, fields, source_url }) {
      const formId = parseId('form', form_id)
      if (!formId) throw noSuchForm(form_id)
      const sourceUrl =
        source_url === undefined
          ? urlOf(formId, await formsBase(addresses, business.id))
          : readUrl(source_url)
      if (sourceUrl === undefined) {
        const text = 'source_url must be a URL that starts with http:// or https://.'
        throw refuse('invalid_request', text, {
          field: 'source_url',
          data: { reason: 'no_web_address' },
        })
      }
      const { id: businessId, tier } = business
      const item = { businessId, tier, formId, fields, sourceUrl, origin, hmac }
      const saved = await batch(saveSubmissions, item)
      return {
        submission_id: formatId('submission', saved.id),
        contact_id: formatId('contact', saved.contactId),
      }
    },
  })
}
