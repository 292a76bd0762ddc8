/** The SDK and the command line with an API key, against the whole service. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '@crier-mail/sdk/node'
import { formatId } from 'crier-server/core/ids.ts'
import { errorOf, Home } from '../../cli/tests/crier.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'

let testbed: OwnTestbed
let home: Home
before(async () => {
  testbed = await openTestbed({ idle: true })
  home = await Home.make()
  home.env['CRIER_URL'] = testbed.service.url
})
after(async () => {
  await home.remove()
  await testbed.close()
})

async function newKey() {
  const businessId = await testbed.newBusiness()
  const { secret, key } = await newApiKey(testbed.db, { businessId })
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const key_id = formatId('connection', key.id)
  return { secret, businessId, revoke: () => owner.get('key.revoke', { key_id }) }
}

test('the SDK calls with a key, shows it nowhere, and says so when it is revoked', async () => {
  const { secret, revoke } = await newKey()
  const client = createClient({ url: testbed.service.url, apiKey: secret })
  const { contact_id } = await client.contact.upsert({ email: 'by-key@example.com' })
  assert.match(contact_id, /^con_/)
  assert.deepEqual(await client.status(), { state: 'api_key', scopes: [] })
  assert.equal((await client.accessToken()).reveal(), secret)
  await assert.rejects(client.signIn({ open: () => {} }), /nobody signs in/)
  await revoke()
  await assert.rejects(client.contact.list({}), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'unauthorized')
    assert.match(error.message, /API key was revoked/)
    assert.doesNotMatch(error.message, /sign in again/)
    assert.ok(!JSON.stringify(error).includes(secret))
    return true
  })
})

test('every command sends the key of CRIER_API_KEY, and none asks for a sign-in', async () => {
  const { secret, businessId, revoke } = await newKey()
  home.env['CRIER_API_KEY'] = secret
  const listed = await home.run(['call', 'business.list'])
  assert.equal(listed.code, 0, listed.stderr)
  const [business] = JSON.parse(listed.stdout).businesses
  assert.equal(business.business_id, formatId('business', businessId))
  const login = await home.run(['login'])
  assert.match(String(errorOf(login)['message']), /CRIER_API_KEY/)
  await revoke()
  const refused = await home.run(['call', 'business.list'])
  const { code, hint } = errorOf(refused) as { code: string; hint?: string }
  assert.deepEqual([code, hint], ['unauthorized', undefined])
  assert.ok(!(refused.stdout + refused.stderr).includes(secret))
})
