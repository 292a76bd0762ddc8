/** Submissions and recipients as rows of named cells, for both formats. */

import { exportRecipients } from '../campaigns/results/recipients.ts'
import { peopleByIds } from '../contacts/exporting/export-contacts.ts'
import { exportSuppressions } from '../contacts/suppressions/export-suppressions.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { exportSubmissions } from '../forms/submission.ts'
import { csvLine, guarded } from '../imports/cells.ts'
import type { Db } from '../lib/db/types.ts'
import { exportPeople } from '../sequences/export-people.ts'
import type { SequenceKey } from '../sequences/sequence.ts'

type Cell = string | number | null
export type Row = Record<string, Cell>

export interface Table {
  columns: string[]
  pages: AsyncGenerator<Row[]>
}

/** `fields.KEY` for each answer; answers to fields that the form dropped are only in NDJSON. */
export function submissionsTable(
  db: Db,
  businessId: Id<'business'>,
  form: { id: Id<'form'>; keys: readonly string[] },
): Table {
  const own = form.keys.map((key) => `fields.${key}`)
  return {
    columns: ['submission_id', 'contact_id', 'created_at', 'source_url', ...own],
    pages: submissionPages(db, businessId, form.id),
  }
}

async function* submissionPages(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): AsyncGenerator<Row[]> {
  for await (const page of exportSubmissions(db, businessId, formId)) {
    yield page.map((submission) => ({
      submission_id: formatId('submission', submission.id),
      contact_id: formatId('contact', submission.contactId),
      created_at: submission.createdAt.toISOString(),
      source_url: submission.sourceUrl,
      ...Object.fromEntries(
        Object.entries(submission.fields).map(([key, value]) => [`fields.${key}`, value]),
      ),
    }))
  }
}

const recipientColumns = [
  'contact_id',
  'email',
  'phone',
  'name',
  'status',
  'reason',
  'variant',
  'message_id',
  'updated_at',
]

export function recipientsTable(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Table {
  return { columns: recipientColumns, pages: recipientPages(db, businessId, campaignId) }
}

async function* recipientPages(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): AsyncGenerator<Row[]> {
  for await (const page of exportRecipients(db, businessId, campaignId)) {
    const ids = page.map(({ contactId }) => contactId)
    const people = await peopleByIds(db, businessId, ids)
    yield page.map(({ contactId, state, reason, variant, messageId, updatedAt }) => {
      const { email = null, phone = null, name = null } = people.get(contactId) ?? {}
      return {
        contact_id: formatId('contact', contactId),
        email,
        phone,
        name,
        status: state,
        reason,
        variant,
        message_id: messageId && formatId('message', messageId),
        updated_at: updatedAt.toISOString(),
      }
    })
  }
}

const peopleColumns = [
  'contact_id',
  'email',
  'phone',
  'name',
  'status',
  'reason',
  'version',
  'next_step',
  'due_at',
  'entered_at',
  'ended_at',
]

export function peopleTable(db: Db, key: SequenceKey): Table {
  return { columns: peopleColumns, pages: peoplePages(db, key) }
}

async function* peoplePages(db: Db, key: SequenceKey): AsyncGenerator<Row[]> {
  for await (const page of exportPeople(db, key)) {
    const ids = page.map(({ contactId }) => contactId)
    const people = await peopleByIds(db, key.businessId, ids)
    yield page.map(({ contactId, state, reason, version, step, dueAt, enteredAt, endedAt }) => {
      const { email = null, phone = null, name = null } = people.get(contactId) ?? {}
      return {
        contact_id: formatId('contact', contactId),
        email,
        phone,
        name,
        status: state,
        reason,
        version,
        next_step: step,
        due_at: dueAt?.toISOString() ?? null,
        entered_at: enteredAt.toISOString(),
        ended_at: endedAt?.toISOString() ?? null,
      }
    })
  }
}

/** Named as an import of suppressions takes them. */
const suppressionColumns = ['email', 'phone', 'sha256', 'reason', 'at', 'source']

/** Where no contact has an address, it goes out as the hash by which it came. */
export function suppressionsTable(db: Db, businessId: Id<'business'>, hmac: Hmac): Table {
  return { columns: suppressionColumns, pages: suppressionPages(db, businessId, hmac) }
}

async function* suppressionPages(
  db: Db,
  businessId: Id<'business'>,
  hmac: Hmac,
): AsyncGenerator<Row[]> {
  for await (const page of exportSuppressions(db, businessId, hmac)) {
    yield page.map(({ channel, address, sha256, reason, at, source }) => ({
      email: channel === 'email' ? address : null,
      phone: channel === 'sms' ? address : null,
      sha256: address === null && sha256 ? sha256.toString('hex') : null,
      reason,
      at: at.toISOString(),
      source,
    }))
  }
}

export async function* tableCsv({ columns, pages }: Table): AsyncGenerator<string> {
  yield csvLine(columns.map(guarded))
  for await (const rows of pages) {
    yield rows
      .map((row) => csvLine(columns.map((column) => guarded(`${row[column] ?? ''}`))))
      .join('')
  }
}

export async function* tableNdjson({ pages }: Table): AsyncGenerator<string> {
  for await (const rows of pages) {
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  }
}
