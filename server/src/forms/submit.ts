import type { ContactToSave, SavedContact } from '../contacts/contact.ts'
import { saveContacts } from '../contacts/save.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { type Hmac, operation, type SetWrite, type Tier } from '../core/operation.ts'
import { emitAll, type NewEvent, type Origin } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  type Answers,
  answerLengths,
  type ContactOptions,
  contactFromAnswers,
  readAnswers,
  readUrl,
} from './answers.ts'
import {
  addressField,
  type FormAddresses,
  type FormField,
  type FormStatus,
  formIdInput,
  formsBase,
  noSuchForm,
  urlOf,
} from './form.ts'

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
          'Answers as strings by key: several-of options separated by commas, boolean and consent true or false, date YYYY-MM-DD, country FR, rating 1 to 5.',
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

interface SavedSubmission {
  id: Id<'submission'>
  contactId: Id<'contact'>
}

interface Accepted extends CheckedSubmission, SavedSubmission {}

/**
 * Saves submissions with their contacts. Each form is locked once for the flush, so that the
 * checked state and the counted state agree, however many people submit to it at the same time.
 */
export const saveSubmissions: SetWrite<SubmissionToSave, SavedSubmission> = {
  name: 'form.submit',
  keyOf: keyOfForm,
  businessOf: ({ businessId }) => businessId,

  async save(tx, items, now, optimistic) {
    const outcomes: (SavedSubmission | Refusal)[] = Array.from({ length: items.length })
    const forms = await lockFormsOf(tx, items)
    const submissions: (CheckedSubmission & { index: number })[] = []
    for (const [index, item] of items.entries()) {
      const submission = checkSubmission(forms.get(keyOfForm(item)), item)
      if (isRefusal(submission)) outcomes[index] = submission
      else submissions.push({ ...submission, index })
    }
    const accepted: Accepted[] = []
    const contacts = await saveContactsOf(tx, submissions, { now, optimistic })
    for (const [i, submission] of submissions.entries()) {
      const contact = contacts[i] as SavedContact | Refusal
      if (isRefusal(contact)) {
        outcomes[submission.index] = refusalOfField(contact, submission.form.fields)
        continue
      }
      const saved = { id: newId('submission'), contactId: contact.id }
      outcomes[submission.index] = saved
      accepted.push({ ...submission, ...saved })
    }
    if (accepted.length > 0) await record(tx, accepted, now)
    return outcomes
  },
}

function keyOfForm({ businessId, formId }: { businessId: string; formId: string }): string {
  return `${businessId} ${formId}`
}

async function lockFormsOf(
  tx: Tx,
  items: SubmissionToSave[],
): Promise<ReadonlyMap<string, OpenForm>> {
  const keys = new Map(items.map((item) => [keyOfForm(item), item]))
  const rows = await lockForms(tx, [...keys.values()])
  return new Map(rows.map((form) => [`${form.businessId} ${form.id}`, form]))
}

/**
 * Saves the contacts in the same order in which other code locks them, so that flushes of both
 * kinds never deadlock.
 */
async function saveContactsOf(
  tx: Tx,
  submissions: CheckedSubmission[],
  { now, optimistic }: { now: Date; optimistic: boolean | undefined },
): Promise<(SavedContact | Refusal)[]> {
  if (submissions.length === 0) return []
  const sorted = submissions
    .map(({ contact }, index) => ({ contact, index, key: saveContacts.keyOf(contact) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
  const saved = await saveContacts.save(
    tx,
    sorted.map(({ contact }) => contact),
    now,
    optimistic,
  )
  const contacts: (SavedContact | Refusal)[] = Array.from({ length: submissions.length })
  for (const [i, { index }] of sorted.entries()) contacts[index] = saved[i] as SavedContact
  return contacts
}

/** Turns a refusal of the contact into a refusal of the form field that held the value. */
function refusalOfField(refusal: Refusal, fields: readonly FormField[]): Refusal {
  const { field, ...details } = refusal.details
  if (field === undefined) return refusal
  const key = field === 'email' || field === 'phone' ? addressField(fields, field)?.key : undefined
  const path = key === undefined ? 'fields' : `fields.${key}`
  return refuse(refusal.code, refusal.message, { ...details, field: path })
}

async function record(tx: Tx, accepted: Accepted[], now: Date): Promise<void> {
  const rows = accepted.map(({ item, form, answers, id, contactId }) => ({
    businessId: item.businessId,
    formId: form.id,
    id,
    contactId,
    formVersion: form.version,
    fields: JSON.stringify(answers.fields),
    answers: JSON.stringify(Object.fromEntries(answers.values)),
    sourceUrl: item.sourceUrl,
    connectionId: item.origin.connectionId,
    callId: parseId('request', item.origin.callId) ?? null,
  }))
  const activity = accepted.map(({ item, id, contactId }) => ({
    businessId: item.businessId,
    contactId,
    type: 'form.submitted' as const,
    details: {
      form_id: formatId('form', item.formId),
      submission_id: formatId('submission', id),
    },
    origin: item.origin,
    subject: { formId: item.formId },
  }))
  await insertSubmissions(tx.pipelined, rows, now)
  await emitAll(tx.pipelined, accepted.map(announcement), now)
  await recordActivity(tx.pipelined, activity, now)
}

/** Contract 9.3 names exactly these five fields. */
function announcement({ item, answers, id, contactId }: Accepted): NewEvent {
  return {
    businessId: item.businessId,
    type: 'form.submitted',
    data: {
      submission_id: formatId('submission', id),
      form_id: formatId('form', item.formId),
      contact_id: formatId('contact', contactId),
      fields: answers.fields,
      source_url: item.sourceUrl,
    },
    origin: item.origin,
  }
}

interface SubmissionToSave extends ContactOptions {
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
interface CheckedSubmission {
  item: SubmissionToSave
  form: OpenForm
  answers: Answers
  contact: ContactToSave
}

/** Checks a submission against its form. */
function checkSubmission(
  form: OpenForm | undefined,
  item: SubmissionToSave,
): CheckedSubmission | Refusal {
  if (!form) return noSuchForm(formatId('form', item.formId))
  if (form.status !== 'published') return notOpen(form)
  const answers = readAnswers(form.fields, item.fields)
  return isRefusal(answers) ? answers : submissionOf(form, item, answers)
}

function submissionOf(form: OpenForm, item: SubmissionToSave, answers: Answers): CheckedSubmission {
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
    data: { reason: 'form_not_published', status },
  })
}

/** The part of a form that a submission is checked against. */
interface OpenForm {
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
function lockForms(
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

interface SubmissionRow {
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
function insertSubmissions(tx: Tx, rows: SubmissionRow[], now: Date): Promise<number> {
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
