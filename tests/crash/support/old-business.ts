/**
 * A business in which every tenth person is of one kind, and what a night of retention is to leave
 * of it. What is old is so by a second at least, and what is not is a day younger than that.
 *
 * Kinds, by the number of the person modulo ten: 0 to 2 are silent (1 has unsubscribed, 2 has left
 * a topic); 3 was written to since, 4 answered, 5 said something of consent, 6 bought, 7 was
 * changed, 8 has a message that still has to be sent, and 9 came since.
 */
import { type Id, lowestIdAt, newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { days, later, seconds } from 'crier-server/lib/time/clock.ts'

export const months = 12

export interface OldBusiness {
  db: Database
  businessId: Id<'business'>
  people: number
  /** What is older is to be gone. */
  cut: Date
}

/** @param people A multiple of 100. */
export async function makeOld({ db, businessId, people, cut }: OldBusiness): Promise<void> {
  const form = newId('form')
  const newest = later(cut, -seconds(1))
  const fresh = later(cut, days(1))
  await db.run(sql`
    create table person as
    select n, n % 10 as kind,
      case when n % 10 = 9 then ${fresh}::timestamptz + n % 500 * interval '1 minute'
        else ${newest}::timestamptz - n % 5000 * interval '1 hour' end as since,
      ${newest}::timestamptz - n % 300 * interval '1 minute' as old,
      ${fresh}::timestamptz + n % 300 * interval '1 minute' as fresh,
      null::uuid as id
    from generate_series(1, ${people}::int) n
  `)
  await db.run(sql`
    create function id_at(at timestamptz, n int) returns uuid language sql immutable as $$
      select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0')
        || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid
    $$
  `)
  await db.run(sql`update person set id = id_at(since, n)`)
  await db.run(sql`
    insert into contacts (business_id, id, name, email, attributes, tags, email_consent,
      sms_consent, topics, source, created_at, updated_at)
    select ${businessId}, id, 'Person ' || n, 'p' || n || '@example.com', '{}', '{}',
      case when kind in (1, 3) then 'unsubscribed' else 'subscribed' end, 'none',
      case when kind = 2 then '{"email": {"news": "unsubscribed"}}' else '{}' end::jsonb,
      'api', since, case when kind = 7 then fresh else since end
    from person
  `)
  await db.run(sql`
    insert into usage_standing (business_id, metric, amount)
    values (${businessId}, 'contacts', ${people})
  `)
  await insertMessages(db, businessId)
  await insertEvidence(db, businessId)
  await insertAnswers(db, { businessId, form })
  for (const table of ['contacts', 'messages', 'message_contents', 'consent_events', 'events']) {
    await db.run({ name: '', text: `vacuum analyze ${table}`, values: [] })
  }
}

/** Each has an old one with a body; kind 3 a new one, and that of kind 8 is still to be sent. */
async function insertMessages(db: Database, businessId: Id<'business'>): Promise<void> {
  await db.run(sql`
    insert into messages (business_id, id, kind, contact_id, recipient, state, attempts, due_at,
      created_at, updated_at)
    select ${businessId}, id_at(at, n), 'marketing', id, 'p' || n || '@example.com',
      case when kind = 8 then 'queued' else 'delivered' end, 1, at, at, at
    from person, lateral (select old as at union all select fresh where kind = 3) when_
  `)
  await db.run(sql`
    insert into message_contents (business_id, message_id, subject, html, created_at)
    select ${businessId}, id_at(at, n), 'News', repeat('<p>Some news of a year ago.</p>', 20), at
    from person, lateral (select old as at union all select fresh where kind = 3) when_
  `)
}

/** Each agreed long ago, kind 5 again since, and kind 4 by the button of a mail. */
async function insertEvidence(db: Database, businessId: Id<'business'>): Promise<void> {
  await db.run(sql`
    insert into consent_events (business_id, contact_id, id, channel, action, source, text, ip,
      agent, created_at)
    select ${businessId}, id, id_at(at, n), 'email', 'subscribed', 'a form', 'Send me news.',
      '192.0.2.1', 'Browser', at
    from person, lateral (select old as at union all select fresh where kind = 5) when_
  `)
  await db.run(sql`
    insert into confirmations (business_id, id, contact_id, address, source, text, ip, agent,
      made_contact, asked_at, created_at, confirmed_at, confirmed_ip, confirmed_agent)
    select ${businessId}, id_at(old, n), id, 'p' || n || '@example.com', 'a form',
      'Send me news.', '192.0.2.1', 'Browser', true, old, old, old, '192.0.2.2', 'Browser'
    from person where kind = 4
  `)
  await db.run(sql`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
    select ${businessId}, 'email', sha256(n::text::bytea),
      case when n % 2 = 0 then 'erased' else 'manual' end, 'earlier', old
    from person where n % 100 = 0 or n % 100 = 7
  `)
}

interface Answering {
  businessId: Id<'business'>
  form: Id<'form'>
}

/** Old answers of every fourth, new ones of kind 4; activity, purchases, and events of the feed. */
async function insertAnswers(db: Database, { businessId, form }: Answering): Promise<void> {
  await db.run(sql`
    insert into forms (business_id, id, name, status, fields, tags, submission_count, version,
      created_at, updated_at)
    values (${businessId}, ${form}, 'A form', 'published', '[]', '{}', 0, 1, now(), now())
  `)
  await db.run(sql`
    insert into submissions (business_id, form_id, id, contact_id, form_version, fields, answers,
      source_url, created_at)
    select ${businessId}, ${form}, id_at(at, n), id, 1, '[]', '{"name": "Ana"}', 'https://a.test', at
    from person, lateral (
      select old as at where n % 4 = 0 union all select fresh where kind = 4
    ) when_
  `)
  await db.run(sql`
    insert into contact_activity (business_id, contact_id, id, type, details, created_at)
    select ${businessId}, id, id_at(at, n), 'message.opened', '{}', at
    from person, lateral (select old as at union all select fresh where kind = 4) when_
  `)
  await db.run(sql`
    insert into own_events (business_id, key, id, contact_id, name, happened_at, properties,
      created_at)
    select ${businessId}, sha256((n || at::text)::bytea), id_at(at, n), id, 'order', at, '{}', at
    from person, lateral (
      select old as at where n % 5 = 0 union all select fresh where kind = 6
    ) when_
  `)
  await db.run(sql`
    insert into events (business_id, id, type, body, created_at)
    select ${businessId}, id_at(at, n), 'contact.updated', json_build_object('id', 'evt_' || n,
      'type', 'contact.updated', 'created_at', at, 'business_id', ${businessId}::text,
      'data', json_build_object('contact_id', 'con_' || replace(id::text, '-', '')))::text, at
    from person, lateral (select now() - n % 28 * interval '1 day' - interval '1 minute' as at) when_
    where kind > 2
  `)
}

/** Counts by name, as they are. */
export async function countLeft({ db, businessId, cut }: OldBusiness) {
  const below = lowestIdAt('contact', cut)
  return db.one<Record<string, number>>(sql`
    select
      (select count(*)::int from contacts where business_id = ${businessId}) as contacts,
      (select count(*)::int from contacts c join person p on p.id = c.id
        where c.business_id = ${businessId} and p.kind < 3) as silent,
      (select amount::int from usage_standing
        where business_id = ${businessId} and metric = 'contacts') as counted,
      (select count(*)::int from former_contacts where business_id = ${businessId}) as former,
      (select count(*)::int from messages where business_id = ${businessId}) as messages,
      (select count(*)::int from messages m
        where m.business_id = ${businessId} and (m.recipient = 'erased')
          <> (m.contact_id in (select id from person where kind < 3))) as "wrongRecipients",
      (select count(*)::int from message_contents where business_id = ${businessId}) as bodies,
      (select count(*)::int from message_contents c
        join messages m on m.business_id = ${businessId} and m.id = c.message_id
        where c.business_id = ${businessId} and m.state <> 'queued'
          and m.id < ${below}) as "oldBodies",
      (select count(*)::int from consent_events where business_id = ${businessId}) as ledger,
      (select count(*)::int from consent_events
        where business_id = ${businessId} and text = 'Send me news.') as words,
      (select count(*)::int from consent_events
        where business_id = ${businessId} and ip is not null and agent is not null) as traced,
      (select count(*)::int from consent_events
        where business_id = ${businessId} and ip is not null and id < ${below}) as "oldTraced",
      (select count(*)::int from confirmations
        where business_id = ${businessId} and text is not null) as confirmations,
      (select count(*)::int from confirmations
        where business_id = ${businessId}
          and (ip is not null or confirmed_ip is not null)) as "confirmationsTraced",
      (select count(*)::int from submissions where business_id = ${businessId}) as submissions,
      (select count(*)::int from submissions
        where business_id = ${businessId} and id < ${below}) as "oldSubmissions",
      (select count(*)::int from contact_activity where business_id = ${businessId}) as activity,
      (select count(*)::int from own_events where business_id = ${businessId}) as purchases,
      (select count(*)::int from suppressions
        where business_id = ${businessId} and source = 'earlier') as "earlierNo",
      (select count(*)::int from suppressions
        where business_id = ${businessId} and source = 'retention'
          and reason = 'unsubscribed') as "rememberedNo",
      (select count(*)::int from events
        where business_id = ${businessId} and erased_at is null
          and type <> 'contact.erased') as events,
      (select count(*)::int from events
        where business_id = ${businessId} and type = 'contact.erased') as erasures
  `)
}

/** The same, as they are to be. */
export function leftOf(people: number): Record<string, number> {
  const kind = people / 10
  return {
    contacts: 7 * kind,
    silent: 0,
    counted: 7 * kind,
    former: 3 * kind,
    erasures: 3 * kind,
    messages: 11 * kind,
    wrongRecipients: 0,
    bodies: 2 * kind,
    oldBodies: 0,
    ledger: 8 * kind,
    words: 8 * kind,
    traced: kind,
    oldTraced: 0,
    confirmations: kind,
    confirmationsTraced: 0,
    submissions: kind,
    oldSubmissions: 0,
    activity: 8 * kind,
    // Every fifth bought long ago: kinds 0 and 5, of which the first is gone.
    purchases: 2 * kind,
    earlierNo: people / 50,
    rememberedNo: 2 * kind,
    events: 7 * kind,
  }
}

/** What the audit is to say of the night. */
export function deletedOf(people: number): Record<string, number> {
  const kind = people / 10
  return {
    messages: 9 * kind,
    evidence: people + kind,
    submissions: people / 4,
    contacts: 3 * kind,
  }
}
