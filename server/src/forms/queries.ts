/** Statements on forms that several files share. Those on submissions have files of their own. */

import type { Id } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Form, FormDesign, FormField, FormStatus } from './form.ts'

export function insertForm(
  tx: Tx,
  businessId: Id<'business'>,
  form: FormDesign & { id: Id<'form'>; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into forms (business_id, id, name, status, fields, tags, page, double_opt_in,
      version, submission_count, created_at, updated_at)
    values (${businessId}, ${form.id}, ${form.name}, ${form.status},
      ${JSON.stringify(form.fields)}, ${form.tags}, ${JSON.stringify(form.page)},
      ${form.doubleOptIn}, 1, 0, ${form.now}, ${form.now})
  `)
}

/** Leaves the submission count alone, because submissions go on at the same time. */
export function updateForm(
  tx: Tx,
  businessId: Id<'business'>,
  form: FormDesign & { id: Id<'form'>; version: number; now: Date },
): Promise<number> {
  return tx.run(sql`
    update forms set name = ${form.name}, status = ${form.status},
      fields = ${JSON.stringify(form.fields)}, tags = ${form.tags},
      page = ${JSON.stringify(form.page)}, double_opt_in = ${form.doubleOptIn},
      version = ${form.version}, updated_at = ${form.now}
    where business_id = ${businessId} and id = ${form.id}
  `)
}

/** Returns the form and locks it until the transaction ends. */
export function lockForm(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'form'>,
): Promise<(FormDesign & { version: number }) | undefined> {
  return tx.maybe(sql`
    select name, status, fields, tags, page, double_opt_in as "doubleOptIn", version from forms
    where business_id = ${businessId} and id = ${id} for no key update
  `)
}

export function findForm(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'form'>,
): Promise<Form | undefined> {
  return db.maybe(sql`
    select id, name, status, fields, tags, page, double_opt_in as "doubleOptIn", version,
      submission_count as "submissionCount",
      case when guarded_until is null then guarded_since end as "guardedSince", created_at as "createdAt", updated_at as "updatedAt"
    from forms where business_id = ${businessId} and id = ${id}
  `)
}

export interface FormPage {
  status: FormStatus | null
  /** Lists only forms older than this one. */
  before: Id<'form'> | null
  limit: number
}

/** Lists forms, newest first. */
export function listForms(db: Db, businessId: Id<'business'>, page: FormPage): Promise<Form[]> {
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

/** The part of a form that a submission is checked against. */
export interface OpenForm {
  businessId: Id<'business'>
  id: Id<'form'>
  status: FormStatus
  fields: FormField[]
  tags: string[]
  doubleOptIn: boolean
  version: number
}

/**
 * Locks the forms of a flush in a fixed order, because their counts are about to change. Each form
 * is looked up separately (`lateral`). Otherwise PostgreSQL would keep a plan from when the table
 * was small, and read all of it.
 */
export function lockForms(
  tx: Tx,
  keys: { businessId: Id<'business'>; formId: Id<'form'> }[],
): Promise<OpenForm[]> {
  return tx.all(sql`
    select form.business_id as "businessId", form.id, form.status, form.fields, form.tags,
      form.double_opt_in as "doubleOptIn", form.version
    from (
      select * from unnest(
        ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.formId)}::uuid[]
      ) as key (business_id, id) order by business_id, id
    ) asked
    cross join lateral (
      select * from forms
      where forms.business_id = asked.business_id and forms.id = asked.id
      limit 1 for no key update
    ) form
  `)
}
