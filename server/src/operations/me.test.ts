import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { me } from './me.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

test('GET /v1/me says who calls', async () => {
  assert.equal(me.rest, 'GET /v1/me')
  const caller = await testbed.restCaller({ businesses: [await testbed.newBusiness()] })
  const { status, body } = await caller.send('GET', '/v1/me')
  assert.equal(status, 200)
  const { person, connection, businesses, scopes } = body as unknown as {
    person: { email: string } | null
    connection: { kind: string; test: boolean; connection_id: string }
    businesses: { business_id: string; role: string }[]
    scopes: string[]
  }
  assert.match(person?.email ?? '', /@/)
  assert.deepEqual([connection.kind, connection.test], ['app', false])
  assert.match(connection.connection_id, /^cnx_/)
  assert.deepEqual(
    businesses.map(({ role }) => role),
    ['owner'],
  )
  assert.ok(scopes.includes('meta:read') && scopes.includes('messaging:send'))
})
