/** Generates the bytes of an export while they are read, so that only one page is in memory. */

import { consentSubjects, noSuchContact } from '../contacts/contact.ts'
import { type ExportedContact, exportContacts } from '../contacts/exporting/export-contacts.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { readContact } from '../contacts/find.ts'
import { searchCondition } from '../contacts/search.ts'
import { compileCondition } from '../contacts/segments/where.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { readFilter } from '../events/audit-log/entry.ts'
import { csvLine, guarded } from '../imports/cells.ts'
import { joined, sql } from '../lib/db/db.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import { contactsCsv } from './contacts-csv.ts'
import type { ExportedThing, ExportLink } from './link.ts'
import { personJson } from './person-json.ts'
import {
  peopleTable,
  recipientsTable,
  submissionsTable,
  suppressionsTable,
  tableCsv,
  tableNdjson,
} from './tables.ts'

interface StreamDeps {
  db: Db
  hmac: Hmac
  now: Date
}

export async function streamExport(
  deps: StreamDeps,
  { business_id: businessId, format, thing }: ExportLink,
): Promise<AsyncGenerator<string>> {
  const { db, hmac } = deps
  if (thing.of === 'person') {
    const contact = await readContact(db, businessId, thing.contact_id)
    if (!contact) throw noSuchContact(formatId('contact', thing.contact_id))
    return personJson(db, { businessId, contact, hmac })
  }
  if (thing.of === 'contacts') {
    const where = await whereOfAll(deps, businessId, thing)
    return format === 'csv'
      ? contactsCsv(deps, businessId, where)
      : contactsNdjson(deps, businessId, where)
  }
  if (thing.of === 'audit') {
    const filter = readFilter(thing.filter)
    const { auditTable } = await import('./audit-table.ts')
    return tableCsv(auditTable(db, businessId, filter))
  }
  const table = tableOf(deps, businessId, thing)
  return format === 'csv' ? tableCsv(table) : tableNdjson(table)
}

/** The most bytes of an export in an answer: what a person pastes, and a model reads. */
const mostTextBytes = 15_000

/** The columns of contacts in an answer, where the call chose none. */
const usualColumns = ['email', 'phone', 'name', 'first_name', 'last_name']

/** The export as CSV in one text; undefined where it is longer than an answer takes. */
export async function exportText(
  deps: StreamDeps,
  link: Pick<ExportLink, 'business_id' | 'thing'> & { columns?: readonly string[] | undefined },
): Promise<string | undefined> {
  const { business_id: businessId, thing, columns = usualColumns } = link
  const pieces =
    thing.of === 'contacts'
      ? chosenColumns(deps, businessId, {
          where: await whereOfAll(deps, businessId, thing),
          columns,
        })
      : await streamExport(deps, { ...link, format: 'csv' } as ExportLink)
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (Buffer.byteLength(text) > mostTextBytes) return undefined
  }
  return text
}

async function* chosenColumns(
  deps: StreamDeps,
  businessId: Id<'business'>,
  { where, columns }: { where: Sql; columns: readonly string[] },
): AsyncGenerator<string> {
  yield csvLine(columns.map(guarded))
  for await (const contacts of exportContacts(deps, businessId, where)) {
    const lines = contacts.map((contact) => csvLine(columns.map((name) => cellOf(contact, name))))
    yield lines.join('')
  }
}

const attribute = 'attributes.'

function cellOf(contact: ExportedContact, column: string): string {
  const { tags, attributes } = contact
  if (column === 'tags') return guarded(tags.join(', '))
  const value = column.startsWith(attribute)
    ? attributes[column.slice(attribute.length)]
    : contact[column as (typeof plainColumns)[number]]
  return guarded(`${value ?? ''}`)
}

const plainColumns = [
  'email',
  'phone',
  'external_id',
  'name',
  'first_name',
  'last_name',
  'language',
] as const

/** Whether a text names a column of contacts. */
export const isColumn = (text: string) =>
  text === 'tags' || text.startsWith(attribute) || plainColumns.some((name) => name === text)

type Tabled = Exclude<ExportedThing, { of: 'person' | 'contacts' | 'audit' }>

function tableOf({ db, hmac }: StreamDeps, businessId: ExportLink['business_id'], thing: Tabled) {
  switch (thing.of) {
    case 'suppressions':
      return suppressionsTable(db, businessId, hmac)
    case 'submissions':
      return submissionsTable(db, businessId, { id: thing.form_id, keys: thing.keys })
    case 'automation':
      return peopleTable(db, { businessId, sequenceId: thing.sequence_id })
    case 'recipients':
      return recipientsTable(db, businessId, thing.campaign_id)
  }
}

async function whereOfAll(
  { db, hmac, now }: StreamDeps,
  id: ExportLink['business_id'],
  { filters, q }: { filters: readonly Filter[]; q?: string },
): Promise<Sql> {
  const parts: Sql[] = q === undefined ? [] : [await searchCondition(db, id, q)]
  for (const filter of filters) {
    const condition = await compileCondition({ db, hmac, now, business: { id } }, filter)
    parts.push(condition())
  }
  return parts.length === 0 ? sql`true` : joined(parts, 'and')
}

/** One JSON object per line, for programs. */
async function* contactsNdjson(
  deps: StreamDeps,
  businessId: Id<'business'>,
  where: Sql,
): AsyncGenerator<string> {
  for await (const contacts of exportContacts(deps, businessId, where)) {
    yield contacts.map((contact) => `${JSON.stringify(contactObject(contact))}\n`).join('')
  }
}

function contactObject(contact: ExportedContact) {
  const {
    email,
    phone,
    external_id,
    name,
    first_name,
    last_name,
    language,
    tags,
    attributes,
    consent,
    topics,
    evidence,
  } = contact
  return {
    contact_id: formatId('contact', contact.id),
    email,
    phone,
    external_id,
    name,
    first_name,
    last_name,
    language,
    tags,
    attributes,
    consent: Object.fromEntries(
      consentSubjects.map((channel) => {
        const latest = evidence[channel]
        const latestChoice = latest?.action === consent[channel] ? latest : undefined
        return [
          channel,
          {
            status: consent[channel],
            ...(latestChoice && {
              source: latestChoice.source,
              text: latestChoice.text,
              ip: latestChoice.ip,
              agent: latestChoice.agent,
              at: latestChoice.createdAt.toISOString(),
            }),
          },
        ]
      }),
    ),
    topics,
    standing: contact.standing,
    source: contact.source,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
  }
}
