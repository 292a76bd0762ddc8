import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, someOrigin } from '../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { type Id, newId, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { recordAudit } from './audit.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const now = new Date('2026-11-20T10:00:00Z')

function entriesOf(businessId: Id<'business'>): Promise<object[]> {
  return database.db.all(sql`
    select action, subject, details, user_id, connection_id, call_id, created_at
    from audit_entries where business_id = ${businessId} order by action
  `)
}

test('an audit entry records the user, action, request and amounts', async () => {
  const businessId = await newBusiness(database.db)
  const origin = someOrigin()
  const userId = newId('user')
  await database.db.tx((tx) =>
    recordAudit(
      tx,
      [
        { businessId, action: 'contact.import', details: { rows: 10, by: 'a "file"' }, origin },
        { businessId, action: 'settings.change', subject: 'time_zone', userId },
      ],
      now,
    ),
  )
  assert.deepEqual(await entriesOf(businessId), [
    {
      action: 'contact.import',
      subject: null,
      details: { rows: 10, by: 'a "file"' },
      user_id: null,
      connection_id: origin.connectionId,
      call_id: parseId('request', origin.callId),
      created_at: now,
    },
    {
      action: 'settings.change',
      subject: 'time_zone',
      details: {},
      user_id: userId,
      connection_id: null,
      call_id: null,
      created_at: now,
    },
  ])
})

test('an audit entry is rolled back with its transaction', async () => {
  const businessId = await newBusiness(database.db)
  await assert.rejects(
    database.db.tx(async (tx) => {
      await recordAudit(tx, [{ businessId, action: 'contact.import' }], now)
      throw new Error('broken')
    }),
  )
  assert.deepEqual(await entriesOf(businessId), [])
})
