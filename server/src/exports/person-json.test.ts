/** A person who asks for their data gets all of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsOf, saveAll, toSave } from '../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { personParts } from './person-json.ts'
import { streamExport } from './stream.ts'

const clock = new ManualClock()
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function exportOf(businessId: Id<'business'>, contactId: Id<'contact'>) {
  const thing = { of: 'person', contact_id: contactId } as const
  const link = { business_id: businessId, format: 'json', thing, file_name: 'x.json' } as const
  const made = await streamExport({ db: database.db, hmac: testVault.hmac, now: clock.now() }, link)
  return JSON.parse((await Array.fromAsync(made)).join('')) as Record<
    string,
    Record<string, unknown>[]
  >
}

test('every table that refers to a contact or message is part of the person export, or listed with a reason', async () => {
  const withoutPerson: Record<string, string> = {
    // They hold a sent text's business and address in the built-in inbox, for development only.
    inbox_messages: 'the built-in inbox is no part of a service that others reach',
    inbox_texts: 'the built-in inbox is no part of a service that others reach',
    contact_search: 'the words of a contact, which is exported itself',
    held_removals: 'what somebody ordered about the contact, by ids alone, which the audit has',
    tagging_changes: 'which tags one tagging put on, for a month, so that it can be undone',
    recent_messages: 'a hash for two minutes, so that nothing is sent twice',
  }
  const found = await database.db.all<{ table: string }>(sql`
    select distinct c.relname as table from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname in ('contact_id', 'message_id') and c.relkind in ('r', 'p')
      and not c.relispartition and c.relnamespace = 'public'::regnamespace
  `)
  const told = new Set(personParts.flatMap(({ tables }) => tables))
  const missing = found.filter(({ table }) => !told.has(table) && !(table in withoutPerson))
  assert.deepEqual(
    missing.map(({ table }) => table),
    [],
    'Add a part to the domain of each table (contacts/exporting/person-part.ts).',
  )
})

/** Inserts one row about a contact into each table, with a word that the export must contain. */
async function fill(businessId: Id<'business'>, contactId: Id<'contact'>, word: string) {
  const { db } = database
  const now = clock.now()
  const ids = {
    message: newId('message'),
    campaign: newId('campaign'),
    form: newId('form'),
    import: newId('import'),
  }
  const at = [businessId, contactId] as const
  await db.run(sql`
    insert into confirmations (business_id, id, contact_id, address, source, made_contact, asked_at,
      created_at) values (${at[0]}, ${newId('confirmation')}, ${at[1]}, 'a@example.com',
      ${`asked ${word}`}, false, ${now}, ${now})
  `)
  await db.run(sql`
    insert into contact_activity (business_id, contact_id, id, type, details, created_at)
    values (${at[0]}, ${at[1]}, ${newId('activity')}, 'contact.updated',
      ${JSON.stringify({ source: `timeline ${word}` })}::json, ${now})
  `)
  await db.run(sql`
    insert into own_events (business_id, key, id, contact_id, name, happened_at, properties,
      created_at) values (${at[0]}, ${Buffer.from(word)}, ${newId('event')}, ${at[1]},
      ${`own ${word}`}, ${now}, '{}'::json, ${now})
  `)
  await db.run(sql`
    insert into former_contacts (business_id, id, became, ended_at)
    values (${at[0]}, ${newId('contact')}, ${at[1]}, ${now})
  `)
  await db.run(sql`
    insert into submissions (business_id, form_id, id, contact_id, form_version, fields, answers,
      source_url, created_at) values (${at[0]}, ${ids.form}, ${newId('submission')}, ${at[1]}, 1,
      '{}'::json, ${JSON.stringify({ q: `answer ${word}` })}::json, 'https://x.example', ${now})
  `)
  await db.run(sql`
    insert into messages (business_id, id, kind, contact_id, recipient, state, attempts, due_at,
      created_at, updated_at) values (${at[0]}, ${ids.message}, 'marketing', ${at[1]},
      ${`to ${word}`}, 'delivered', 1, ${now}, ${now}, ${now})
  `)
  await db.run(sql`
    insert into message_contents (business_id, message_id, subject, created_at)
    values (${at[0]}, ${ids.message}, ${`subject ${word}`}, ${now})
  `)
  await db.run(sql`
    insert into message_events (business_id, message_id, id, type, happened_at, words, created_at)
    values (${at[0]}, ${ids.message}, ${newId('event')}, 'delivered', ${now}, ${`reply ${word}`},
      ${now})
  `)
  await db.run(sql`
    insert into link_visits (business_id, message_id, id, links, visitor, machine, visited_at)
    values (${at[0]}, ${ids.message}, ${newId('event')}, 7, 'x', false, ${now})
  `)
  await db.run(sql`
    insert into replies (business_id, id, phone, sender, contact_id, body, meaning, created_at)
    values (${at[0]}, ${newId('reply')}, '+41790000000', 'Crier', ${at[1]}, ${`text ${word}`},
      'other', ${now})
  `)
  await db.run(sql`
    insert into campaign_recipients (business_id, campaign_id, contact_id, state, updated_at)
    values (${at[0]}, ${ids.campaign}, ${at[1]}, 'delivered', ${now})
  `)
  await db.run(sql`
    insert into campaign_links (business_id, campaign_id, url_hash, url)
    values (${at[0]}, ${ids.campaign}, 'h', ${`https://x.example/${word}`})
  `)
  await db.run(sql`
    insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
    values (${at[0]}, ${ids.campaign}, 'h', ${at[1]}, false)
  `)
  await db.run(sql`
    insert into sequence_entries (business_id, sequence_id, id, contact_id, version, cause, state,
      step, event, entered_at, stepped_at) values (${at[0]}, ${newId('sequence')},
      ${newId('entry')}, ${at[1]}, 1, 'x', 'active', 1,
      ${JSON.stringify({ cart: `cart ${word}` })}::json, ${now}, ${now})
  `)
  await db.run(sql`
    insert into contact_attention (business_id, contact_id, max, per_days, updated_at)
    values (${at[0]}, ${at[1]}, 1, 7, ${now})
  `)
  await db.run(sql`
    insert into proposals (business_id, id, batch_id, contact_id, kind, subject, state, user_id,
      proposed_at)
    values (${at[0]}, ${newId('message')}, ${newId('message')}, ${at[1]}, 'marketing',
      ${`proposed ${word}`}, 'waiting', ${newId('user')}, ${now})
  `)
  await db.run(sql`
    insert into contact_past (business_id, contact_id, first_at, last_at, sent)
    values (${at[0]}, ${at[1]}, ${now}, ${now}, 3)
  `)
  await db.run(sql`
    insert into import_changes (business_id, import_id, contact_id, before, changed_at)
    values (${at[0]}, ${ids.import}, ${at[1]}, ${JSON.stringify({ name: `was ${word}` })}::jsonb,
      ${now})
  `)
  return ids
}

const evidence = { source: 'sign-up page', text: 'Send me the newsletter.', ip: '192.0.2.7' }

test('a person export contains every row about that person, and no row about another person', async () => {
  const id = await newBusiness(database.db)
  const people = [
    {
      email: 'ana@example.com',
      name: 'Ana',
      attributes: { plan: 'pro' },
      tags: ['vip'],
      consent: { email: { status: 'unsubscribed' as const, ...evidence } },
    },
    { email: 'bo@example.com', name: 'Bo' },
  ]
  await saveAll(
    database.db,
    people.map((person) => toSave(id, person)),
  )
  const found = await contactsOf(database.db, id)
  const [ana, bo] = ['ana@example.com', 'bo@example.com'].map(
    (email) => found.find((stored) => stored.email === email)?.id,
  )
  assert.ok(ana && bo)
  const ids = await fill(id, ana, 'hers')
  await fill(id, bo, 'his')
  const told = await exportOf(id, ana)
  assert.deepEqual(
    Object.keys(told),
    personParts.map(({ name }) => name),
  )
  const empty = Object.entries(told).filter(([, rows]) => rows.length === 0)
  assert.deepEqual(
    empty.map(([name]) => name),
    ['suppressions'],
  )
  assert.equal(told['contact']?.[0]?.['name'], 'Ana')
  assert.deepEqual(told['contact']?.[0]?.['attributes'], { plan: 'pro' })
  assert.equal(told['consents']?.[0]?.['text'], evidence.text)
  assert.equal(told['consents']?.[0]?.['ip'], evidence.ip)
  assert.equal(told['campaigns']?.[0]?.['campaign_id'], formatId('campaign', ids.campaign))
  const text = JSON.stringify(told)
  const words = [
    'asked',
    'timeline',
    'own',
    'answer',
    'to',
    'subject',
    'reply',
    'text',
    'was',
    'cart',
    'proposed',
  ]
  for (const word of words) assert.ok(text.includes(`"${word} hers"`), word)
  assert.ok(text.includes('https://x.example/hers'))
  assert.ok(text.includes('"links":7'))
  assert.doesNotMatch(text, /his|bo@|hmac|\\\\x/)
})

test('a person export contains more messages than a page, each once', async () => {
  const id = await newBusiness(database.db)
  await saveAll(database.db, [toSave(id, { email: 'many@example.com' })])
  const [one] = await contactsOf(database.db, id)
  assert.ok(one)
  await database.db.run(sql`
    insert into messages (business_id, id, kind, contact_id, recipient, state, attempts, due_at,
      created_at, updated_at)
    select ${id}, gen_random_uuid(), 'marketing', ${one.id}, 'r' || n, 'delivered', 1,
      ${clock.now()}, ${clock.now()}, ${clock.now()}
    from generate_series(1, 150) as n
  `)
  const { messages = [] } = await exportOf(id, one.id)
  assert.equal(messages.length, 150)
  assert.equal(new Set(messages.map(({ recipient }) => recipient)).size, 150)
})
