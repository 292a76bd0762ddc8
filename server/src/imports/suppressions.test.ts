/** Files of people who must not be written to: what they put on the list, and what undoing leaves there. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  contactsOf,
  saveAll,
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { suppressionsCsv, undoImport } from '../../../tests/support/businesses/suppression-files.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { importConfirm } from './confirm.ts'

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

const kind = 'suppressions' as const
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const csvOf = (id: Id<'business'>) => suppressionsCsv(database.db, id)

/** As the list goes out, without its columns of time and source. */
async function listOf(id: Id<'business'>): Promise<string[]> {
  const [, ...rows] = await csvOf(id)
  return rows.map((row) => row.split(',').slice(0, 4).join(',')).sort()
}

const undo = (id: Id<'business'>, importId: string) => undoImport(desk.in(id), importId)

test('the files of Mailchimp tell why and since when, and make no contacts', async () => {
  const id = await newBusiness(database.db)
  await saveAll(database.db, [toSave(id, { email: 'bo@example.com', name: 'Bo' })])
  const business = desk.in(id)
  const left = [
    'Email Address,First Name,MEMBER_RATING,UNSUB_TIME,UNSUB_REASON,LEID,EUID',
    'BO@example.com,Bo,2,2024-05-01 08:00:00,No longer interested,1,a1',
    'nobody,Bad,2,2024-05-01 08:00:00,,2,a2',
    '',
  ].join('\r\n')
  const checked = await business.bring(left, { kind, name: 'unsubscribed.csv' })
  assert.deepEqual([checked.state, checked.kind], ['ready', kind])
  assert.equal(checked.choices?.reason, 'unsubscribed')
  assert.deepEqual(
    checked.untrusted?.columns.map((column) => column.becomes),
    ['email', null, null, 'at', null, null, null],
  )
  const counted = ['rows', 'valid', 'known', 'suppressed'].map((text) => checked.found?.[text])
  assert.deepEqual(counted, [2, 1, 1, 0])
  assert.deepEqual(await listOf(id), [], 'a dry run suppresses nobody')
  await business.confirm(checked.import_id)
  await business.run('run', checked.import_id)
  const done = await business.get(checked.import_id)
  const { created, refused } = done.result ?? {}
  assert.deepEqual([done.state, created, refused], ['done', 1, 1])

  const cleaned = 'Email Address,CLEAN_TIME,LEID\ncy@example.com,2024-06-01 08:00:00,1\n'
  const { choices } = await business.take(cleaned, {}, { kind })
  assert.equal(choices?.reason, 'bounce')
  const [header, ...rows] = await csvOf(id)
  assert.equal(header, 'email,phone,sha256,reason,at,source')
  const expected = [
    'bo@example.com,,,unsubscribed,2024-05-01T08:00:00.000Z,import',
    `,,${sha256('cy@example.com')},bounce,2024-06-01T08:00:00.000Z,import`,
  ]
  assert.deepEqual(rows.toSorted(), expected.toSorted())
  assert.equal((await contactsOf(database.db, id)).length, 1)
})

test('hashes are known whoever has the address, before and after; a cell of addresses may be one', async () => {
  const id = await newBusiness(database.db)
  await saveAll(database.db, [
    toSave(id, { email: 'here@example.com' }),
    toSave(id, { phone: '+33612345678' }),
    toSave(id, { email: 'other@example.com' }),
  ])
  const file = [
    sha256('here@example.com'),
    sha256('+33612345678').toUpperCase(),
    sha256('later@example.com'),
  ]
  const done = await desk.in(id).take(`${file.join('\n')}\n`, { reason: 'complaint' }, { kind })
  assert.deepEqual(
    done.untrusted?.columns.map(({ column, becomes }) => [column, becomes]),
    [['Column 1', 'sha256']],
  )
  assert.equal(done.result?.['created'], 3)
  assert.deepEqual(await listOf(id), [
    ',+33612345678,,complaint',
    `,,${sha256('later@example.com')},complaint`,
    'here@example.com,,,complaint',
  ])
  await desk.in(id).caller.get(contactUpsert, { email: 'Later@example.com' })
  assert.ok((await listOf(id)).includes('later@example.com,,,complaint'))
  const mixed = `email\nana@example.com\n${sha256('ben@example.com')}\nx@example.com\n`
  const two = await desk.in(id).take(mixed, {}, { kind })
  assert.deepEqual([two.result?.['created'], two.result?.['refused']], [3, 0])
  assert.equal((await undo(id, done.import_id))?.deleted, 3)
  assert.ok(!(await listOf(id)).some((row) => row.includes('complaint')))
})

test('a file in windows-1252 is taken once its letters are confirmed', async () => {
  const business = desk.in(await newBusiness(database.db))
  const file = Buffer.from(
    'Courriel;Prénom;Téléphone\nzoe@example.com;Zoé;+33612345678\n',
    'latin1',
  )
  const one = await business.bring(file, { kind })
  assert.deepEqual([one.text?.encoding, one.text?.is_guess], ['windows-1252', true])
  assert.deepEqual(
    one.untrusted?.columns.map(({ becomes }) => becomes),
    ['email', null, 'phone'],
  )
  const refused = await business.caller.refused(importConfirm, { import_id: one.import_id })
  assert.equal(refused.details.field, 'encoding')
  await business.confirm(one.import_id, { encoding: 'windows-1252', reason: 'manual' })
  await business.run('run', one.import_id)
  assert.equal((await business.get(one.import_id)).result?.['created'], 1)
})

test('words of many services are reasons, and who may be written to is refused', async () => {
  const id = await newBusiness(database.db)
  const words = [
    ['a@example.com', 'Spam complaint', ''],
    ['b@example.com', 'hard-bounce', '2999-01-01'],
    ['c@example.com', 'blocklisted', '13/02/2024'],
    ['d@example.com', '550 5.1.1 no such user', ''],
    ['e@example.com', 'enabled', ''],
    ['', 'unsubscribed', ''],
  ]
  const file = ['email,status,date', ...words.map((row) => row.join(','))].join('\n')
  const done = await desk.in(id).take(file, { reason: 'bounce' }, { kind })
  assert.deepEqual([done.result?.['created'], done.result?.['refused']], [4, 2])
  const faults = done.found?.refusals.map(({ field, rows }) => [field, rows])
  assert.deepEqual(faults, [
    ['reason', [5]],
    ['row', [6]],
  ])
  const [, ...rows] = await csvOf(id)
  const today = clock.now().toISOString()
  assert.deepEqual(
    rows.map((row) => row.split(',').slice(2, 5).join(' ')).sort(),
    [
      `${sha256('a@example.com')} complaint ${today}`,
      `${sha256('b@example.com')} bounce ${today}`,
      `${sha256('c@example.com')} manual ${today}`,
      `${sha256('d@example.com')} bounce ${today}`,
    ].sort(),
    'a date that cannot be read, or is to come, counts as today',
  )
})

test('what is on the list stays there, or gets stricter; who was erased leaves no new trace', async () => {
  const id = await newBusiness(database.db)
  await suppressAddress(database.db, id, 'hard@example.com', 'bounce')
  await suppressAddress(database.db, id, 'soft@example.com', 'unsubscribed')
  await suppressAddress(database.db, id, 'gone@example.com')
  const names = ['hard', 'soft', 'gone', 'new', 'NEW'].map((text) => `${text}@example.com`)
  const file = `email\n${names.join('\n')}\n`
  const business = desk.in(id)
  const mild = await business.take(file, {}, { kind })
  const { created, updated, unchanged } = mild.result ?? {}
  assert.deepEqual([created, updated, unchanged], [1, 0, 4])
  assert.equal(mild.found?.['suppressed'], 3)
  const strict = await business.take(file, { reason: 'manual' }, { kind })
  assert.equal(strict.same_file?.import_id, mild.import_id)
  const { updated: stricter, unchanged: same } = strict.result ?? {}
  assert.deepEqual([stricter, same], [2, 3])
  const reasons = await database.db.all<{ reason: string }>(sql`
    select reason from suppressions where business_id = ${id} order by reason
  `)
  assert.deepEqual(
    reasons.map(({ reason }) => reason),
    ['bounce', 'erased', 'manual', 'manual'],
  )
  const traces = await database.db.all(sql`
    select from suppressed_hashes
    where business_id = ${id} and sha256 = ${Buffer.from(sha256('gone@example.com'), 'hex')}
  `)
  assert.deepEqual(traces, [])
  // The import that came first answers for the one that made it stricter.
  assert.deepEqual(await undo(id, strict.import_id), { deleted: 0, restored: 0, left: 2 })
  assert.deepEqual(await undo(id, mild.import_id), { deleted: 1, restored: 1, left: 0 })
  const after = await database.db.all<{ reason: string }>(sql`
    select reason from suppressions where business_id = ${id} order by reason
  `)
  assert.deepEqual(
    after.map(({ reason }) => reason),
    ['bounce', 'erased', 'unsubscribed'],
  )
})

test('the list goes out and comes into another business as it was', async () => {
  const id = await newBusiness(database.db)
  await saveAll(database.db, [
    toSave(id, { email: 'known@example.com' }),
    toSave(id, { phone: '+33612345678' }),
  ])
  const file = [
    'email,phone,sha256,reason,at',
    'known@example.com,,,bounce,2024-01-02',
    ',+33612345678,,manual,2024-01-03',
    'unknown@example.com,,,complaint,2024-01-04',
    `,,${sha256('hashed@example.com')},unsubscribed,2024-01-05`,
    'both@example.com,+33612345679,,unsubscribed,2024-01-06',
  ].join('\n')
  const done = await desk.in(id).take(file, {}, { kind })
  assert.equal(done.result?.['created'], 5)
  const out = await csvOf(id)
  assert.equal(out.length, 7)
  const other = await newBusiness(database.db)
  await saveAll(database.db, [
    toSave(other, { email: 'known@example.com' }),
    toSave(other, { phone: '+33612345678' }),
  ])
  const again = await desk.in(other).take(out.join('\r\n'), {}, { kind })
  assert.deepEqual([again.result?.['created'], again.result?.['refused']], [6, 0])
  const plain = (rows: string[]) => rows.map((row) => row.split(',').slice(0, 5).join(',')).sort()
  assert.deepEqual(plain(await csvOf(other)), plain(out))
})

test('choices of contacts are none of suppressions, and the other way round', async () => {
  const business = desk.in(await newBusiness(database.db))
  const listed = await business.bring('email\na@example.com\n', { kind })
  const tags = await business.caller.refused(importConfirm, {
    import_id: listed.import_id,
    tags: ['x'],
  })
  assert.deepEqual([tags.code, tags.details.field], ['invalid_request', 'tags'])
  const target = await business.caller.refused(importConfirm, {
    import_id: listed.import_id,
    mapping: { email: 'name' },
  })
  assert.match(target.message, /must be email, phone, sha256, reason, at, or null/)
  const people = await business.bring('email\nb@example.com\n')
  const reason = await business.caller.refused(importConfirm, {
    import_id: people.import_id,
    reason: 'bounce',
  })
  assert.equal(reason.details.field, 'reason')
})
