import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { contactsOf, saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { AttributeValue, Person } from '../contact.ts'
import { contactErase } from '../erase.ts'
import { contactMerge } from '../merge.ts'
import { contactTrack } from '../own-events/track.ts'
import { type FieldType, fieldLimits, typeOfValue } from './count-fields.ts'
import { contactFieldsList } from './fields.ts'

let database: TestDatabase
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Listed {
  fields: {
    field: string
    type: string
    contacts: number
    by_type?: Record<string, number>
    untrusted: { values: { value: string; contacts: number }[] }
  }[]
  built_in: { field: string; operators: string[]; contacts?: number }[]
  tags: { tag: string; contacts: number }[]
  events: string[]
  more?: string[]
}

async function scene(): Promise<{ id: Id<'business'>; caller: Caller }> {
  const id = await newBusiness(database.db)
  return { id, caller: callerIn({ db: database.db, clock }, id, { isApiKey: true }) }
}

async function save(id: Id<'business'>, people: Person[]): Promise<void> {
  const outcomes = await saveAll(
    database.db,
    people.map((person) => toSave(id, person)),
  )
  assert.deepEqual(outcomes.filter(isRefusal), [])
}

const listed = (caller: Caller) => caller.get<Listed>(contactFieldsList)
const emailOf = (n: number) => `p${n}@example.com`

test('attributes are listed with their types, their numbers of contacts and their common values', async () => {
  const { id, caller } = await scene()
  const people = Array.from({ length: 12 }, (_, n) => ({
    email: emailOf(n),
    attributes: {
      plan: n < 6 ? 'pro' : n < 10 ? 'team' : `of ${n} alone`,
      ...(n < 9 && { visits: n }),
      ...(n < 8 && { born: n < 6 ? '1990-02-28' : 'in spring' }),
      ...(n === 0 && { vip: true }),
    },
    tags: n < 3 ? ['vip', 'press'] : ['vip'],
  }))
  await save(id, people)
  const event = (name: string) => ({ contact: { email: emailOf(1) }, event: name })
  await caller.get(contactTrack, { events: [event('visit'), event('order'), event('order')] })
  const { fields, built_in, tags, events, more } = await listed(caller)
  assert.deepEqual(fields, [
    {
      field: 'attributes.plan',
      type: 'text',
      contacts: 12,
      untrusted: { values: [{ value: 'pro', contacts: 6 }] },
    },
    { field: 'attributes.visits', type: 'number', contacts: 9, untrusted: { values: [] } },
    {
      field: 'attributes.born',
      type: 'date',
      contacts: 8,
      by_type: { date: 6, text: 2 },
      untrusted: { values: [{ value: '1990-02-28', contacts: 6 }] },
    },
    { field: 'attributes.vip', type: 'boolean', contacts: 1, untrusted: { values: [] } },
  ])
  assert.ok(
    built_in.some((entry) => entry.field === 'email' && entry.operators.includes('ends_with')),
  )
  const counted = built_in.map(({ field, contacts }) => [field, contacts])
  assert.deepEqual(
    counted.filter(([, contacts]) => contacts !== undefined),
    [
      ['email', 12],
      ['phone', 0],
      ['name', 0],
      ['first_name', 0],
      ['last_name', 0],
      ['language', 0],
    ],
  )
  assert.deepEqual(tags, [
    { tag: 'vip', contacts: 12 },
    { tag: 'press', contacts: 3 },
  ])
  assert.deepEqual([events, more], [['order', 'visit'], undefined])
  const { caller: other } = await scene()
  const elsewhere = await listed(other)
  assert.deepEqual([elsewhere.fields, elsewhere.tags, elsewhere.events], [[], [], []])
})

test('the attribute value of an erased person disappears from the list and the table', async () => {
  const { id, caller } = await scene()
  const people = Array.from({ length: 5 }, (_, n) => ({
    email: emailOf(n),
    attributes: { city: 'Lyon', ...(n === 0 && { illness: 'a secret' }) },
    tags: n === 0 ? ['alone'] : [],
  }))
  await save(id, people)
  assert.deepEqual((await listed(caller)).fields[0]?.untrusted.values, [
    { value: 'Lyon', contacts: 5 },
  ])
  const first = (await contactsOf(database.db, id)).find((contact) => contact.email === emailOf(0))
  assert.ok(first)
  await caller.get(contactErase, { contact_id: formatId('contact', first.id) })
  const { fields, tags } = await listed(caller)
  assert.deepEqual(fields, [
    { field: 'attributes.city', type: 'text', contacts: 4, untrusted: { values: [] } },
  ])
  assert.deepEqual(tags, [])
  const kept = await database.db.all(sql`
    select key from contact_fields where business_id = ${id}
  `)
  assert.deepEqual(kept, [{ key: 'city' }])
})

test('common values come from the newest contacts, and long texts are not listed', async () => {
  const { id, caller } = await scene()
  const { contactsRead, valueLength } = fieldLimits
  await database.db.run(sql`
    insert into contacts (business_id, id, email, attributes, tags, email_consent, sms_consent,
      source, created_at, updated_at)
    select ${id}, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      'old' || n || '@example.com', '{"city": "Paris"}', '{}', 'none', 'none', 'api',
      ${clock.now()}, ${clock.now()}
    from generate_series(1, ${contactsRead}::int) as n
  `)
  const city = ['Lyon', 'x'.repeat(valueLength), 'x'.repeat(valueLength + 1)]
  await save(
    id,
    Array.from({ length: 15 }, (_, n) => ({
      email: emailOf(n),
      attributes: { city: city[n % 3] ?? '' },
    })),
  )
  const [field] = (await listed(caller)).fields
  assert.deepEqual(field?.untrusted.values, [
    { value: 'Paris', contacts: contactsRead - 15 },
    { value: 'Lyon', contacts: 5 },
    { value: 'x'.repeat(valueLength), contacts: 5 },
  ])
})

const value = fc.constantFrom<AttributeValue | null>('x', 'X', '', '2026-02-28', 1, true, null)
const anyPerson = fc.record({
  email: fc.constantFrom(...Array.from({ length: 6 }, (_, n) => emailOf(n))),
  attributes: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), value),
  tags: fc.uniqueArray(fc.constantFrom('s', 't')),
  removeTags: fc.uniqueArray(fc.constantFrom('s', 't')),
})
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ save: fc.array(anyPerson, { minLength: 1, maxLength: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ merge: fc.tuple(fc.nat(5), fc.nat(5)) }) },
  { weight: 1, arbitrary: fc.record({ erase: fc.nat(5) }) },
)
type Step = { save: Person[] } | { merge: [number, number] } | { erase: number }

test('the attribute counts match the contacts after any saves, merges and erasures', async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { id, caller } = await scene()
      const idOf = async (n: number) => {
        const rows = await contactsOf(db, id)
        const row = rows[n % Math.max(1, rows.length)]
        return row && formatId('contact', row.id)
      }
      for (const one of steps as Step[]) {
        if ('save' in one) {
          await saveAll(
            db,
            one.save.map((person) => toSave(id, person)),
          )
        } else if ('merge' in one) {
          const [contact_id, other_contact_id] = await Promise.all(one.merge.map(idOf))
          if (!contact_id || contact_id === other_contact_id) continue
          await caller.get(contactMerge({ traces: [] }), { contact_id, other_contact_id })
        } else {
          const contact_id = await idOf(one.erase)
          if (contact_id) await caller.get(contactErase, { contact_id })
        }
      }
      assert.deepEqual(await stored(id), await recounted(id))
    }),
    { numRuns: 60 },
  )
})

test('the migration counts the attributes of existing contacts', async () => {
  const { db } = database
  const { id } = await scene()
  const days = ['2026-02-28', '2026-02-29', '2024-02-29', '1900-02-29', '2000-02-29', '2026-04-31']
  const moments = ['T10:00Z', 'T23:59:59.5+02:00', 't10:00z', 'T10:60Z', 'T10:00', ' 10:00Z']
  const texts = [
    ...days,
    ...moments.map((moment) => `2026-02-28${moment}`),
    'x',
    'x',
    '',
    'x'.repeat(61),
  ]
  const people = texts.map((text, n) => ({
    email: emailOf(n),
    attributes: { text, number: n, even: n % 2 === 0, [`key ${n % 3}`]: 'x' },
    tags: n % 3 === 0 ? ['third'] : [],
  }))
  await save(id, people)
  const kept = await stored(id)
  assert.deepEqual(kept, await recounted(id))
  const path = new URL('../../../migrations/0037_contact_fields.sql', import.meta.url)
  const migration = await readFile(path, 'utf8')
  const [, backfill = ''] = migration.split('create temporary view')
  await db.tx(async (tx) => {
    await tx.run(sql`delete from contact_fields`)
    await tx.run(sql`delete from contact_tags`)
    for (const text of `create temporary view${backfill}`
      .split(';')
      .filter((part) => part.trim())) {
      await tx.run({ name: '', text, values: [] })
    }
  })
  assert.deepEqual(await stored(id), await recounted(id))
})

type Counts = Record<string, number>

/** The stored counts by name, without zeros. */
async function stored(id: Id<'business'>): Promise<Counts> {
  const rows = await database.db.all<{ name: string; n: number }>(sql`
    select key || ' ' || type as name, n from contact_fields,
      lateral (values ('text', texts), ('number', numbers), ('boolean', booleans), ('date', dates))
        as counted (type, n)
    where business_id = ${id}
    union all
    select '#' || tag, contacts from contact_tags where business_id = ${id}
  `)
  const some = rows.filter(({ n }) => n !== 0).map(({ name, n }) => [name, n] as const)
  return Object.fromEntries(some)
}

async function recounted(id: Id<'business'>): Promise<Counts> {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { attributes, tags } of await contactsOf(database.db, id)) {
    for (const tag of tags) count(`#${tag}`)
    for (const [key, one] of Object.entries(attributes)) {
      const type: FieldType = typeOfValue(one)
      count(`${key} ${type}`)
    }
  }
  return Object.fromEntries(counts)
}
