import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { queueReply } from './reply.ts'
import { findByProviderIds } from './reports/reports.ts'

const now = new Date('2026-11-20T10:00:00Z')
let database: TestDatabase
let businessId: Id<'business'>
before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
})
after(() => database.drop())

const reply = () =>
  database.db.tx((tx) => queueReply(tx, { businessId, to: '+33612345678', body: 'Heard.' }, now))

test('a reply to an inbound text is queued as urgent, in a lane of its own', async () => {
  await reply()
  const job = await database.db.one<{ kind: string; priority: number }>(sql`
    select j.kind, l.priority from jobs j join lanes l on l.shard = j.shard and l.id = j.lane
    where j.kind = 'message.sms'
  `)
  assert.deepEqual(job, { kind: 'message.sms', priority: 0 })
})

test('a message is found by its provider id on the same route only, and the latest one wins', async () => {
  const [first, later] = [await reply(), await reply()]
  const taken = (id: Id<'message'>, route: string) =>
    database.db.run(sql`update messages set taken_as = 'SM1', route = ${route} where id = ${id}`)
  await taken(first, 'smsc:1')
  await taken(later, 'smsc:1')
  await taken(await reply(), 'smsc:2')
  assert.deepEqual(await findByProviderIds(database.db, 'smsc:1', ['SM1', 'SM2']), [
    { providerId: 'SM1', businessId, messageId: later },
  ])
  assert.deepEqual(await findByProviderIds(database.db, newId('job'), ['SM1']), [])
})
