/** A form as callers see it, and how it is asked for. */

import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { type Form, formField, formStatuses } from './form.ts'

/** Where hosted forms are; `composition/` fills it from the settings. */
export interface FormAddresses {
  /** Public address of the web app, without a trailing slash. */
  appUrl: string
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
  version: Type.Integer({ description: 'Counts changes of the fields.' }),
  submission_count: Type.Integer({ description: 'All submissions so far, exactly.' }),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC; submissions do not change it.' }),
})

export type FormView = Static<typeof formView>

export function viewOf(form: Form): FormView {
  return {
    form_id: formatId('form', form.id),
    name: form.name,
    status: form.status,
    fields: form.fields,
    tags: form.tags,
    version: form.version,
    submission_count: form.submissionCount,
    created_at: form.createdAt.toISOString(),
    updated_at: form.updatedAt.toISOString(),
  }
}

/** Where the form's hosted page will be: where answers come from that name no page. */
export function urlOf(id: Id<'form'>, appUrl: string): string {
  return `${appUrl}/f/${formatId('form', id)}`
}

/** Another business's form is answered in the same words as one that never was. */
export function noSuchForm(formId: string): Refusal {
  return refuse('not_found', `This business has no form ${formId}.`, {
    field: 'form_id',
    fix: { tool: 'form.list', arguments: {} },
  })
}
