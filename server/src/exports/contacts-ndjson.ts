/** Exports contacts as one JSON object per line, for programs. */

import { consentSubjects } from '../contacts/contact.ts'
import { type ExportedContact, exportContacts } from '../contacts/exporting/export-contacts.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Db, Sql } from '../lib/db/types.ts'

export async function* contactsNdjson(
  db: Db,
  businessId: Id<'business'>,
  where: Sql,
): AsyncGenerator<string> {
  for await (const contacts of exportContacts(db, businessId, where)) {
    yield contacts.map((contact) => `${JSON.stringify(contactObject(contact))}\n`).join('')
  }
}

export function contactObject(one: ExportedContact) {
  const {
    email,
    phone,
    name,
    first_name,
    last_name,
    language,
    tags,
    attributes,
    consent,
    topics,
    evidence,
  } = one
  return {
    contact_id: formatId('contact', one.id),
    email,
    phone,
    name,
    first_name,
    last_name,
    language,
    tags,
    attributes,
    consent: Object.fromEntries(
      consentSubjects.map((channel) => {
        const said = evidence[channel]
        const shown = said?.action === consent[channel] ? said : undefined
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
    source: one.source,
    created_at: one.createdAt.toISOString(),
    updated_at: one.updatedAt.toISOString(),
  }
}
