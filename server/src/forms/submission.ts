/** The submissions of forms: how they are listed, exported, moved with their people, and deleted. */

import type { RetainedData } from '../accounts/businesses/retention.ts'
import type { ConsentStatus } from '../contacts/contact.ts'
import type { PersonPage, PersonPart, PersonRow } from '../contacts/exporting/person-part.ts'
import type { MergedContact, PersonalData } from '../contacts/personal-data.ts'
import { type Id, lowestIdAt, parseId } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import { findForm, noSuchForm } from './form.ts'

/** A person's submission to a form. Only erasure and merging change it. */
export interface Submission {
  id: Id<'submission'>
  contactId: Id<'contact'>
  /** The version of the form's fields that the answers were checked against. */
  formVersion: number
  fields: Record<string, string>
  sourceUrl: string
  /** The person's consent now; null where the contact is gone. */
  emailConsent: ConsentStatus | null
  smsConsent: ConsentStatus | null
  createdAt: Date
}

interface SubmissionPage {
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

const perPage = 500

/** All answers to a form, page by page, newest first. */
export async function* exportSubmissions(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): AsyncGenerator<Submission[]> {
  for (let before: Id<'submission'> | null = null; ; ) {
    const page: Submission[] = await listSubmissions(db, businessId, formId, {
      before,
      limit: perPage,
    })
    if (page.length === 0) return
    yield page
    before = page.at(-1)?.id ?? null
  }
}

/** The form's id and the keys of its fields. */
export async function formKeysOf(
  db: Db,
  businessId: Id<'business'>,
  formId: string,
): Promise<{ id: Id<'form'>; keys: string[] }> {
  const id = parseId('form', formId)
  const form = id && (await findForm(db, businessId, id))
  if (form) return { id: form.id, keys: form.fields.map(({ key }) => key) }
  throw noSuchForm(formId)
}

export const submissionPersonPart: PersonPart = {
  name: 'submissions',
  tables: ['submissions'],
  page: (db, { businessId, contact }, page) =>
    submissionRows(db, { businessId, id: contact.id }, page),
}

/** One person's answers. They are found without an index, which would burden every submission. */
function submissionRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select s.id::text as key,
      to_jsonb(s) - '{business_id,contact_id,connection_id,call_id}'::text[] as row
    from submissions s
    where s.business_id = ${businessId} and s.contact_id = ${id} and s.id::text > ${after}
    order by s.id::text limit ${limit}
  `)
}

/**
 * Moves and erases the submissions of a contact. The forms' submission counts do not change,
 * because that many submissions were made.
 */
export const submissionPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveSubmissions(tx, moved)
  },
  async forget(tx, { businessId, contactIds }) {
    await deleteSubmissionsOf(tx, businessId, contactIds)
    return true
  },
}

/**
 * No index serves these two statements, because it would slow every submission for a rare request:
 * they read all submissions of the business.
 */
function moveSubmissions(tx: Tx, { businessId, from, to }: MergedContact): Promise<number> {
  return tx.run(sql`
    update submissions set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

function deleteSubmissionsOf(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  return tx.run(sql`
    delete from submissions
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
  `)
}

/** Submissions that are old enough are deleted; the contact and its timeline stay. */
export const retainedSubmissions: RetainedData = {
  kind: 'submissions',

  count: (db, { businessId, before }, limit) =>
    countOldSubmissions(db, { businessId, below: lowestIdAt('submission', before), limit }),

  async deleteSome(tx, { businessId, before, size }) {
    const below = lowestIdAt('submission', before)
    const count = await deleteOldSubmissions(tx, { businessId, below, limit: size })
    // Every row that a batch examines is deleted, so each batch starts again at the oldest row.
    return { count, next: count < size ? null : below }
  },
}

interface OldSubmissions {
  businessId: Id<'business'>
  /** The ids of older submissions are below this id. */
  below: Id<'submission'>
  limit: number
}

/** Ids grow with time, so the key finds the old submissions within a form. */
function old({ businessId, below, limit }: OldSubmissions): Sql {
  return sql`
    select s.form_id, s.id from forms f
    cross join lateral (
      select form_id, id from submissions
      where business_id = ${businessId} and form_id = f.id and id < ${below}
      order by id limit ${limit}
    ) s
    where f.business_id = ${businessId} limit ${limit}`
}

async function countOldSubmissions(db: Db, request: OldSubmissions): Promise<number> {
  const { n } = await db.one<{ n: number }>(sqlWithin`
    select count(*)::int as n from (${old(request)}) old
  `)
  return n
}

function deleteOldSubmissions(tx: Tx, request: OldSubmissions): Promise<number> {
  return tx.run(sqlWithin`
    delete from submissions
    where business_id = ${request.businessId} and (form_id, id) in (${old(request)})
  `)
}
