/** Files that Excel saves in German: semicolons, decimal commas, and each of its encodings. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'

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

const text = [
  'E-Mail-Adr.;Vorname;Nachname;Ort;Umsatz;Anteil',
  'joerg@example.com;J\u00f6rg;M\u00fcller;K\u00f6ln;1.234,50;0,5',
  'zoe@example.com;Zo\u00eb;Gro\u00df;Z\u00fcrich;12,9;-3',
  '',
].join('\r\n')

const utf8 = Buffer.from(text)
const files: [name: string, file: Buffer, corrections: object][] = [
  // The encoding is a guess, which a person confirms: the one correction.
  ['CSV', Buffer.from(text, 'latin1'), { encoding: 'windows-1252' }],
  ['CSV UTF-8', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]), {}],
  ['UTF-8 without a mark', utf8, {}],
  ['Unicode text', Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le'), {}],
]

for (const [name, file, corrections] of files) {
  test(`Excel’s German file as ${name} needs ${Object.keys(corrections).length} corrections`, async () => {
    const id = await newBusiness(database.db)
    const done = await desk.in(id).take(file, corrections)
    assert.deepEqual([done.state, done.result?.['created']], ['done', 2])
    const people = await contactsOf(database.db, id)
    assert.deepEqual(
      people.map((person) => [person.email, person.name]),
      [
        ['joerg@example.com', 'J\u00f6rg M\u00fcller'],
        ['zoe@example.com', 'Zo\u00eb Gro\u00df'],
      ],
    )
    const own = people.map(({ attributes }) => Object.values(attributes as object))
    assert.deepEqual(
      own.map((values) =>
        values.filter((value) => typeof value === 'number').toSorted((a, b) => a - b),
      ),
      [
        [0.5, 1234.5],
        [-3, 12.9],
      ],
    )
    assert.ok(own[0]?.includes('K\u00f6ln'))
  })
}

test('a comma with three digits behind it may be a thousand, and stays text', async () => {
  const id = await newBusiness(database.db)
  await desk.in(id).take('email;visits\na@example.com;1,234\n')
  const [person] = await contactsOf(database.db, id)
  assert.deepEqual(person?.attributes, { visits: '1,234' })
})
