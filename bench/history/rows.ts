/** What a campaign leaves of each person, written without the service that would send it. */
import { type Id, lowestIdAt } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'

/** Contacts with ids of one second, who agreed to email; the first of them have the tag `reader`. */
export async function addContacts(
  db: Database,
  businessId: Id<'business'>,
  { contacts, readers = 0, at }: { contacts: number; readers?: number; at: Date },
): Promise<void> {
  await db.run(sql`
    insert into contacts (business_id, id, email, name, attributes, tags, email_consent, sms_consent,
      source, created_at, updated_at)
    select ${businessId}, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
      'person-' || n || '@example.com', 'Person ' || n, '{"city": "Lyon", "plan": "pro"}',
      case when n <= ${readers}::int then '{reader}'::text[] else '{}' end,
      'subscribed', 'none', 'import', ${at}, ${at}
    from generate_series(1, ${contacts}::int) as n
  `)
}

export interface Sent {
  /** How many people got it, from which one on, in the order of their ids. */
  mails: number
  from: number
  at: Date
}

/** Mails in one transaction, as a worker writes them. */
const perBatch = 1_000

/**
 * A campaign to these people: a message and its event, a recipient and two entries of a timeline for each, and
 * one of ten follows a link.
 */
export async function addCampaign(
  db: Database,
  businessId: Id<'business'>,
  { mails, from, at }: Sent,
): Promise<void> {
  const campaignId = lowestIdAt('campaign', at)
  await db.run(sql`
    insert into campaigns (business_id, id, name, channel, state, audience, version, written_by,
      zone_mode, created_at, updated_at, completed_at)
    values (${businessId}, ${campaignId}, 'News', 'email', 'completed', '{}', 1, 'caller',
      'business', ${at}, ${at}, ${at})
  `)
  await db.run(sql`
    insert into campaign_links (business_id, campaign_id, url_hash, url)
    values (${businessId}, ${campaignId}, '\\x01', 'https://shop.example/')
  `)
  const head = lowestIdAt('message', at).slice(0, 18)
  for (let first = from; first < from + mails; first += perBatch) {
    const last = Math.min(first + perBatch, from + mails) - 1
    await db.tx((tx) =>
      tx.run(sql`
      with person as (
        select n, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid as contact_id,
          (${head}::text || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid as message_id
        from generate_series(${first}::int, ${last}::int) as n
      ), sent as (
        insert into messages (business_id, id, kind, contact_id, campaign_id, recipient, state,
          attempts, due_at, created_at, updated_at)
        select ${businessId}, message_id, 'marketing', contact_id, ${campaignId},
          'person-' || n || '@example.com', 'delivered', 1, ${at}::timestamptz, ${at}, ${at}
        from person
      ), told as (
        insert into message_events (business_id, message_id, id, type, happened_at, code, created_at)
        select ${businessId}, message_id, gen_random_uuid(), 'accepted', ${at}::timestamptz, '250', ${at}
        from person
      ), received as (
        insert into campaign_recipients (business_id, campaign_id, contact_id, state, message_id,
          updated_at)
        select ${businessId}, ${campaignId}, contact_id, 'delivered', message_id, ${at}::timestamptz
        from person
      ), followed as (
        insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
        select ${businessId}, ${campaignId}, '\\x01', contact_id, false from person where n % 10 = 0
      )
      insert into contact_activity (business_id, contact_id, id, type, details, campaign_id, machine,
        created_at)
      select ${businessId}, contact_id,
        (left(message_id::text, 18) || case type when 'message.sent' then '-8000-' else '-9000-' end
          || right(message_id::text, 12))::uuid,
        type, '{}', ${campaignId}, false, ${at}::timestamptz
      from person cross join unnest('{message.sent,message.opened}'::text[]) as type
    `),
    )
  }
}

/** Bytes of tables with what belongs to them, partitions included. */
export async function bytesOf(db: Database): Promise<number> {
  const { bytes } = await db.one<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  )
  return bytes
}
