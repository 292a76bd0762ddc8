/** A cell that cannot be read costs itself, and never the person whose row it is in. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  contactsOf,
  saveAll,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { type Id, parseId } from '../core/ids.ts'
import { errorsCsv } from './errors-csv.ts'
import { findImport } from './import.ts'

let database: TestDatabase
let desk: ImportDesk
before(async () => {
  database = await testDatabase()
  desk = await importDesk({ db: database.db, clock: new ManualClock() })
})
after(async () => {
  await desk.close()
  await database.drop()
})

/** The lines of errors.csv: the row's own cells, the code, the message and the number. */
async function errorsOf(businessId: Id<'business'>, importId: string): Promise<string[]> {
  const id = parseId('import', importId)
  const found = id && (await findImport(database.db, businessId, id))
  assert.ok(found)
  let csv = ''
  for await (const piece of errorsCsv(
    { db: database.db, reader: desk.reader },
    businessId,
    found,
  )) {
    csv += piece
  }
  return csv.trim().split('\r\n').slice(1)
}

/** Imports one row below these headings. */
async function takeRow(headings: string, row: string, choices: object = {}) {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const file = `${headings}\n${row}\n`
  const checked = await business.bring(file)
  await business.confirm(checked.import_id, { ...choices, dry_run: true })
  await business.run('check', checked.import_id)
  const { found } = await business.get(checked.import_id)
  await business.confirm(checked.import_id)
  await business.run('run', checked.import_id)
  const done = await business.get(checked.import_id)
  assert.equal(done.state, 'done')
  const [person] = await contactsOf(database.db, id)
  return { id, found, done, person, errors: await errorsOf(id, checked.import_id) }
}

const long = 'x'.repeat(4_001)
const bad: [column: string, target: string, cell: string, field: string, words: RegExp][] = [
  ['Phone', 'phone', '06 12 34 56 78', 'phone', /country code/],
  ['Phone', 'phone', 'n/a', 'phone', /phone/],
  ['Phone', 'phone', '+33 1', 'phone', /no phone number that exists/],
  ['Language', 'language', 'French', 'language', /language tag/],
  ['Name', 'name', 'x'.repeat(201), 'name', /200/],
  ['Age', 'attributes.age:number', 'old', 'attributes.age', /must be a number/],
  ['Id', 'attributes.id:number', '12345678901234567890', 'attributes.id', /must be a number/],
  ['Member', 'attributes.member:boolean', 'perhaps', 'attributes.member', /true or false/],
  ['Notes', 'attributes.notes', long, 'attributes.notes', /4,?000/],
  ['All', 'attributes', '{"id":12345678901234567890}', 'attributes', /\/attributes\/id is beyond/],
  ['All', 'attributes', 'plan=pro', 'attributes', /JSON object/],
  ['All', 'attributes', `{"a":"${long}"}`, 'attributes', /4,?000/],
  ['Tags', 'tags', 'y'.repeat(65), 'tags', /64/],
  ['Status', 'consent.email', 'perhaps', 'consent.email', /none of subscribed/],
]

for (const [column, target, cell, field, words] of bad) {
  test(`a cell of ${target} that holds ${cell.slice(0, 30)} is left out, listed and counted`, async () => {
    const quoted = `"${cell.replaceAll('"', '""')}"`
    const { found, done, person, errors } = await takeRow(
      `Email,City,${column}`,
      `pat@example.com,Paris,${quoted}`,
      { mapping: { [column]: target }, tags: ['spring'] },
    )
    assert.deepEqual([found?.['valid'], found?.refusals], [1, []])
    const listed = found?.left_out ?? []
    assert.deepEqual(
      listed.map(({ code, field: of, count, rows }) => [code, of, count, rows]),
      [['left_out', field, 1, [1]]],
    )
    assert.match(listed[0]?.message ?? '', words)
    assert.ok(listed[0]?.reason, 'the app has words for a reason')
    const { created, refused, left_out } = done.result ?? {}
    assert.deepEqual([created, refused, left_out], [1, 0, 1])
    const { email, phone, name, language, attributes, tags, consent } = person ?? {}
    assert.deepEqual(
      { email, phone, name, language, attributes, tags, consent: consent?.email },
      {
        email: 'pat@example.com',
        phone: null,
        name: null,
        language: null,
        attributes: { city: 'Paris' },
        tags: ['spring'],
        consent: 'none',
      },
    )
    assert.equal(errors.length, 1)
    assert.match(errors[0] ?? '', new RegExp(`,left_out,.*“${column}” was left out: .*,1$`))
    assert.ok(done.errors_url)
  })
}

test('several bad cells of a row are named in one line, and a row without an address is refused', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const checked = await business.bring(
    'Email,Phone,Language,Age\npat@example.com,n/a,French,old\nnobody,n/a,fr,1\n,,fr,2\n',
  )
  const mapping = { Phone: 'phone', Language: 'language', Age: 'attributes.age:number' }
  await business.confirm(checked.import_id, { mapping })
  await business.run('run', checked.import_id)
  const { result } = await business.get(checked.import_id)
  assert.deepEqual([result?.['created'], result?.['refused'], result?.['left_out']], [1, 2, 3])
  const errors = await errorsOf(id, checked.import_id)
  assert.match(
    errors[0] ?? '',
    /left_out,.*“Age” was left out: .*“Phone” was left out: .*“Language”/,
  )
  assert.match(errors[1] ?? '', /invalid_request,That is not an email address.*,2$/)
  assert.match(errors[2] ?? '', /invalid_request,"?email is missing.*,3$/)
})

test('whoever has one address that can be read is imported by it', async () => {
  const byPhone = await takeRow('Email,Phone', 'nobody,+33612345678')
  assert.deepEqual(
    [byPhone.person?.email, byPhone.person?.phone, byPhone.done.result?.['left_out']],
    [null, '+33612345678', 1],
  )
  assert.match(byPhone.errors[0] ?? '', /“Email” was left out/)
  const alone = await takeRow('Phone,Name', '06 12 34 56 78,Pat', { mapping: { Phone: 'phone' } })
  assert.deepEqual([alone.person, alone.done.result?.['refused']], [undefined, 1])
  assert.match(alone.errors[0] ?? '', /invalid_request,"?phone needs its country code/)
})

test('the number of somebody else, a topic that does not exist and too many tags cost themselves alone', async () => {
  const id = await newBusiness(database.db)
  const tags = Array.from({ length: 50 }, (_, i) => `t${i}`)
  await saveAll(database.db, [
    toSave(id, { email: 'ana@example.com', phone: '+33612345678' }),
    toSave(id, { email: 'ben@example.com', tags }),
  ])
  const done = await desk
    .in(id)
    .take(
      [
        'email,phone,name,tags,consent.email,consent.email.source,consent.email.topics',
        'pat@example.com,+33612345678,Pat,,subscribed,shop,',
        'ben@example.com,,Ben,one more,,,',
        'cy@example.com,,Cy,,subscribed,shop,nothing-like-it',
        'di@example.com,,Di,,unsubscribed,shop,nothing-like-it',
        'eve@example.com,+33612345679,Eve,,,,',
      ].join('\n'),
    )
  const { created, updated, refused, left_out } = done.result ?? {}
  assert.deepEqual([created, updated, refused, left_out], [4, 1, 0, 4])
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ email, phone, name, consent }) => [email, phone, name, consent.email]),
    [
      ['ana@example.com', '+33612345678', null, 'none'],
      ['ben@example.com', null, 'Ben', 'none'],
      ['pat@example.com', null, 'Pat', 'subscribed'],
      ['cy@example.com', null, 'Cy', 'none'],
      ['di@example.com', null, 'Di', 'unsubscribed'],
      ['eve@example.com', '+33612345679', 'Eve', 'none'],
    ].sort(
      (a, b) =>
        people.findIndex((one) => one.email === a[0]) -
        people.findIndex((one) => one.email === b[0]),
    ),
  )
  const errors = await errorsOf(id, done.import_id)
  assert.equal(errors.length, 4)
  assert.match(errors[0] ?? '', /“phone” was left out: The phone number is that of contact/)
  assert.match(errors[1] ?? '', /“tags” was left out/)
  assert.match(errors[2] ?? '', /“consent.email.topics” was left out/)
})

test('whoever left has left, whatever else their row says', async () => {
  const headings = 'email,consent.email,consent.email.source,consent.email.left_at'
  const evidence = await takeRow(headings, `pat@example.com,unsubscribed,${'s'.repeat(300)},`)
  assert.equal(evidence.person?.consent.email, 'unsubscribed')
  const status = await takeRow(headings, 'pat@example.com,Abgemeldet,,2024-01-02')
  assert.equal(status.person?.consent.email, 'unsubscribed')
  const [said] = await consentsOf(database.db, status.id)
  assert.match(said?.source ?? '', /left 2024-01-02/)
  // A word that is not known subscribes nobody, whatever is stated for the whole file.
  const agreed = { consent: { email: { source: 'shop', text: 'Yes' } } }
  const known = await takeRow(headings, 'pat@example.com,Abgemeldet,,', agreed)
  assert.equal(known.person?.consent.email, 'unsubscribed')
  const unknown = await takeRow(headings, 'pat@example.com,Vielleicht,,', agreed)
  assert.equal(unknown.person?.consent.email, 'none')
})

test('a number that an export wrote comes back, however long it is', async () => {
  const cells = ['1152921504606847000', '100000000000000000000', '1e+21', '-9007199254740993']
  const read = await takeRow(
    `email,${cells.map((_, i) => `attributes.n${i}:number`).join()}`,
    `pat@example.com,${cells.join()}`,
  )
  assert.deepEqual(read.person?.attributes, { n0: 2 ** 60, n1: 1e20, n2: 1e21 })
  assert.equal(read.done.result?.['left_out'], 1)
})

test('a corrected errors.csv adds what was left out', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const mapping = { Phone: 'phone' }
  const checked = await business.bring('Email,Phone\npat@example.com,0612345678\n')
  await business.confirm(checked.import_id, { mapping })
  await business.run('run', checked.import_id)
  const [line = ''] = await errorsOf(id, checked.import_id)
  const mended = `Email,Phone,error_code,error,row\n${line.replace('0612345678', '+33612345678')}\n`
  const again = await business.take(mended)
  assert.deepEqual([again.result?.['updated'], again.result?.['left_out']], [1, 0])
  const [person] = await contactsOf(database.db, id)
  assert.deepEqual([person?.phone, person?.attributes], ['+33612345678', {}])
})

test('a suppression is never lost for another cell of its row', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const file = [
    'email,phone,at',
    'ana@example.com,n/a,',
    'nobody,+33612345678,2024-01-02',
    'ben@example.com,,02/03/04',
    'nobody,n/a,',
  ].join('\n')
  const { import_id } = await business.bring(file, { kind: 'suppressions' })
  await business.confirm(import_id, { mapping: { phone: 'phone' }, dry_run: true })
  await business.run('check', import_id)
  const checked = await business.get(import_id)
  assert.deepEqual(
    [checked.found?.['valid'], checked.found?.left_out.map(({ field, rows }) => [field, rows])],
    [
      3,
      [
        ['phone', [1]],
        ['email', [2]],
        ['at', [3]],
      ],
    ],
  )
  await business.confirm(checked.import_id)
  await business.run('run', checked.import_id)
  const { result } = await business.get(checked.import_id)
  assert.deepEqual([result?.['created'], result?.['refused'], result?.['left_out']], [3, 1, 3])
  const errors = await errorsOf(id, checked.import_id)
  assert.match(errors[0] ?? '', /left_out,.*“phone” was left out/)
  assert.match(errors[1] ?? '', /left_out,.*“email” was left out/)
  assert.match(errors[2] ?? '', /left_out,.*“at” was left out: .*begins with the import/)
  assert.match(errors[3] ?? '', /invalid_request,That is not an email address/)
})
