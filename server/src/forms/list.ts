import type { Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { highestId, nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  type Form,
  type FormAddresses,
  type FormStatus,
  formStatuses,
  formsBase,
  formView,
  viewOf,
} from './form.ts'

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
      const { shown: pageRows, next } = pageFrom('form', rows, page, (form) => viewOf(form, base))
      return { forms: pageRows.map((form) => viewOf(form, base)), ...next }
    },
  })
}

interface FormPage {
  status: FormStatus | null
  /** Lists only forms older than this one. */
  before: Id<'form'> | null
  limit: number
}

/** Lists forms, newest first. */
function listForms(db: Db, businessId: Id<'business'>, page: FormPage): Promise<Form[]> {
  return db.all(sql`
    select id, name, status, fields, tags, page, double_opt_in as "doubleOptIn", version,
      submission_count as "submissionCount",
      case when guarded_until is null then guarded_since end as "guardedSince", created_at as "createdAt", updated_at as "updatedAt"
    from forms
    where business_id = ${businessId}
      and (${page.status}::text is null or status = ${page.status})
      and id < ${page.before ?? highestId}
    order by id desc limit ${page.limit}
  `)
}
