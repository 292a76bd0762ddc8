import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  contactsOf,
  saveAll,
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { takeFrom } from '../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import type { Job } from '../lib/jobs/job.ts'
import type { Person } from './contact.ts'
import { endContacts } from './erase.ts'
import { exportContacts } from './exporting/export-contacts.ts'
import { contactGet } from './get.ts'
import { contactList } from './list.ts'
import { indexJob } from './record.ts'
import { searchCondition } from './search.ts'
import { searchIndexJobs } from './search-index.ts'
import { standings } from './suppressions/standing.ts'

let database: TestDatabase
let db: Database
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
  db = database.db
})
after(() => database.drop())

interface Page {
  contacts: { contact_id: string; email: string | null; [more: string]: unknown }[]
  next_cursor?: string
}

async function businessWith(people: Person[]): Promise<{ id: Id<'business'>; caller: Caller }> {
  const id = await newBusiness(db)
  const outcomes = await saveAll(
    db,
    people.map((person) => toSave(id, person)),
  )
  assert.ok(outcomes.every((outcome) => !isRefusal(outcome)))
  return { id, caller: callerIn({ db, clock }, id) }
}

/** The emails on all pages, and the number of pages. */
async function all(caller: Caller, input: object = {}): Promise<[(string | null)[], number]> {
  const emails: (string | null)[] = []
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const page = await caller.get<Page>(contactList, { ...input, ...(cursor && { cursor }) })
    emails.push(...page.contacts.map(({ email }) => email))
    cursor = page.next_cursor
    if (cursor === undefined) return [emails, pages]
  }
}

/** Makes the saved people searchable, as the worker does. */
async function index(id: Id<'business'>): Promise<void> {
  const jobs = await takeFrom(db, clock, { kind: indexJob, lane: id }, 20)
  assert.ok(jobs.length > 0)
  const kind = searchIndexJobs({ db, clock })[indexJob]
  assert.ok(kind)
  await Promise.all(jobs.map(async (job) => kind.run(job, never)))
}

const never = new AbortController().signal

const found = async (caller: Caller, input: object) => (await all(caller, input))[0]

test('contacts are listed newest first, and pages of any size contain each contact once', async () => {
  const people = Array.from({ length: 7 }, (_, i) => ({ email: `p${i}@example.com` }))
  const { caller } = await businessWith(people)
  const expected = people.map(({ email }) => email).reverse()
  for (const [limit, pages] of [
    [1, 7],
    [3, 3],
    [7, 1],
    [200, 1],
  ] as const) {
    assert.deepEqual(await all(caller, { limit }), [expected, pages])
  }
  assert.deepEqual(await all(caller), [expected, 1])
})

test('a listed contact has its consent, and user-supplied text is under untrusted', async () => {
  const { caller } = await businessWith([
    {
      email: 'ana@example.com',
      name: 'Ana',
      attributes: { a: 1 },
      tags: ['x'],
      consent: { email: { status: 'subscribed', source: 'page' } },
    },
  ])
  const { contacts } = await caller.get<Page>(contactList)
  assert.equal(contacts.length, 1)
  const { contact_id, created_at, updated_at, ...rest } = contacts[0] as Page['contacts'][number]
  assert.match(contact_id, /^con_/)
  assert.equal(created_at, '2026-11-20T10:00:00.000Z')
  assert.equal(updated_at, created_at)
  assert.deepEqual(rest, {
    email: 'ana@example.com',
    phone: null,
    external_id: null,
    language: null,
    tags: ['x'],
    source: 'api',
    consent: { email: 'subscribed', sms: 'none', tracking: 'none' },
    standing: { email: 'subscribed', sms: 'none' },
    topics: { email: {}, sms: {} },
    untrusted: { name: 'Ana', first_name: null, last_name: null, attributes: { a: 1 } },
  })
})

const crowd: Person[] = [
  { email: 'ana@example.com', name: 'Ana Moreau', tags: ['vip', 'beta'] },
  { email: 'bo@example.com', name: 'ANABEL Li', tags: ['vip'] },
  { email: 'cy@example.com', phone: '+33612345678', name: 'Élodie' },
  { email: 'under_score@example.com', name: '100%' },
  {
    email: 'dee@example.com',
    consent: {
      email: { status: 'subscribed', source: 'page' },
    },
  },
]

test('a search matches the beginning of an address, a number or a name', async () => {
  const { caller } = await businessWith(crowd)
  const cases: [string, string[]][] = [
    ['ana', ['bo@example.com', 'ana@example.com']],
    ['ANA@EX', ['ana@example.com']],
    ['ana moreau', ['ana@example.com']],
    ['moreau', []],
    ['an', ['bo@example.com', 'ana@example.com']],
    ['+33 6 12', ['cy@example.com']],
    ['336', ['cy@example.com']],
    ['+33612345678', ['cy@example.com']],
    ['0612', []],
    ['él', ['cy@example.com']],
    ['100%', ['under_score@example.com']],
    ['%', []],
    ['under_', ['under_score@example.com']],
    ['under-', []],
    ['_', []],
  ]
  for (const [q, emails] of cases) {
    assert.deepEqual(await found(caller, { q }), emails, q)
    assert.deepEqual(await found(caller, { q, limit: 1 }), emails, q)
  }
})

test('a search finds any part of a person, without accents, and with one wrong letter', async () => {
  const { id, caller } = await businessWith([
    {
      email: 'jose@xn--bcher-kva.example',
      name: 'José Martínez',
      attributes: { Firma: 'Groß & Söhne' },
    },
    { email: 'ana@example.com', phone: '+33612345678', first_name: 'Ana', last_name: 'Moreau' },
    { email: 'p100%_x@example.com', name: 'Max', attributes: { zip: 69001, vip: true } },
  ])
  await index(id)
  const [jose, ana, max] = ['jose@xn--bcher-kva.example', 'ana@example.com', 'p100%_x@example.com']
  const cases: [string, (string | undefined)[]][] = [
    ['martinez', [jose]],
    ['MARTÍN', [jose]],
    ['tine', [jose]],
    ['grosse', [jose]],
    ['sohne gross', [jose]],
    ['bucher.ex', [jose]],
    ['moreau', [ana]],
    ['moraeu', [ana]],
    ['morreau', [ana]],
    ['moeau', [ana]],
    ['moxeau', [ana]],
    ['moreau anna', [ana]],
    ['mxreou', []],
    ['06 12 34', [ana]],
    ['345678', [ana]],
    ['69001', [max]],
    ['00%_', [max]],
    ['0%%_', []],
    ['true', []],
    ['example', [max, ana, jose]],
    ['[a-z]+', []],
    ['.*.*.*', []],
  ]
  for (const [q, emails] of cases) {
    assert.deepEqual(await found(caller, { q }), emails, q)
    assert.deepEqual(await found(caller, { q, limit: 1 }), emails, q)
    assert.deepEqual(await exported(id, q), emails.toReversed(), q)
  }
  assert.deepEqual(await found(caller, { q: 'moreau', tag: 'vip' }), [])
  // What changes is found under its new name alone, and what is erased under none.
  const rename = { email: 'ana@example.com', name: 'Ana Durand' }
  await saveAll(db, [toSave(id, { ...rename, first_name: 'Ana', last_name: 'Durand' })])
  await index(id)
  assert.deepEqual(await found(caller, { q: 'moreau' }), [])
  assert.deepEqual(await found(caller, { q: 'urand' }), [ana])
  const [contact] = await contactsOf(db, id)
  assert.ok(contact)
  await db.tx((tx) => endContacts(tx, id, [contact.id]))
  assert.deepEqual(await found(caller, { q: 'martinez' }), [])
  const left = await db.all(sql`select 1 from contact_search where business_id = ${id}`)
  assert.equal(left.length, 2)
})

test('people who were saved before the index are made searchable, and without it beginnings are', async (t) => {
  const { id, caller } = await businessWith([{ email: 'ana@example.com', name: 'Ana Moreau' }])
  await db.run(sql`delete from jobs`)
  const none = '00000000-0000-0000-0000-000000000000'
  await db.run(sql`update businesses set searchable_to = ${none} where id = ${id}`)
  assert.deepEqual(await found(caller, { q: 'moreau' }), [])
  const { 'contact.fill-search': fill } = searchIndexJobs({ db, clock })
  await fill?.run({} as Job, never)
  await index(id)
  assert.deepEqual(await found(caller, { q: 'moreau' }), ['ana@example.com'])
  const unfilled = await db.all(sql`select 1 from businesses where searchable_to is not null`)
  assert.equal(unfilled.length, 0)
  const elsewhere = await testDatabase()
  t.after(elsewhere.drop)
  await elsewhere.db.run(sql`drop index contact_search_by_words`)
  const other = await newBusiness(elsewhere.db)
  await saveAll(elsewhere.db, [toSave(other, { email: 'ana@example.com', name: 'Ana Moreau' })])
  const plain = callerIn({ db: elsewhere.db, clock }, other)
  assert.deepEqual(await found(plain, { q: 'ana' }), ['ana@example.com'])
  assert.deepEqual(await found(plain, { q: 'moreau' }), [])
})

/** The addresses that an export with this search holds, oldest first. */
async function exported(id: Id<'business'>, q: string) {
  const emails: (string | null)[] = []
  for await (const page of exportContacts(
    { db, hmac: testVault.hmac },
    id,
    await searchCondition(db, id, q),
  ))
    emails.push(...page.map(({ email }) => email))
  return emails
}

test('list parameters narrow the result, alone and together', async () => {
  const { caller } = await businessWith(crowd)
  const cases: [object, string[]][] = [
    [{ tag: 'vip' }, ['bo@example.com', 'ana@example.com']],
    [{ tag: 'beta' }, ['ana@example.com']],
    [{ tag: 'vi' }, []],
    [{ email_consent: 'subscribed' }, ['dee@example.com']],
    [{ sms_consent: 'subscribed' }, []],
    [{ tag: 'vip', q: 'anab' }, ['bo@example.com']],
    [{ tag: 'vip', email_consent: 'unsubscribed' }, []],
    [{ tag: 'vip', email_consent: 'none' }, ['bo@example.com', 'ana@example.com']],
  ]
  for (const [input, emails] of cases) assert.deepEqual(await found(caller, input), emails)
})

test('a business never sees another business’s contacts in its list, whatever the cursor', async () => {
  const { caller } = await businessWith([{ email: 'mine@example.com' }])
  const { caller: other } = await businessWith([{ email: 'theirs@example.com' }])
  const { contacts } = await other.get<Page>(contactList)
  const cursor = contacts[0]?.contact_id
  assert.deepEqual(await found(caller, { cursor }), ['mine@example.com'])
  assert.deepEqual(await found(other, { q: 'mine' }), [])
})

test('a broad search and a rare tag are answered in pages with bounded work', async () => {
  const { id, caller } = await businessWith([{ email: 'x0@example.com', tags: ['rare'] }])
  await db.run(sql`
    insert into contacts (business_id, id, email, name, attributes, tags, email_consent,
      sms_consent, source, created_at, updated_at)
    select ${id}, ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      'x' || n || '@example.com', 'X', '{}', '{}', 'none', 'none', 'api', ${clock.now()},
      ${clock.now()}
    from generate_series(1, 12000) as n
  `)
  const first = await caller.get<Page>(contactList, { tag: 'rare' })
  assert.deepEqual(first.contacts, [])
  assert.ok(first.next_cursor)
  assert.deepEqual(await all(caller, { tag: 'rare' }), [['x0@example.com'], 2])
  const wide = await caller.get<Page>(contactList, { q: 'x', limit: 2 })
  assert.deepEqual(
    wide.contacts.map(({ email }) => email),
    ['x12000@example.com', 'x11999@example.com'],
  )
  const [emails] = await all(caller, { q: 'X', limit: 200 })
  assert.equal(new Set(emails).size, 12_001)
  assert.equal((await exported(id, 'X')).length, 12_001)
  assert.deepEqual(await found(caller, { q: 'x0@' }), ['x0@example.com'])
})

test('an invalid cursor is refused with its field', async () => {
  const { caller } = await businessWith([])
  for (const cursor of ['x', formatId('form', 'x' as Id<'form'>), '']) {
    assert.equal((await caller.refused(contactList, { cursor })).details.field, 'cursor')
  }
})

test('a person who bounced, complained or was stopped is listed as such, not as subscribed', async () => {
  const consent = { email: { status: 'subscribed' as const, source: 'page' } }
  const reasons = ['bounce', 'complaint', 'stop', 'manual', 'unsubscribed'] as const
  const people = [...reasons, 'nothing'].map((reason) => ({
    email: `${reason}@example.com`,
    consent,
  }))
  const { id, caller } = await businessWith([...people, { phone: '+33612345678' }])
  for (const reason of reasons) await suppressAddress(db, id, `${reason}@example.com`, reason)
  await suppressAddress(db, id, '+33612345678', 'stop')
  // Another business's suppression says nothing here.
  await suppressAddress(db, await newBusiness(db), 'nothing@example.com', 'bounce')
  type Listed = {
    contact_id: string
    email: string | null
    standing: { email: string; sms: string }
  }
  const { contacts } = await caller.get<{ contacts: Listed[] }>(contactList)
  const byName = Object.fromEntries(
    contacts.map(({ email, standing }) => [email?.split('@')[0] ?? 'phone', standing]),
  )
  assert.deepEqual(byName, {
    bounce: { email: 'bounced', sms: 'none' },
    complaint: { email: 'complained', sms: 'none' },
    stop: { email: 'stopped', sms: 'none' },
    manual: { email: 'suppressed', sms: 'none' },
    unsubscribed: { email: 'unsubscribed', sms: 'none' },
    nothing: { email: 'subscribed', sms: 'none' },
    phone: { email: 'none', sms: 'stopped' },
  })
  for (const { contact_id, standing } of contacts) {
    const shown = await caller.get<Listed>(contactGet, { contact_id })
    assert.deepEqual(shown.standing, standing)
  }
  for (const channel of ['email', 'sms'] as const) {
    for (const is of standings) {
      const inList = contacts.filter(({ standing }) => standing[channel] === is)
      const filter = { standing: channel, is }
      assert.deepEqual(
        (await caller.get<{ contacts: Listed[] }>(contactList, { filter })).contacts,
        inList,
        is,
      )
    }
  }
  const inExport: object[] = []
  for await (const page of exportContacts({ db, hmac: testVault.hmac }, id, sql`true`))
    inExport.push(...page.map(({ standing }) => standing))
  const inList = contacts.map(({ standing }) => standing)
  assert.deepEqual(inExport, inList.toReversed())
  const suppressed = (more: object) => found(caller, { filter: { suppressed: 'email', ...more } })
  assert.equal((await suppressed({})).length, reasons.length)
  assert.deepEqual(await suppressed({ reasons: ['bounce', 'stop'] }), [
    'stop@example.com',
    'bounce@example.com',
  ])
  assert.deepEqual(await found(caller, { filter: { reachable: 'email' } }), ['nothing@example.com'])
})

test('a search finds an international domain as it is written and as it is stored', async () => {
  const email = 'ana@xn--bcher-kva.example'
  const { caller } = await businessWith([{ email }, { email: 'ben@example.com' }])
  for (const q of ['ana@bücher.example', 'ana@bücher', 'ana@BÜCHER', 'ana@bücher.', email]) {
    assert.deepEqual(await found(caller, { q }), [email], q)
  }
})
