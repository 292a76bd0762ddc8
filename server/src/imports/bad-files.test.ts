/** Malformed files, and the answer to each. */

import assert from 'node:assert/strict'
import { appendFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import {
  type Bytes,
  type ImportDesk,
  type ImportView,
  importDesk,
} from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../core/errors.ts'
import { importConfirm } from './confirm.ts'
import { importLimits } from './import.ts'
import { importList } from './list.ts'

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

const filesLeft = async (id: string) => {
  const folder = path.join(desk.folder, 'imports', id)
  return (await readdir(folder).catch(() => [])).length
}

/** Yields this many megabytes of one letter. */
async function* oneLine(megabytes: number): AsyncGenerator<Uint8Array> {
  yield* many(Buffer.alloc(1024 * 1024, 'x'), megabytes)
}

async function* lines(megabytes: number): AsyncGenerator<Uint8Array> {
  yield* many(Buffer.alloc(1024 * 1024, 'line of sixteen\n'), megabytes)
}

async function* many(some: Buffer, megabytes: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < megabytes; n++) yield some
}

async function* below(text: string, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
  yield* rest
}

const columns = (count: number) => Array.from({ length: count }, (_, n) => `column ${n}`).join(',')

const rows = 'email,name\nana@example.com,Ana\n'

/** Refused while they arrive, at the first byte that shows it. */
const refusedAtOnce: [what: string, file: Bytes, answer: RegExp][] = [
  ['an empty file', '', /The file is empty/],
  ['a zip renamed', Buffer.from('PK\u0003\u0004 and so on\0'), /zip archive or an Excel workbook/],
  [
    'an old Excel workbook',
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]),
    /Excel workbook of the old/,
  ],
  ['a compressed CSV file', gzipSync(rows), /compressed archive. Unpack it/],
  ['a PDF', '%PDF-1.7\n1 0 obj\nana@example.com\n', /a document, not a table/],
  ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), /a picture/],
  ['contact cards', 'BEGIN:VCARD\r\nEMAIL:ana@example.com\r\nEND:VCARD\r\n', /vCard/],
  ['NUL bytes', 'email\nana\0@example.com\n', /NUL bytes/],
  ['UTF-16 without a mark', Buffer.from(rows, 'utf16le'), /UTF-16 without a byte order mark/],
  ['one endless line', oneLine(3), /^Its first line is longer than 1 MB/],
  ['an endless line below rows', below(rows, oneLine(3)), /row that begins at byte 31 is longer/],
]
for (const [what, file, answer] of refusedAtOnce) {
  test(`${what} is refused during the upload with the reason, and nothing of it is kept`, async () => {
    const id = await newBusiness(database.db)
    const business = desk.in(id)
    const refused = await business.upload(file)
    assert.ok(isRefusal(refused))
    assert.deepEqual([refused.code, refused.details.field], ['invalid_request', 'file'])
    assert.match(refused.message, answer)
    assert.equal(await filesLeft(id), 0)
    const { imports } = await business.caller.get<{ imports: ImportView[] }>(importList, {})
    assert.deepEqual(
      imports.map(({ state, fault }) => [state, fault]),
      [['failed', { code: 'invalid_request', field: 'file', message: refused.message }]],
    )
  })
}

/** Text, of which only the first records show that it is no table of people. */
const refusedWhenChecked: [what: string, file: Bytes, answer: RegExp][] = [
  ['JSON', '[{"email": "ana@example.com"}]', /JSON, XML or a web page/],
  ['a web page', '<!doctype html><p>ana@example.com', /JSON, XML or a web page/],
  ['a line of headings alone', 'email,name\n', /no rows below/],
  ['blank lines alone', '\r\n\r\n', /blank lines/],
  ['10,000 columns', `${columns(10_000)}\n1,2,3\n`, /10000 columns; the limit is 500/],
  ['one column more than the most', `${columns(501)}\na@example.com\n`, /501 columns/],
  ['a first line of over 1 MB', `${'x'.repeat(1_100_000)}\n${rows}`, /first line is longer/],
  ['a row of over 1.5 MB', `${rows}${'x'.repeat(1_800_000)}\n${rows}`, /at byte 31 is longer/],
  ['a quotation mark that never closes', `"${rows}`, /never closed/],
]
for (const [what, file, answer] of refusedWhenChecked) {
  test(`${what} is refused with the reason, and its file is deleted`, async () => {
    const id = await newBusiness(database.db)
    const one = await desk.in(id).bring(file)
    assert.equal(one.state, 'failed')
    assert.deepEqual([one.fault?.code, one.fault?.field], ['invalid_request', 'file'])
    assert.match(one.fault?.message ?? '', answer)
    assert.equal(await filesLeft(id), 0)
    const confirming = await desk.in(id).caller.refused(importConfirm, { import_id: one.import_id })
    assert.equal(confirming.code, 'conflict')
  })
}

test('a file of as many columns as may be is checked, and the attributes that are too many in a row are left out', async () => {
  const business = desk.in(await newBusiness(database.db))
  const cells = (filled: number) =>
    Array.from({ length: 499 }, (_, n) => (n < filled ? 'v' : '')).join(',')
  const file = [
    `email,${columns(499)}`,
    `a@example.com,${cells(100)}`,
    `b@example.com,${cells(101)}`,
    '',
  ]
  const one = await business.bring(file.join('\n'))
  assert.deepEqual([one.state, one.found?.['valid']], ['ready', 2])
  assert.deepEqual(
    one.found?.left_out.map(({ field, message, rows }) => [field, message, rows]),
    [
      [
        'attributes.column_100',
        'The row has 101 attributes; a contact can have at most 100. Leave columns out: map them to null.',
        [2],
      ],
    ],
  )
})

test('a file without addresses is checked, and cannot be confirmed until a column is mapped to one', async () => {
  const business = desk.in(await newBusiness(database.db))
  const one = await business.bring('What I did today\nI went out\nI came back\n')
  assert.deepEqual([one.state, one.found?.['valid']], ['ready', 0])
  const refused = await business.caller.refused(importConfirm, { import_id: one.import_id })
  assert.match(refused.message, /No column becomes email or phone/)
})

test('a file larger than 1 GB is refused during the upload, and not stored', async () => {
  const id = await newBusiness(database.db)
  const answer = await desk.in(id).upload(lines(importLimits.fileBytes / 1024 ** 2 + 1))
  assert.ok(isRefusal(answer))
  assert.deepEqual([answer.code, answer.details.field], ['too_large', 'file'])
  assert.equal(await filesLeft(id), 0)
})

test('a file that is not UTF-8 is read as windows-1252, after a person has checked its letters', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const text = 'email;name\nana@example.com;Jos\u00e9 \u0080uro\nben@example.com;Ben\n'
  const one = await business.bring(Buffer.from(text, 'latin1'))
  assert.deepEqual(one.text, { encoding: 'windows-1252', is_guess: true, delimiter: ';' })
  assert.deepEqual(one.untrusted?.doubtful, ['José €uro'])
  const refused = await business.caller.refused(importConfirm, { import_id: one.import_id })
  assert.deepEqual([refused.code, refused.details.field], ['conflict', 'encoding'])
  await business.confirm(one.import_id, { encoding: 'windows-1252' })
  await business.run('run', one.import_id)
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ name }) => name),
    ['José €uro', 'Ben'],
  )
})

test('a file with mixed encodings is read as windows-1252, with the doubtful values shown', async () => {
  const business = desk.in(await newBusiness(database.db))
  const mixed = Buffer.concat([
    Buffer.from('email,name\na@example.com,José\n'),
    Buffer.from('b@example.com,Jos\u00e9\n', 'latin1'),
  ])
  const one = await business.bring(mixed)
  assert.deepEqual(one.untrusted?.doubtful, ['JosÃ©', 'José'])
  assert.equal(one.text?.is_guess, true)
})

test('UTF-16 with a byte order mark is read, and a character split by the upload is still UTF-8', async () => {
  const id = await newBusiness(database.db)
  const wide = Buffer.from('\ufeffemail\tname\r\na@example.com\tZoë\r\n', 'utf16le')
  assert.equal((await desk.in(id).take(wide)).state, 'done')
  const bytes = Buffer.from('email,name\nb@example.com,Zoë\n')
  const cut = bytes.indexOf(0xc3) + 1
  async function* inTwo() {
    yield bytes.subarray(0, cut)
    yield bytes.subarray(cut)
  }
  assert.equal((await desk.in(id).bring(inTwo())).text?.encoding, 'utf-8')
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ name }) => name),
    ['Zoë'],
  )
})

test('invalid rows are refused alone, and reported with their row numbers', async () => {
  const id = await newBusiness(database.db)
  const file = [
    'email,name,attributes.age:number',
    'a@example.com,"A ""quoted"" name",1',
    'b@example.com,"B" broken,2',
    'c@example.com,C',
    'd@example.com,D,4,too,many',
    'e@example.com,"E" too,5',
    'f@example.com,"F never closes,6',
    'g@example.com,G,7',
    '',
  ].join('\n')
  const done = await desk.in(id).take(file)
  assert.deepEqual([done.result?.['created'], done.result?.['refused']], [3, 4])
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ email, name, attributes }) => [email, name, attributes]),
    [
      ['a@example.com', 'A "quoted" name', { age: 1 }],
      ['c@example.com', 'C', {}],
      ['g@example.com', 'G', { age: 7 }],
    ],
  )
})

test('a file that changed between the dry run and the confirmation is not imported', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const one = await business.bring('email\na@example.com\n')
  const [name = ''] = await readdir(path.join(desk.folder, 'imports', id))
  await appendFile(path.join(desk.folder, 'imports', id, name), 'b@example.com\n')
  await business.confirm(one.import_id)
  await business.run('run', one.import_id)
  const failed = await business.get(one.import_id)
  assert.equal(failed.state, 'failed')
  assert.match(failed.fault?.message ?? '', /differs from the one that was uploaded/)
  assert.deepEqual(await contactsOf(database.db, id), [])
  await business.run('mail', one.import_id)
})

test('a file uploaded a second time is reported with its earlier import', async () => {
  const business = desk.in(await newBusiness(database.db))
  const file = 'email\na@example.com\n'
  const first = await business.take(file)
  const second = await business.upload(file)
  assert.ok(!isRefusal(second))
  assert.equal(second.same_file?.import_id, first.import_id)
})
