/** CSV that is exported and imported again is unchanged, whatever it contains. */
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
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { fc } from '../../../tests/support/properties.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import type { Person } from '../contacts/contact.ts'
import { isRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { contactsCsv } from './contacts-csv.ts'

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

async function csvOf(id: Id<'business'>): Promise<string> {
  let text = ''
  for await (const piece of contactsCsv({ db: database.db, hmac: testVault.hmac }, id, sql`true`))
    text += piece
  return text
}

const seen = async (id: Id<'business'>) => {
  const people = await contactsOf(database.db, id)
  const numbers = new Map(people.map((stored, n) => [stored.id, n]))
  const consents = await consentsOf(database.db, id)
  return {
    people: people.map(({ id: _id, ...one }) => one),
    consents: consents
      .map(({ contactId, ...one }) => ({ of: numbers.get(contactId), ...one }))
      .sort((a, b) => `${a.of}${a.channel}`.localeCompare(`${b.of}${b.channel}`)),
  }
}

const nasty = fc.constantFrom(
  '=1+1',
  "'",
  "''",
  '+33',
  '-x',
  '@a',
  '"',
  ',',
  ';',
  '\n',
  '\r\n',
  ' ',
  'é',
  '007',
  'true',
  '{}',
)
const line = fc
  .array(fc.oneof(nasty, fc.string({ maxLength: 6, unit: 'grapheme' })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''))
const plainLine = line
  .map((text) =>
    text
      .replaceAll(/\p{Cc}/gu, '')
      .normalize('NFC')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  )
  .filter((text) => text !== '' && text.length <= 60)
const value = fc.oneof(
  line.map((text) => text.replaceAll('\0', '').toWellFormed()),
  fc.constant(''),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  fc.integer(),
  fc.boolean(),
)
const keys = plainLine.filter((key) => key !== '__proto__')
const given = fc.record(
  {
    status: fc.constantFrom('subscribed' as const, 'unsubscribed' as const),
    source: plainLine,
    text: plainLine,
  },
  { requiredKeys: ['status', 'source'] },
)
const person = fc.record(
  {
    name: plainLine,
    language: fc.constantFrom('fr', 'de-AT'),
    tags: fc.uniqueArray(plainLine, { maxLength: 4 }),
    attributes: fc.dictionary(keys, value, { maxKeys: 4 }),
    consent: fc.record({ email: given, tracking: given }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)

test('an export imported into an empty business gives the same contacts, including their consent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 5 }), async (people) => {
      const from = await newBusiness(database.db)
      const items = people.map((entry, n) => {
        const phone = n % 2 === 0 ? { phone: `+3361234567${n}` } : {}
        return toSave(from, { ...entry, ...phone, email: `p${n}@example.com` } as Person)
      })
      const saved = await saveAll(database.db, items)
      assert.ok(saved.every((entry) => !isRefusal(entry)))
      const to = await newBusiness(database.db)
      const csv = await csvOf(from)
      const done = await desk.in(to).take(csv)
      assert.equal(done.result?.['refused'], 0, csv)
      assert.deepEqual(await seen(to), await seen(from), csv)
      assert.equal(await csvOf(to), csv)
    }),
    { numRuns: 60 },
  )
})

test('cells that a spreadsheet would execute get an apostrophe, and phone numbers do not', async () => {
  const id = await newBusiness(database.db)
  await saveAll(database.db, [
    toSave(id, { email: 'a@example.com', phone: '+33612345678', name: '=HYPERLINK("x")' }),
  ])
  const [, row = ''] = (await csvOf(id)).split('\r\n')
  assert.match(row, /^a@example\.com,\+33612345678,,"'=HYPERLINK\(""x""\)",/)
})
