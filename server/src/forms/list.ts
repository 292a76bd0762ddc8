import { operation } from '../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { Type } from '../lib/schema/schema.ts'
import { formStatuses } from './form.ts'
import { listForms } from './queries.ts'
import { type FormAddresses, formsBase, formView, viewOf } from './view.ts'

export function formList(addresses: FormAddresses) {
  return operation({
    name: 'form.list',
    title: 'List forms',
    area: 'forms',
    everyday: true,
    summary:
      'The forms of a business, newest first, with fields, status, URL and submission_count. To see what is new, meta.changes tells each submission; comparing submission_count does too. Free, changes nothing.',
    reach: 'business',
    scope: 'forms:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/forms',
    input: {
      status: Type.Optional(Type.Enum(formStatuses, { description: 'Only these.' })),
      ...pageInput,
    },
    output: Type.Object({ forms: Type.Array(formView), next_cursor: nextCursor }),

    async run({ db, business }, { status, ...paging }) {
      const page = pageOf('form', paging)
      const rows = await listForms(db, business.id, { ...page, status: status ?? null })
      const base = await formsBase(addresses, business.id)
      const { shown, next } = pageFrom('form', rows, page, (form) => viewOf(form, base))
      return { forms: shown.map((form) => viewOf(form, base)), ...next }
    },
  })
}
