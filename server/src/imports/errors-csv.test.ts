import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { parseId } from '../core/ids.ts'
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

test('the file of refused rows guards headings and cells, and is read like the first file', async () => {
  const id = await newBusiness(database.db)
  const file = 'email,note;=1+1,=cmd\nnobody,Ana;=2+2,＝3\na@example.com,x,y\n'
  const done = await desk.in(id).take(file)
  const importId = parseId('import', done.import_id)
  const found = importId && (await findImport(database.db, id, importId))
  assert.ok(found)
  let csv = ''
  for await (const piece of errorsCsv({ db: database.db, reader: desk.reader }, id, found)) {
    csv += piece
  }
  const [heading = '', row = ''] = csv.split('\r\n')
  assert.ok(heading.startsWith("email,note;'=1+1,'=cmd,"), heading)
  assert.ok(row.startsWith("nobody,Ana;'=2+2,'＝3,"), row)

  const again = await desk.in(id).take(csv.replace('nobody', 'b@example.com'))
  assert.equal(again.result?.['refused'], 0)
  const people = await contactsOf(database.db, id)
  assert.deepEqual(
    people.map(({ email, attributes }) => [email, attributes]),
    [
      ['a@example.com', { 'note;=1+1': 'x', '=cmd': 'y' }],
      ['b@example.com', { 'note;=1+1': 'Ana;=2+2', '=cmd': '＝3' }],
    ],
  )
})
