import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { saveAll, suppressAddress, toSave } from '../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Person } from './contact.ts'
import { contactList } from './list.ts'

let database: TestDatabase
const clock = new ManualClock('2026-11-20T23:30:00Z')

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Scene {
  id: Id<'business'>
  caller: Caller
  /** The names of the contacts found, newest first. */
  found(input: object): Promise<string[]>
}

interface Page {
  contacts: { email: string }[]
  next_cursor?: string
}

async function sceneOf(people: readonly Person[]): Promise<Scene> {
  const { db } = database
  const id = await newBusiness(db)
  const outcomes = await saveAll(
    db,
    people.map((person) => toSave(id, person)),
  )
  assert.ok(outcomes.every((outcome) => !isRefusal(outcome)))
  const caller = callerIn({ db, clock }, id)
  const found = async (input: object) => {
    const names: string[] = []
    for (let cursor: string | undefined; ; ) {
      const asked = { ...input, ...(cursor !== undefined && { cursor }) }
      const page = await caller.get<Page>(contactList, asked)
      names.push(...page.contacts.map(({ email }) => email.split('@')[0] ?? ''))
      cursor = page.next_cursor
      if (cursor === undefined) return names
    }
  }
  return { id, caller, found }
}

const subscribed = { email: { status: 'subscribed', source: 'a page' } } as const
const people: Person[] = [
  { email: 'ana@example.com', tags: ['vip'], attributes: { plan: 'pro', ends: '2026-11-22' } },
  { email: 'bo@example.com', attributes: { plan: 'team' }, consent: subscribed },
  { email: 'cy@example.org', tags: ['vip'], attributes: { plan: 5 }, consent: subscribed },
  { email: 'di@example.org', name: "O'Hara; $1 --" },
]

test('a filter finds the contacts that match it, combined with the other parameters', async () => {
  const { found } = await sceneOf(people)
  const pro = { field: 'attributes.plan', op: 'in', value: ['pro', 'team', 5] }
  assert.deepEqual(await found({ filter: pro }), ['cy', 'bo', 'ana'])
  assert.deepEqual(await found({ filter: { not: pro } }), ['di'])
  assert.deepEqual(await found({ filter: { and: [pro, { tag: 'vip' }] } }), ['cy', 'ana'])
  assert.deepEqual(await found({ filter: pro, tag: 'vip', q: 'an' }), ['ana'])
  assert.deepEqual(await found({ filter: pro, email_consent: 'subscribed', limit: 1 }), [
    'cy',
    'bo',
  ])
  const hostile = { field: 'name', op: 'contains', value: "'hara; $1 -" }
  assert.deepEqual(await found({ filter: hostile }), ['di'])
})

test('days in a filter are days of the business’s time zone', async () => {
  const { id, found } = await sceneOf(people)
  const soon = { filter: { field: 'attributes.ends', op: 'upcoming', value: '1 day' } }
  // It is 23:30 on the 20th in UTC, and already the 21st in Paris.
  assert.deepEqual(await found(soon), [])
  await database.db.run(sql`update businesses set time_zone = 'Europe/Paris' where id = ${id}`)
  assert.deepEqual(await found(soon), ['ana'])
})

test('a suppressed contact is not reachable, even if the address has no mark', async () => {
  const { id, found } = await sceneOf(people)
  const filter = { reachable: 'email' }
  assert.deepEqual(await found({ filter }), ['cy', 'bo'])
  await suppressAddress(database.db, id, 'bo@example.com', 'complaint')
  await database.db.run(sql`
    update contacts set email_mark = null where business_id = ${id} and email = 'bo@example.com'
  `)
  assert.deepEqual(await found({ filter }), ['cy'])
  assert.deepEqual(await found({ filter: { not: filter } }), ['di', 'bo', 'ana'])
})

test('an invalid filter is refused with all its errors', async () => {
  const { caller } = await sceneOf([])
  const refused = await caller.refused(contactList, {
    filter: { and: [{ field: 'plan', op: 'is', value: 1 }, { tag: 1 }] },
  })
  assert.equal(refused.code, 'invalid_request')
  assert.equal(refused.details.field, 'filter.and[0].field')
  const faults = refused.details.data?.['faults'] as { path: string; fix?: unknown }[]
  assert.deepEqual(
    faults.map(({ path, fix }) => [path, fix]),
    [
      ['filter.and[0].field', 'attributes.plan'],
      ['filter.and[1]', undefined],
    ],
  )
})
