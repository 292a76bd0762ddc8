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
import { sql } from '../lib/db/db.ts'
import { joined } from '../lib/db/sql-within.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import { contactsCsv } from './contacts-csv.ts'
import type { ExportedThing, ExportLink } from './link.ts'
import { personJson } from './person-json.ts'
import {
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

type Tabled = Exclude<ExportedThing, { of: 'person' | 'contacts' | 'audit' }>

function tableOf({ db, hmac }: StreamDeps, businessId: ExportLink['business_id'], thing: Tabled) {
  switch (thing.of) {
    case 'suppressions':
      return suppressionsTable(db, businessId, hmac)
    case 'submissions':
      return submissionsTable(db, businessId, { id: thing.form_id, keys: thing.keys })
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
        const shown = latest?.action === consent[channel] ? latest : undefined
        return [
          channel,
          {
            status: consent[channel],
            ...(shown && {
              source: shown.source,
              text: shown.text,
              ip: shown.ip,
              agent: shown.agent,
              at: shown.createdAt.toISOString(),
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
