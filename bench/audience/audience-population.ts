/**
 * A business with many contacts and ten times as many activities over two years, made by the
 * database itself. A hash of the contact's number decides who did what.
 */
import { formatId, type Id, newId } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'

export interface Crowd {
  businessId: Id<'business'>
  /** The campaign that was sent to half of all contacts twenty days ago, and a form. */
  campaignId: string
  formId: string
}

const campaigns = 50

/** Fills a business with this many contacts. */
export async function fillCrowd(
  db: Database,
  businessId: Id<'business'>,
  contacts: number,
): Promise<Crowd> {
  const formId = newId('form')
  await db.run(hashing)
  await makeContacts(db, businessId, contacts)
  await makeConsents(db, businessId)
  const ids = Array.from({ length: campaigns }, () => newId('campaign'))
  for (const [i, campaignId] of ids.entries()) {
    const age = Math.round((730 * (campaigns - i)) / campaigns)
    await makeCampaign(db, businessId, { i, age, campaignId, formId })
  }
  await makeOrders(db, businessId)
  const [chosen = newId('campaign')] = ids.slice(-2)
  return {
    businessId,
    campaignId: formatId('campaign', chosen),
    formId: formatId('form', formId),
  }
}

/** The same people with their consent, who have done nothing. */
export async function fillPeople(
  db: Database,
  businessId: Id<'business'>,
  contacts: number,
): Promise<void> {
  await db.run(hashing)
  await makeContacts(db, businessId, contacts)
  await makeConsents(db, businessId)
}

/** Selects one contact in `parts`, and different ones for each purpose. */
const hashing = sql`create or replace function bench_part(id uuid, salt int, parts int)
  returns boolean language sql immutable parallel safe as
  'select uuid_hash_extended(id, salt) % parts = 0'`

function makeContacts(db: Database, businessId: Id<'business'>, contacts: number): Promise<number> {
  return db.run(sql`
    insert into contacts (business_id, id, email, phone, name, attributes, tags, email_consent,
      sms_consent, source, created_at, updated_at, email_mark, phone_mark)
    select ${businessId}, uuidv7(at - now()),
      'p' || n || case when n % 10 = 0 then '@example.com' else '@mail' || n % 50 || '.test' end,
      case when n % 5 < 2 then '+49' || (1500000000 + n) end, 'Person ' || n,
      jsonb_strip_nulls(jsonb_build_object(
        'plan', (array['free', 'free', 'free', 'free', 'free', 'free', 'pro', 'team'])[1 + n % 8],
        'country', (array['US', 'US', 'DE', 'FR', 'GB'])[1 + n / 10 % 5],
        'lang', (array['en', 'de', 'fr', null, null])[1 + n / 3 % 5],
        'total_spent', n % 50000 / 100.0,
        'birthday', case when n % 2 = 0 then (date '1950-01-01' + n / 7 % 20000)::text end,
        'trial_ends', case when n % 5 = 0 then (current_date - 300 + n / 11 % 360)::text end)),
      array_remove(array[case when n % 100 = 7 then 'vip' end,
        case when n % 10 < 3 then 'customer' end, case when n % 2000 = 9 then 'staff' end], null),
      (array['subscribed', 'subscribed', 'subscribed', 'none', 'unsubscribed'])[1 + n % 5],
      case when n % 5 < 2 and n % 3 = 0 then 'subscribed' else 'none' end, 'import', at, at,
      sha256(('e' || n)::bytea), case when n % 5 < 2 then sha256(('p' || n)::bytea) end
    from (
      select n, now() - interval '1095 days' * (1 - n::float8 / ${contacts}) as at
      from generate_series(1, ${contacts}::int) as n
    ) as person
    order by n
  `)
}

interface Campaign {
  i: number
  /** The age in days. */
  age: number
  campaignId: Id<'campaign'>
  formId: Id<'form'>
}

/** Sent to a half or a fifth of those there, opened by a third of those who ever open, etc. */
function makeCampaign(
  db: Database,
  businessId: Id<'business'>,
  { i, age, campaignId, formId }: Campaign,
): Promise<number> {
  const parts = i >= campaigns - 5 ? 2 : 6
  return db.run(sql`
    with sent as (
      select id, now() - interval '1 day' * ${age}::int as at from contacts
      where business_id = ${businessId} and created_at < now() - interval '1 day' * ${age}::int
        and bench_part(id, ${i}::int, ${parts}::int)
    ), happened as (
      select id, 'message.sent' as type, at from sent
      union all
      select id, 'message.delivered', at + interval '2 s' from sent where bench_part(id, 5, 4)
      union all
      select id, 'message.opened', at + interval '1 hour' from sent
      where bench_part(id, 1, 3) and not bench_part(id, ${i}::int + 300, 10)
      union all
      select id, 'message.clicked', at + interval '2 hours' from sent
      where bench_part(id, 1, 3) and bench_part(id, ${i}::int + 400, 4)
      union all
      select id, 'message.bounced', at + interval '9 s' from sent where bench_part(id, 2, 150)
      union all
      select id, 'form.submitted', at + interval '1 day' from sent
      where bench_part(id, ${i}::int + 500, 100)
    )
    insert into contact_activity (business_id, contact_id, id, type, details, message_id,
      campaign_id, channel, form_id, link_hash, machine, created_at)
    select ${businessId}, id, uuidv7(at - now()), type, '{}',
      case when type <> 'form.submitted' then uuidv7() end,
      case when type <> 'form.submitted' then ${campaignId}::uuid end,
      case when type <> 'form.submitted' then 'email' end,
      case when type = 'form.submitted' then ${formId}::uuid end,
      case when type = 'message.clicked' then substr(sha256(('https://example.com/'
        || case when bench_part(id, ${i}::int + 600, 3) then 'pricing' else 'page' end)::bytea), 1, 16)
      end,
      case when type in ('message.opened', 'message.clicked')
        then bench_part(id, ${i}::int + 700, 10) end,
      at
    from happened
  `)
}

/** An order for every third contact, at some time in two years. */
function makeOrders(db: Database, businessId: Id<'business'>): Promise<number> {
  return db.run(sql`
    insert into own_events (business_id, key, id, contact_id, name, happened_at, value, currency,
      properties, created_at)
    select ${businessId}, sha256(uuid_send(id)), uuidv7(), id, 'order', at,
      abs(uuid_hash_extended(id, 9) % 200), 'EUR', '{}', at
    from contacts, lateral (
      select now() - interval '1 minute' * abs(uuid_hash_extended(id, 8) % 1051200) as at
    ) as placed
    where business_id = ${businessId} and bench_part(id, 3, 3)
  `)
}

function makeConsents(db: Database, businessId: Id<'business'>): Promise<number> {
  return db.run(sql`
    insert into consent_events (business_id, contact_id, id, channel, action, source, created_at)
    select ${businessId}, id, uuidv7(), 'email', email_consent, 'a page', created_at from contacts
    where business_id = ${businessId} and email_consent <> 'none'
  `)
}
