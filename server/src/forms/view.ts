/** A form as callers see it, and the ways in which callers refer to a form. */

import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { type Form, formField, formStatuses } from './form.ts'
import { formPage } from './form-page.ts'

/** The addresses of the hosted forms. `composition/` provides them. */
export interface FormAddresses {
  /** The public address of the web app, without a trailing slash. */
  appUrl: string
  /** The host name of the business's own domain, if it has one that leads here. */
  ownHostOf?(businessId: Id<'business'>): Promise<string | undefined>
}

/** The address under which the forms of a business are, without a trailing slash. */
export async function formsBase(
  { appUrl, ownHostOf }: FormAddresses,
  businessId: Id<'business'>,
): Promise<string> {
  const host = await ownHostOf?.(businessId)
  return host === undefined ? appUrl : `https://${host}`
}

export const formIdInput = Type.String({
  description: 'The form, frm_….',
  pattern: '^frm_[0-9a-hjkmnp-tv-z]{26}$',
})

export const formView = Type.Object({
  form_id: Type.String(),
  name: Type.String(),
  status: Type.Enum(formStatuses),
  fields: Type.Array(formField),
  tags: Type.Array(Type.String()),
  page: formPage,
  double_opt_in: Type.Boolean(),
  url: Type.String(),
  version: Type.Integer(),
  submission_count: Type.Integer(),
  guarded_since: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String(),
})

export type FormView = Static<typeof formView>

export function viewOf(form: Form, base: string): FormView {
  return {
    form_id: formatId('form', form.id),
    name: form.name,
    status: form.status,
    fields: form.fields,
    tags: form.tags,
    page: form.page,
    double_opt_in: form.doubleOptIn,
    url: urlOf(form.id, base),
    version: form.version,
    submission_count: form.submissionCount,
    guarded_since: form.guardedSince?.toISOString() ?? null,
    created_at: form.createdAt.toISOString(),
    updated_at: form.updatedAt.toISOString(),
  }
}

/** The address of the form's hosted page. Submissions that name no page have it as their source. */
export function urlOf(id: Id<'form'>, base: string): string {
  return `${base}/f/${formatId('form', id)}`
}

/** Another business's form gets the same refusal as one that never existed. */
export function noSuchForm(formId: string): Refusal {
  return refuse('not_found', `This business has no form ${formId}.`, {
    field: 'form_id',
    fix: { tool: 'form.list', arguments: {} },
  })
}
