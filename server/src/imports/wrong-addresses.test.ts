/** The dry run of a file counts the addresses that are probably wrong, before anybody is saved. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { createAddressTally } from './check.ts'

const clock = new ManualClock()
let database: TestDatabase
let desk: ImportDesk
before(async () => {
  database = await testDatabase()
  const takesMail = (domain: string) => domain !== 'no-mail.example'
  desk = await importDesk({ db: database.db, clock, takesMail })
})
after(async () => {
  await desk.close()
  await database.drop()
})

test('a dry run counts domains without mail, misspelt ones, roles and throw-away addresses', async () => {
  const business = desk.in(await newBusiness(database.db))
  const people = ['ana@gmail.com', 'bo@gmial.com', 'cy@gmial.com', 'info@shop.example']
  const others = ['di@no-mail.example', 'ed@mailinator.com', 'not an address']
  const one = await business.bring(['email', ...people, ...others, ''].join('\n'))
  const found = one.found?.['addresses'] as Record<string, unknown> | undefined
  const { proposals, ...counts } = found ?? {}
  assert.deepEqual(counts, {
    without_mail: 1,
    typos: 2,
    roles: 1,
    throw_away: 1,
    domains: { all: 5, asked: 5 },
  })
  assert.equal((proposals as string[]).length, 3)
  assert.deepEqual(one.untrusted?.addresses, {
    without_mail: [{ domain: 'no-mail.example', contacts: 1 }],
    typos: [{ domain: 'gmial.com', contacts: 2, meant: 'gmail.com' }],
    throw_away: [{ domain: 'mailinator.com', contacts: 1 }],
  })
})

test('a dry run proposes to ask those for confirmation whose consent has no evidence', async () => {
  const business = desk.in(await newBusiness(database.db))
  const one = await business.bring('email,consent.email\nana@gmail.com,subscribed\n')
  const found = one.found?.['addresses'] as Record<string, unknown> | undefined
  assert.match(
    String(found?.['proposals']),
    /Ask their people to confirm, by contact.import with the status pending/,
  )
})

test('a list of suppressions is not judged, since nobody will write to it', async () => {
  const business = desk.in(await newBusiness(database.db))
  const file = 'email,reason\nbo@gmial.com,unsubscribed\n'
  const one = await business.bring(file, { kind: 'suppressions' })
  assert.equal(one.state, 'ready')
  assert.deepEqual([one.found?.['addresses'], one.untrusted?.addresses], [undefined, undefined])
})

test('domains beyond the limit are not counted, and known ones still are', async () => {
  const tally = createAddressTally(2)
  for (const email of ['a@gmial.com', 'b@yaho.com', 'c@hotmial.com', 'd@gmial.com']) {
    tally.add(email)
  }
  const resolver = { lookup: async () => ({ aliases: [], outcome: 'failed' }) as never }
  const { typos, domains } = await tally.judge(resolver)
  assert.deepEqual([typos, domains], [3, { all: 2, asked: 0 }])
})
