/** Every statement on submissions. */

import type { Id } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Submission } from './submission.ts'

export interface SubmissionRow {
  businessId: Id<'business'>
  formId: Id<'form'>
  id: Id<'submission'>
  contactId: Id<'contact'>
  formVersion: number
  /** JSON text. */
  fields: string
  /** JSON text. */
  answers: string
  sourceUrl: string
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** Adds the rows and updates their forms' counts in one statement, so that the two always agree. */
export function insertSubmissions(tx: Tx, rows: SubmissionRow[], now: Date): Promise<number> {
  return tx.run(sql`
    with incoming (business_id, form_id, id, contact_id, form_version, fields, answers,
      source_url, connection_id, call_id) as (
      select * from unnest(
        ${rows.map((row) => row.businessId)}::uuid[],
        ${rows.map((row) => row.formId)}::uuid[],
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.contactId)}::uuid[],
        ${rows.map((row) => row.formVersion)}::integer[],
        ${rows.map((row) => row.fields)}::json[],
        ${rows.map((row) => row.answers)}::json[],
        ${rows.map((row) => row.sourceUrl)}::text[],
        ${rows.map((row) => row.connectionId)}::uuid[],
        ${rows.map((row) => row.callId)}::uuid[]
      )
    ), counted as (
      update forms set submission_count = forms.submission_count + more.n
      from (
        select business_id, form_id, count(*) as n from incoming group by business_id, form_id
      ) more
      where forms.business_id = more.business_id and forms.id = more.form_id
    )
    insert into submissions (business_id, form_id, id, contact_id, form_version, fields, answers,
      source_url, connection_id, call_id, created_at)
    select business_id, form_id, id, contact_id, form_version, fields, answers,
      source_url, connection_id, call_id, ${now}
    from incoming
  `)
}

export interface SubmissionPage {
  /** Lists only submissions older than this one. */
  before: Id<'submission'> | null
  limit: number
}

/** Lists submissions, newest first. */
export function listSubmissions(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
  { before, limit }: SubmissionPage,
): Promise<Submission[]> {
  return db.all(sql`
    select s.id, s.contact_id as "contactId", s.form_version as "formVersion", s.fields,
      s.source_url as "sourceUrl", s.created_at as "createdAt",
      c.email_consent as "emailConsent", c.sms_consent as "smsConsent"
    from submissions s
    left join contacts c on c.business_id = s.business_id and c.id = s.contact_id
    where s.business_id = ${businessId} and s.form_id = ${formId}
      and s.id < ${before ?? highestId}
    order by s.id desc limit ${limit}
  `)
}
