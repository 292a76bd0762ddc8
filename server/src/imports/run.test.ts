/** What imported files change in contacts, and what they leave unchanged. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  contactsCounted,
  contactsOf,
  eventsOf,
  saveAll,
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'

const clock = new ManualClock()
let database: TestDatabase
let desk: ImportDesk
before(async () => {
  database = await testDatabase()
  desk = await importDesk({ db: database.db, clock })
})
after(async () => {
  await desk.close()
  await database.drop()
})

const mailchimp = [
  'Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID,TAGS,City',
  'ana@example.com,Ana,Ruiz,2,2020-01-02 03:04:05,192.0.2.1,2020-01-02 03:10:00,192.0.2.2,1,"vip, ""a, b""",Lyon',
  'BEN@Example.com,Ben,"O\'Hara\r\nJr",2,,,,,2,,"Saint-Étienne"',
  'nobody,Bad,Row,2,,,,,3,,',
  'ana@example.com,Ana Maria,,2,,,,,4,,',
  '',
].join('\r\n')

test('a Mailchimp export is recognised by its columns, and its consent evidence goes to the ledger', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const checked = await business.bring(mailchimp)
  assert.equal(checked.state, 'ready')
  assert.deepEqual(checked.text, {
    encoding: 'utf-8',
    is_guess: false,
    delimiter: ',',
    exported_by: 'mailchimp',
  })
  const becomes = checked.untrusted?.columns.map((column) => column.becomes)
  assert.deepEqual(becomes, [
    'email',
    'first_name',
    'last_name',
    null,
    'consent.email.at',
    'consent.email.ip',
    'consent.email.confirmed_at',
    'consent.email.confirmed_ip',
    null,
    'tags',
    'attributes.city',
  ])
  const { refusals, ...rest } = checked.found ?? { refusals: [] }
  const { addresses: _addresses, ...found } = rest as Record<string, unknown>
  assert.deepEqual(found, {
    rows: 4,
    valid: 3,
    doubled: 1,
    doubled_at_least: false,
    known: 0,
    unsubscribed: 0,
    suppressed: 0,
    erased: 0,
    without_evidence: 0,
    left_out: [],
  })
  assert.deepEqual(
    refusals.map(({ field, count, rows }) => ({ field, count, rows })),
    [{ field: 'email', count: 1, rows: [3] }],
  )
  assert.deepEqual(await contactsOf(database.db, id), [], 'a dry run saves nothing')

  const consent = { email: { source: 'our shop', text: 'Write to me' } }
  await business.confirm(checked.import_id, { consent, tags: ['moved'] })
  await business.run('run', checked.import_id)
  const done = await business.get(checked.import_id)
  assert.equal(done.state, 'done')
  assert.deepEqual(done.result, {
    created: 2,
    updated: 1,
    unchanged: 0,
    refused: 1,
    stayed_unsubscribed: 0,
    without_evidence: 0,
    left_out: 0,
  })
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ email, name, attributes, tags, consent }) => {
      return { email, name, attributes, tags, consent: consent.email }
    }),
    [
      {
        email: 'ana@example.com',
        name: 'Ana Maria Ruiz',
        attributes: { city: 'Lyon' },
        tags: ['a, b', 'moved', 'vip'],
        consent: 'subscribed',
      },
      {
        email: 'ben@example.com',
        name: "Ben O'Hara Jr",
        attributes: { city: 'Saint-Étienne' },
        tags: ['moved'],
        consent: 'subscribed',
      },
    ],
  )
  const [first] = await consentsOf(database.db, id)
  const times = 'agreed 2020-01-02 03:04:05, confirmed 2020-01-02 03:10:00'
  assert.deepEqual([first?.source, first?.text], [`our shop (${times})`, 'Write to me'])
  const events = await eventsOf(database.db, id)
  const completed = events.filter(({ type }) => type === 'import.completed')
  assert.deepEqual(
    completed.map(({ data }) => [data['state'], data['created'], data['refused']]),
    [['done', 2, 1]],
  )
})

test('an import subscribes no contact without evidence, and does not restore those who left or were erased', async () => {
  const id = await newBusiness(database.db)
  const left = { status: 'unsubscribed' as const, source: 'a link' }
  await saveAll(database.db, [
    toSave(id, { email: 'left@example.com', name: 'Old', consent: { email: left } }),
    toSave(id, { email: 'gone@example.com' }),
  ])
  await suppressAddress(database.db, id, 'gone@example.com')
  const file = [
    'email,name,status,uuid,attributes',
    'left@example.com,New,enabled,1,"{""plan"": ""pro"", ""n"": 3, ""deep"": {""a"": 1}}"',
    'gone@example.com,Gone,enabled,2,',
    'new@example.com,New,enabled,3,',
    'no@example.com,No,blocklisted,4,',
  ].join('\n')
  const business = desk.in(id)
  const checked = await business.bring(file)
  assert.equal(checked.text?.exported_by, 'listmonk')
  const { found } = checked
  assert.deepEqual([found?.['unsubscribed'], found?.['erased'], found?.['valid']], [1, 1, 3])
  const done = await business.take(`${file}\n`, {
    consent: { email: { source: 'listmonk', text: 'Yes' } },
  })
  assert.deepEqual(done.result, {
    created: 2,
    updated: 1,
    unchanged: 0,
    refused: 1,
    stayed_unsubscribed: 1,
    without_evidence: 0,
    left_out: 0,
  })
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ email, name, consent, attributes }) => [email, name, consent.email, attributes]),
    [
      ['left@example.com', 'New', 'unsubscribed', { plan: 'pro', n: 3, deep: '{"a":1}' }],
      ['new@example.com', 'New', 'subscribed', {}],
      ['no@example.com', 'No', 'unsubscribed', {}],
    ],
  )
  const plain = await desk
    .in(await newBusiness(database.db))
    .take('email,consent.email\na@example.com,subscribed\n')
  assert.equal(plain.result?.['without_evidence'], 1)
})

test('existing contacts are updated, skipped or filled in, and blanks erase values only on request', async () => {
  const file = 'email,name,attributes.city,attributes.plan\nana@example.com,,Paris,pro\n'
  const outcome = async (choices: object) => {
    const id = await newBusiness(database.db)
    const ana = { email: 'ana@example.com', name: 'Ana', attributes: { city: 'Lyon' } }
    await saveAll(database.db, [toSave(id, ana)])
    await desk.in(id).take(file, choices)
    const [one] = await contactsOf(database.db, id)
    return [one?.name, one?.attributes]
  }
  assert.deepEqual(await outcome({}), ['Ana', { city: 'Paris', plan: 'pro' }])
  assert.deepEqual(await outcome({ mode: 'only_new' }), ['Ana', { city: 'Lyon' }])
  assert.deepEqual(await outcome({ mode: 'fill_blanks' }), ['Ana', { city: 'Lyon', plan: 'pro' }])
  assert.deepEqual(await outcome({ blanks_erase: true }), [null, { city: 'Paris', plan: 'pro' }])
})

test('each step of an import sees the contacts that earlier steps of its transaction saved', async () => {
  const id = await newBusiness(database.db)
  await suppressAddress(database.db, id, 'gone@example.com')
  const people = Array.from(
    { length: 240 },
    (_, n) => `p${n}@example.com,P${n},+3361234${1000 + n}`,
  )
  const file = [
    'email,name,phone',
    ...people,
    'p0@example.com,Zero,',
    'gone@example.com,Gone,',
    'p7@example.com,P7,',
    ',Seven,+33612341007',
  ].join('\n')
  const done = await desk.in(id).take(file)
  const { created, updated, unchanged, refused } = done.result ?? {}
  assert.deepEqual([created, updated, unchanged, refused], [240, 2, 1, 1])
  const names = (await contactsOf(database.db, id)).map(({ name }) => name)
  assert.deepEqual([names.length, names[0], names[7]], [240, 'Zero', 'Seven'])
  assert.equal(await contactsCounted(database.db, id), 240)
})

test('rows beyond the contact limit are refused, and later rows still update existing contacts', async () => {
  const id = await newBusiness(database.db, 'free')
  const people = Array.from({ length: 620 }, (_, n) => `p${n}@example.com,P${n}`)
  const file = ['email,name', ...people, 'p0@example.com,Zero', 'p505@example.com,New'].join('\n')
  const done = await desk.in(id).take(file)
  const { created, updated, unchanged, refused } = done.result ?? {}
  assert.deepEqual([created, updated, unchanged, refused], [500, 1, 0, 121])
  assert.equal(await contactsCounted(database.db, id), 500)
})

test('undoing an import restores earlier values, and keeps contacts that were changed since', async () => {
  const id = await newBusiness(database.db)
  const yes = { status: 'subscribed' as const, source: 'a form' }
  await saveAll(database.db, [
    toSave(id, { email: 'a@example.com', name: 'A', tags: ['x'], attributes: { n: 1 } }),
    toSave(id, { email: 'b@example.com', name: 'B', consent: { email: yes } }),
  ])
  const before = await contactsOf(database.db, id)
  clock.forward(1_000)
  const business = desk.in(id)
  const file = [
    'email,name,tags,attributes.n:number,phone,consent.email',
    'a@example.com,AA,y,2,+33612345678,',
    'b@example.com,BB,,,,unsubscribed',
    'c@example.com,C,,,,',
    'd@example.com,D,,,,',
  ].join('\n')
  const done = await business.take(file)
  assert.deepEqual([done.result?.['created'], done.result?.['updated']], [2, 2])
  assert.equal(await contactsCounted(database.db, id), 4)
  clock.forward(1_000)
  await saveAll(database.db, [toSave(id, { email: 'd@example.com', name: 'Dora' })])
  const { importUndo } = await import('./undo.ts')
  await business.caller.get(importUndo, { import_id: done.import_id })
  await business.run('undo', done.import_id)
  const undone = await business.get(done.import_id)
  assert.equal(undone.state, 'undone')
  assert.deepEqual(undone.result?.undone, { deleted: 1, restored: 2, left: 1 })
  const after = await contactsOf(database.db, id)
  assert.deepEqual(after.slice(0, 2), before)
  assert.deepEqual(
    after.slice(2).map(({ name }) => name),
    ['Dora'],
  )
  assert.equal(await contactsCounted(database.db, id), 3)
})

test('a job whose worker died is settled after its first rows, and counts no death any more', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const rows = Array.from({ length: 2_500 }, (_, n) => `p${n}@example.com`)
  for (const kind of ['contacts', 'suppressions'] as const) {
    const { import_id } = await business.bring(`email\n${rows.join('\n')}\n`, { kind })
    await business.confirm(import_id)
    assert.equal((await business.run('run', import_id, 2))?.outcome, 'again')
    const { progress } = await business.get(import_id)
    assert.ok(progress && progress.rows > 0 && progress.rows < rows.length, `${progress?.rows}`)
    assert.equal((await business.run('run', import_id))?.outcome, 'done')
    assert.equal((await business.get(import_id)).result?.['created'], rows.length)
  }
})
