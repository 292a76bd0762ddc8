/** Imports that are paused, cancelled, expired after a week, or name an erased person. */

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { sha256Of } from '../contacts/suppressions/suppression.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { importCancel } from './cancel.ts'
import { importConfirm } from './confirm.ts'
import { importPause } from './pause.ts'
import { importPersonalData } from './personal-data.ts'
import { importUndo } from './undo.ts'

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

const filesLeft = async (id: string) =>
  (await readdir(path.join(desk.folder, 'imports', id)).catch(() => [])).length

const keptOf = async (id: string) => {
  const { n } = await database.db.one<{ n: number }>(sql`
    select (select count(*) from import_changes where business_id = ${id})
      + (select count(*) from import_errors where business_id = ${id}) as n
  `)
  return n
}

test('a paused import saves no rows until it is confirmed again, and then continues where it was', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const { import_id } = await business.bring('email\na@example.com\nb@example.com\n')
  const refused = await business.caller.refused(importPause, { import_id })
  assert.match(refused.message, /this one is ready/)
  await business.confirm(import_id)
  await business.caller.get(importPause, { import_id })
  await business.run('run', import_id)
  assert.deepEqual(await contactsOf(database.db, id), [])
  assert.equal((await business.get(import_id)).state, 'paused')
  await business.confirm(import_id)
  await business.run('run', import_id)
  // Running the same job again, as after a lost lease, changes nothing.
  await business.run('run', import_id)
  assert.equal((await contactsOf(database.db, id)).length, 2)
  assert.equal((await business.get(import_id)).result?.['created'], 2)
})

test('a cancelled import deletes its file, and cannot be resumed', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const { import_id } = await business.bring('email\na@example.com\n')
  assert.equal(await filesLeft(id), 1)
  const cancel = importCancel(desk.facility)
  await business.caller.get(cancel, { import_id })
  assert.equal(await filesLeft(id), 0)
  assert.equal((await business.get(import_id)).state, 'cancelled')
  const undone = await business.caller.refused(importUndo, {
    import_id: 'imp_01m87wfq3venesaqaxsf5dpcke',
  })
  assert.equal(undone.code, 'not_found')
})

test('after seven days an import’s refused rows and undo data are deleted, and undo says so', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const done = await business.take('email\na@example.com\nbad\n')
  assert.equal(await filesLeft(id), 0)
  assert.equal(await keptOf(id), 2)
  clock.forward(7 * 86_400_000 - 1_000)
  assert.equal((await business.run('expire', done.import_id))?.outcome, 'again')
  assert.equal(await keptOf(id), 2)
  clock.forward(2_000)
  assert.equal((await business.run('expire', done.import_id))?.outcome, 'done')
  assert.equal(await keptOf(id), 0)
  const refused = await business.caller.refused(importUndo, { import_id: done.import_id })
  assert.equal(refused.code, 'gone')
})

test('an erasure removes the person’s import data and waiting files that contain the address', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  await business.take('email,name\na@example.com,Ana\nb@example.com,\nbad,knows A@example.com\n')
  const waiting = await business.bring('email\nA@Example.com\nc@example.com\n')
  const other = await business.bring('email\nc@example.com\n')
  assert.equal(await keptOf(id), 3)
  const [ana] = await contactsOf(database.db, id)
  const data = importPersonalData({ files: desk.files, reader: desk.reader })
  const erased = {
    businessId: id,
    contactIds: [ana?.id as Id<'contact'>],
    addresses: ['a@example.com'],
  }
  const isDone = await database.db.tx((tx) => data.forget(tx, erased, clock.now()))
  assert.equal(isDone, true)
  assert.equal(await keptOf(id), 1)
  const gone = await business.get(waiting.import_id)
  assert.deepEqual([gone.state, gone.fault?.code], ['failed', 'erased'])
  assert.equal((await business.get(other.import_id)).state, 'ready')
  assert.equal(await filesLeft(id), 1)
  // A running import refuses the erased person at their row, so the erasure has to wait for it.
  await business.confirm(other.import_id)
  const again = await database.db.tx((tx) => data.forget(tx, erased, clock.now()))
  assert.equal(again, false)
})

for (const [what, row] of [
  ['an address beside a fault', 'A@example.com,,,too,many'],
  ['a quotation mark that is never closed', '"a@example.com,,'],
  ['a phone number that is written otherwise', 'no address,,06 12-34 56 78'],
  ['a SHA-256 in place of the address', sha256Of('a@example.com').toString('hex')],
] as const) {
  test(`an erasure removes a waiting file that names the person in a faulty row: ${what}`, async () => {
    const id = await newBusiness(database.db)
    const business = desk.in(id)
    const head = 'email,name,phone\n'
    await business.take(`${head}no address,,06 12 34 56 79\n${row}\n`)
    assert.equal(await keptOf(id), 2)
    const waiting = await business.bring(`${head}c@example.com,,\n${row}\n`)
    const other = await business.bring(`${head}c@example.com,,\nno address,,06 12 34 56 79\n`)
    const data = importPersonalData({ files: desk.files, reader: desk.reader })
    const erased = {
      businessId: id,
      contactIds: [],
      addresses: ['a@example.com', '+33612345678'],
    }
    assert.equal(await database.db.tx((tx) => data.forget(tx, erased, clock.now())), true)
    assert.equal(await keptOf(id), 1)
    const gone = await business.get(waiting.import_id)
    assert.deepEqual([gone.state, gone.fault?.code], ['failed', 'erased'])
    assert.equal((await business.get(other.import_id)).state, 'ready')
    assert.equal(await filesLeft(id), 1)
  })
}

test('an erasure removes a waiting file that names the person in a cell that is left out', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const cell = `A@example.com ${'x'.repeat(1_000)}`
  await business.take(`email,name\neve@example.com,${cell}\n`)
  const waiting = await business.bring(`email,name\neve@example.com,${cell}\n`)
  const rowsBefore = await keptOf(id)
  const data = importPersonalData({ files: desk.files, reader: desk.reader })
  const erased = { businessId: id, contactIds: [], addresses: ['a@example.com'] }
  assert.equal(await database.db.tx((tx) => data.forget(tx, erased, clock.now())), true)
  assert.equal((await business.get(waiting.import_id)).state, 'failed')
  assert.equal(await keptOf(id), rowsBefore - 1, 'the line of errors.csv is gone')
})

test('one mail tells the member who started an import how it ended', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const done = await business.take('email\na@example.com\n')
  await business.run('mail', done.import_id)
  // The caller of these tests is not a member of the business, so nobody may get its contacts.
  assert.deepEqual(desk.mails, [])
  const user = await database.db.one<{ userId: Id<'user'> }>(sql`
    insert into users (id, email, created_at) values (${parseId('user', 'usr_01m87wfq3venesaqaxsf5dpcke')},
      'owner@example.com', ${clock.now()}) returning id as "userId"
  `)
  await database.db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${id}, ${user.userId}, 'owner', ${clock.now()})
  `)
  await database.db.run(sql`update imports set user_id = ${user.userId} where business_id = ${id}`)
  await business.run('mail', done.import_id)
  assert.deepEqual(
    desk.mails.map(({ to, subject }) => [to, subject]),
    [['owner@example.com', 'Import complete']],
  )
  const page = `/b/${formatId('business', id)}/contacts/import?id=${done.import_id}`
  const [told] = desk.mails.map(({ text }) => String(text))
  assert.ok(told?.includes(`${page}\n`), 'its link opens the import in the app')
  await database.db.run(sql`update businesses set language = 'de' where id = ${id}`)
  await business.run('mail', done.import_id)
  const [, inGerman] = desk.mails.map(({ text }) => String(text))
  assert.match(inGerman ?? '', /ist abgeschlossen\. Neue Kontakte: 1, geändert: 0, /)
})

test('the next file with the same headings is mapped as the last one was, by its own types', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const first = await business.bring('Mail;Telefon;Stufe;Alter\na@example.com;030 901820;Gold;31\n')
  const column = (view: typeof first, name: string) =>
    view.untrusted?.columns.find((entry) => entry.column === name)
  assert.equal(column(first, 'Telefon')?.national_numbers, true)
  assert.deepEqual(column(first, 'Stufe')?.values, ['Gold'])
  const choices = {
    mapping: { Telefon: 'phone', Stufe: 'attributes.level' },
    values: { Stufe: { Gold: '1' } },
    country: 'de',
    tags: ['fair'],
    consent: { email: { source: 'fair', text: 'Yes' } },
  }
  await business.confirm(first.import_id, choices)
  await business.run('run', first.import_id)
  const [contact] = await contactsOf(database.db, id)
  assert.deepEqual(
    [contact?.phone, contact?.attributes],
    ['+4930901820', { level: '1', alter: 31 }],
  )

  const next = await business.bring('Mail;Telefon;Stufe;Alter\nb@example.com;030 901821;Gold;alt\n')
  assert.deepEqual(next.choices, {
    tags: [],
    mode: 'update',
    blanks_erase: false,
    consent: {},
    country: 'DE',
    values: { Stufe: { Gold: '1' } },
    remembered: true,
  })
  assert.deepEqual(
    next.untrusted?.columns.map(({ becomes }) => becomes),
    ['email', 'phone', 'attributes.level', 'attributes.alter'],
  )
  const without = await business.confirm(next.import_id, { country: null, dry_run: true })
  assert.equal((await business.get(without.import_id)).choices?.country, undefined)

  // Other headings, another business: nothing is remembered.
  const other = await business.bring('Mail;Telefon\nc@example.com;030 901822\n')
  assert.equal(other.choices?.remembered, undefined)
  const stranger = desk.in(await newBusiness(database.db))
  const theirs = await stranger.bring('Mail;Telefon;Stufe;Alter\nd@example.com;030 901823;Gold;1\n')
  assert.equal(theirs.choices?.remembered, undefined)
})

test('a country, a column or a default that does not exist is refused with its field', async () => {
  const business = desk.in(await newBusiness(database.db))
  const { import_id } = await business.bring('email,plan\na@example.com,pro\n')
  const cases: [object, string][] = [
    [{ country: 'XX' }, 'country'],
    [{ country: 'Germany' }, 'country'],
    [{ values: { Plan: { pro: '1' } } }, 'values.Plan'],
    [{ defaults: { email: 'a@example.com' } }, 'defaults.email'],
    [{ defaults: { 'attributes.n:number': 'many' } }, 'defaults.attributes.n:number'],
    [{ defaults: { 'consent.email': 'subscribed' } }, 'defaults.consent.email'],
  ]
  for (const [choices, field] of cases) {
    const refused = await business.caller.refused(importConfirm, { import_id, ...choices })
    assert.equal(refused.details.field, field)
  }
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`attributes.k${i}`, 'x']))
  const tooMany = { import_id, defaults: many }
  assert.equal((await business.caller.refused(importConfirm, tooMany)).details.field, 'defaults')
})
