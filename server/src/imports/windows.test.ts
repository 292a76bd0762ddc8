/** Rows that lie in several pieces of a file, and rows longer than a piece. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsCounted, contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { sql } from '../lib/db/db.ts'

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

const errorsOf = (businessId: string) =>
  database.db.all<{ row: number; raw: string }>(sql`
    select row_number::int as row, raw from import_errors
    where business_id = ${businessId} order by row_number
  `)

test('rows of several pieces commit together, and each refused one keeps its number and text', async () => {
  const id = await newBusiness(database.db)
  // Long enough that a piece holds some forty rows.
  const note = 'é'.repeat(1_500)
  const bad = new Set([7, 60, 399])
  const lines = Array.from({ length: 400 }, (_, n) => {
    return bad.has(n) ? `nobody ${n},${n}` : `p${n}@example.com,${note}`
  })
  const done = await desk.in(id).take(['email,attributes.note', ...lines].join('\n'))
  assert.equal(done.state, 'done')
  assert.deepEqual([done.result?.['created'], done.result?.['refused']], [397, 3])
  assert.equal(await contactsCounted(database.db, id), 397)
  assert.deepEqual(
    await errorsOf(id),
    [...bad].map((n) => ({
      row: n + 1,
      raw: n === 399 ? `nobody ${n},${n}` : `nobody ${n},${n}\n`,
    })),
  )
})

test('rows of nearly a megabyte with line breaks in their quotes leave the rows around them as they are', async () => {
  const id = await newBusiness(database.db)
  const cell = (text: string) => `"${text.repeat(Math.floor(900_000 / text.length))}"`
  const file = [
    'email,notes',
    'a@example.com,first',
    `b@example.com,${cell('line\r\n')}`,
    'c@example.com,"between\nthem"',
    `d@example.com,${cell('say ""hi"",\n')}`,
    `e@example.com,${cell('x')}`,
    'f@example.com,last',
  ].join('\n')
  const business = desk.in(id)
  const checked = await business.bring(file)
  assert.deepEqual([checked.found?.['rows'], checked.found?.['valid']], [6, 6])
  await business.confirm(checked.import_id)
  await business.run('run', checked.import_id)
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ email, attributes }) => [email, attributes['notes']]),
    [
      ['a@example.com', 'first'],
      ['b@example.com', undefined],
      ['c@example.com', 'between\nthem'],
      ['d@example.com', undefined],
      ['e@example.com', undefined],
      ['f@example.com', 'last'],
    ],
  )
  assert.deepEqual(
    (await errorsOf(id)).map(({ row }) => row),
    [2, 4, 5],
  )
})
