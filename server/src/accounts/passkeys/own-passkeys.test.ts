/** What a person does with their own passkeys, and cannot do with those of others. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { createAuthenticator } from '../../../../tests/support/clients/authenticator.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { insertPasskey, passkeyLimits } from './passkey.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

async function keep(userId: Id<'user'>, name = 'Phone'): Promise<Id<'passkey'>> {
  const id = newId('passkey')
  const { credentialId, publicKey } = createAuthenticator({ origin: 'https://x.example' }).made()
  const passkey = { credentialId, publicKey, counter: 0, transports: [] }
  await testbed.db.tx((tx) => insertPasskey(tx, { id, userId, name, now: new Date(), ...passkey }))
  return id
}

const prove = (userId: Id<'user'>) =>
  testbed.db.run(sql`
    update sessions set proven_at = now(), proven_by = 'passkey' where user_id = ${userId}
  `)

type Listed = { passkeys: { passkey_id: string; name: string; last_used_at: string | null }[] }

test('a person has ten passkeys at most', async () => {
  const ana = await testbed.appCaller({ businesses: [await testbed.newBusiness('scale')] })
  for (let index = 1; index < passkeyLimits.count; index += 1) await keep(ana.userId)
  const { appUrl } = testbed.service.config
  const add = async () => {
    await ana.call('business.list', {})
    await prove(ana.userId)
    const { options } = await ana.get<{ options: string }>('passkey.start', { purpose: 'add' })
    const device = createAuthenticator({ origin: new URL(appUrl).origin })
    return ana.call('passkey.add', { name: 'New', credential: device.make(JSON.parse(options)) })
  }
  assert.equal((await add()).kind, 'answer')
  assert.equal((await add()).body['reason'], 'passkeys_full')
})

test('a person renames and removes their own, and nobody else’s', async () => {
  const businesses = [await testbed.newBusiness('scale')]
  const [ana, bea] = [
    await testbed.appCaller({ businesses }),
    await testbed.appCaller({ businesses }),
  ]
  const passkey_id = formatId('passkey', await keep(ana.userId))
  const names = async () =>
    (await ana.get<Listed>('passkey.list', {})).passkeys.map(({ name }) => name)
  assert.equal((await bea.call('passkey.save', { passkey_id, name: 'Mine' })).status, 404)
  assert.equal((await bea.call('passkey.remove', { passkey_id })).status, 404)
  await ana.get('passkey.save', { passkey_id, name: ' My phone ' })
  assert.deepEqual(await names(), ['My phone'])
  assert.equal((await ana.call('passkey.remove', { passkey_id })).body['reason'], 'fresh_factor')
  await prove(ana.userId)
  await ana.get('passkey.remove', { passkey_id })
  assert.deepEqual(await names(), [])
})

test('the last factor that a business asks for stays', async () => {
  const business = await testbed.newBusiness('scale')
  const ana = await testbed.appCaller({ businesses: [business] })
  const [first, second] = [await keep(ana.userId), await keep(ana.userId)]
  await ana.call('business.list', {})
  await prove(ana.userId)
  await testbed.db.run(sql`
    update businesses set factor_required_from = now() + interval '3 days' where id = ${business}
  `)
  const remove = (id: Id<'passkey'>) =>
    ana.call('passkey.remove', { passkey_id: formatId('passkey', id) })
  assert.equal((await remove(first)).kind, 'answer')
  assert.equal((await remove(second)).body['reason'], 'last_factor')
  await testbed.db.run(sql`
    update businesses set factor_required_from = null where id = ${business}
  `)
  assert.equal((await remove(second)).kind, 'answer')
})
