/** The same rows by COPY and one statement per 10,000, into tables of the same shape. */
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { copyRate } from '../writes/support/copy-rate.ts'
import type { Place } from '../writes/support/place.ts'
import { rivalTable } from '../writes/support/rival-table.ts'
import { rowOf } from './mailchimp-rows.ts'

const tables = [
  'contacts',
  'consent_events',
  'events',
  'event_feed',
  'contact_activity',
  'import_changes',
]
const rowsPerTransaction = 10_000

/** Tables beside the service's own, filled with the existing contacts. */
export async function makeRivalTables(db: Database): Promise<void> {
  for (const table of tables) await rivalTable(db, table)
  await db.run(sql`create sequence rival.positions`)
  await db.run(sql`insert into rival.contacts select * from contacts`)
}

/** Rows per second. */
export function copyRows(
  place: Place,
  businessId: string,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const files: string[] = []
  for (let start = from; start < to; start += rowsPerTransaction) {
    const end = Math.min(to, start + rowsPerTransaction)
    files.push(Array.from({ length: end - start }, (_, i) => csvLine(start + i)).join(''))
  }
  const rowsPerCall = (to - from) / files.length
  return copyRate(place, {
    incoming:
      'create temporary table incoming (place bigint, email text, name text, attributes jsonb, ip inet) on commit delete rows;',
    columns: 'place, email, name, attributes, ip',
    insert: everyRow(businessId),
    rowsPerCall,
    files,
  })
}

function csvLine(n: number): string {
  const { email, firstName, lastName, address, plan, orders, ip } = rowOf(n)
  const attributes = { address, plan, orders, country: 'GB', region: 'YOR' }
  const cells = [n, email.toLowerCase(), `${firstName} ${lastName}`, JSON.stringify(attributes), ip]
  return `${cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')}\n`
}

/** The rows that an import writes: contacts, consent, undo data, events, feed, timeline. */
const everyRow = (businessId: string) => `
with saved as (
  insert into rival.contacts as contact (business_id, id, email, name, attributes, tags,
    email_consent, sms_consent, source, created_at, updated_at)
  select distinct on (email) '${businessId}'::uuid, uuidv7(), email, name, attributes,
    '{Newsletter,Spring fair}'::text[], 'subscribed', 'none', 'import', now(), now()
  from incoming order by email, place desc
  on conflict (business_id, email) do update set name = excluded.name,
    attributes = contact.attributes || excluded.attributes, tags = excluded.tags,
    email_consent = case when contact.email_consent = 'unsubscribed' then contact.email_consent
      else excluded.email_consent end, updated_at = excluded.updated_at
  returning *, contact.xmax = 0 as created
), named as (
  select *, uuidv7() as event_id,
    case when created then 'contact.created' else 'contact.updated' end as type
  from saved
), agreed as (
  insert into rival.consent_events (business_id, contact_id, id, channel, action, source, text, ip,
    created_at)
  select business_id, id, uuidv7(), 'email', 'subscribed',
    'Mailchimp (agreed 2024-03-05 10:20:30, confirmed 2024-03-05 10:25:41)',
    'Send me the newsletter.', '198.51.100.7', now()
  from saved where email_consent = 'subscribed'
), undone as (
  insert into rival.import_changes (business_id, import_id, contact_id, before, after, changed_at)
  select business_id, '${businessId}'::uuid, id,
    case when not created then '{"name": "Before"}'::jsonb end,
    case when not created then json_build_object('name', name)::jsonb end, now()
  from saved
), told as (
  insert into rival.events (business_id, id, type, body, created_at)
  select business_id, event_id, type, json_build_object('id', event_id, 'type', type,
    'created_at', now(), 'business_id', business_id, 'data', json_build_object(
      'contact_id', id, 'email', email, 'phone', phone, 'name', name, 'attributes', attributes,
      'tags', tags, 'consent', json_build_object('email', email_consent, 'sms', sms_consent),
      'source', 'import'))::text, now()
  from named
), placed as (
  insert into rival.event_feed (business_id, position, placed_at, event_id, type, created_at)
  select business_id, nextval('rival.positions'), now(), event_id, type, now() from named
)
insert into rival.contact_activity (business_id, contact_id, id, type, details, created_at)
select business_id, id, uuidv7(), type, '{"source": "import", "changed": ["attributes"]}', now()
from named where not created`
