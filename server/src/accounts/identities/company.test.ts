/** An owner sets the company sign-in: what is kept, and what turning other ways off takes. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

const provider = {
  issuer: 'https://login.example.com',
  client_id: 'crier',
  client_secret: 'the secret of Crier',
  name: 'Example Works',
  domains: ['Example.org', 'example.org', 'mail.example.org'],
}

async function owner() {
  const business = await testbed.newBusiness('scale')
  const caller = await testbed.appCaller({ businesses: [business] })
  return { business, caller, business_id: formatId('business', business) }
}

test('the secret is sealed, stays where none is given, and never goes to another issuer', async () => {
  const { business, caller, business_id } = await owner()
  const save = (changes: object = {}) =>
    caller.call('company.save', { business_id, ...provider, ...changes })
  const { body } = await save()
  const shown = body['provider'] as Record<string, unknown>
  assert.equal(shown['has_secret'], true)
  assert.doesNotMatch(JSON.stringify(body), /the secret of Crier/)
  const domains = body['domains'] as { domain: string; record_name: string; proven_at: null }[]
  assert.deepEqual(
    domains.map(({ domain, record_name }) => [domain, record_name]),
    [
      ['example.org', '_crier-sign-in.example.org'],
      ['mail.example.org', '_crier-sign-in.mail.example.org'],
    ],
  )
  const stored = async () =>
    (
      await testbed.db.one<{ secret: Buffer }>(sql`
        select client_secret as secret from identity_providers where business_id = ${business}
      `)
    ).secret
  const before = await stored()
  assert.equal(before.includes('the secret of Crier'), false)
  assert.equal((await save({ client_secret: undefined, name: 'Works' })).kind, 'answer')
  assert.deepEqual(await stored(), before)
  const other = { client_secret: undefined, issuer: 'https://evil.example.com' }
  const refused = await save(other)
  assert.deepEqual(
    [refused.body['field'], refused.body['reason']],
    ['client_secret', 'secret_anew'],
  )
  for (const issuer of [
    'http://login.example.com',
    'https://a.example/?b',
    'https://a.example/#b',
  ]) {
    assert.equal((await save({ issuer })).body['reason'], 'wrong_issuer', issuer)
  }
  const owners = { roles: [{ group: 'staff', role: 'owner' }] }
  assert.equal((await save(owners)).status, 400, 'a group makes no owners')
  const many = Array.from({ length: 21 }, (_, index) => `d${index}.example.org`)
  assert.equal((await save({ domains: many })).status, 400)
  assert.equal((await save({ domains: many.slice(1) })).kind, 'answer')
})

test('other ways are turned off by an owner who has just used a passkey, which stays', async () => {
  const { business, caller, business_id } = await owner()
  const save = () => caller.call('company.save', { business_id, ...provider, only: true })
  const proof = (by: string | null, passkey: Id<'passkey'> | null) =>
    testbed.db.run(sql`
      update sessions set proven_at = case when ${by}::text is null then null else now() end,
        proven_by = ${by}, proven_with = ${passkey}
      where user_id = ${caller.userId}
    `)
  assert.equal((await caller.call('company.save', { business_id, ...provider })).kind, 'answer')
  await testbed.db.run(sql`
    update provider_domains set proven_at = now() where business_id = ${business}
  `)
  await proof(null, null)
  assert.equal((await save()).body['reason'], 'fresh_factor')
  await proof('code', null)
  assert.equal((await save()).body['reason'], 'needs_passkey')
  const member = await testbed.appCaller({ businesses: [business], role: 'editor' })
  await member.call('business.list', {})
  await testbed.db.run(sql`
    update users set email = ${`${crypto.randomUUID()}@example.org`} where id = ${member.userId}
  `)
  // Each signed in at a provider: one at the company, the other elsewhere.
  const colleagues = []
  for (const issuer of [provider.issuer, 'https://elsewhere.example']) {
    const colleague = await testbed.appCaller({ businesses: [business], role: 'editor' })
    await colleague.call('business.list', {})
    await testbed.db.run(sql`
      update users set email = ${`${crypto.randomUUID()}@example.org`} where id = ${colleague.userId}
    `)
    await testbed.db.run(sql`
      update sessions set issuer = ${issuer} where user_id = ${colleague.userId}
    `)
    colleagues.push(colleague)
  }
  const passkey = newId('passkey')
  await testbed.db.run(sql`
    insert into passkeys (id, user_id, credential, public_key, counter, transports, name, created_at)
    values (${passkey}, ${caller.userId}, ${Buffer.from(passkey)}, '\\x00', 0, '{}', 'Safe', now())
  `)
  await proof('passkey', passkey)
  const { body } = await save()
  assert.equal((body['provider'] as Record<string, unknown>)['only'], true)
  assert.equal((await member.call('business.list', {})).status, 401, 'sessions of before end')
  const statuses = []
  for (const { call } of colleagues) statuses.push((await call('business.list', {})).status)
  assert.deepEqual(statuses, [200, 401], 'those that another provider opened too')
  assert.equal((await caller.call('business.list', {})).kind, 'answer', 'but not one’s own')
  const remove = { passkey_id: formatId('passkey', passkey) }
  assert.equal((await caller.call('passkey.remove', remove)).body['reason'], 'break_glass')
  assert.equal((await caller.call('company.remove', { business_id })).kind, 'answer')
  assert.equal((await caller.call('passkey.remove', remove)).kind, 'answer')
})
