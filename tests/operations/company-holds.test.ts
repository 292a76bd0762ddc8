/**
 * Apps and keys of a person whom the company's provider refused: each call is refused with how to mend
 * it, nothing of them ends, and they go on by a sign-in there or by an owner.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { canHold, holdMember, releaseConfirmed } from 'crier-server/accounts/identities/holds.ts'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { linkMaker, mayStillRead } from 'crier-server/core/link-maker.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { principalsOf } from 'crier-server/oauth/connections/principals.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newMember } from '../support/clients/grants.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { type EntryCaller, toolCaller } from '../support/clients/tool-caller.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

const issuer = 'https://login.works.example'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const now = () => new Date()

function callersWith(secret: string): EntryCaller[] {
  const { endpoint, config } = testbed.service
  const key = async () => secret
  return [toolCaller(endpoint, key), restCaller(config.gatewayUrl, catalog, key)]
}

/** A business with an owner, and a member with a key and an app there, who has a business of their own. */
async function scene() {
  const { db } = testbed
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const userId = await newMember(db, { businesses: [businessId], role: 'admin' })
  const ownBusiness = await testbed.newBusiness()
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${ownBusiness}, ${userId}, 'owner', now())
  `)
  const { secret, key } = await newApiKey(db, { businessId, userId })
  const grant = { userId, businesses: [businessId, ownBusiness] }
  const apps = [await testbed.caller(grant), await testbed.restCaller(grant)]
  return { businessId, owner, userId, ownBusiness, keyId: key.id, keys: callersWith(secret), apps }
}

const hold = (
  businessIds: Id<'business'>[],
  userId: Id<'user'>,
  providerId: Id<'business'> | null = null,
) => testbed.db.tx((tx) => holdMember(tx, businessIds, { userId, issuer, providerId, now: now() }))

async function isRefused(caller: EntryCaller, input: object = {}): Promise<boolean> {
  const { status, body } = await caller.call('contact.list', { ...input })
  if (body['code'] === undefined) return false
  assert.deepEqual([body['code'], body['reason']], ['access_denied', 'held'])
  assert.ok(status === 403 || status === 200, 'a tool refuses in its result')
  assert.match(String(body['message']), /sign in there again/)
  assert.deepEqual(body['fix'], { url: `${testbed.service.config.appUrl}/login` })
  return true
}

test('each call of a held key or app is refused at both entry points, and goes on once the provider confirms the person', async () => {
  const { businessId, userId, ownBusiness, keys, apps } = await scene()
  const here = { business_id: formatId('business', businessId) }
  const there = { business_id: formatId('business', ownBusiness) }
  for (const caller of [...keys, ...apps]) assert.equal(await isRefused(caller, here), false)
  await hold([businessId], userId)
  for (const caller of [...keys, ...apps]) assert.equal(await isRefused(caller, here), true)
  for (const app of apps) {
    assert.equal(await isRefused(app, there), false, 'where nobody holds it')
    const { businesses } = await app.get<{ businesses: { business_id: string }[] }>('business.list')
    assert.deepEqual(
      businesses.map(({ business_id }) => business_id),
      [there.business_id],
    )
  }
  // A key has no other business, so that calls about all of them are refused as well.
  for (const key of keys) {
    const { body } = await key.call('business.list')
    assert.deepEqual([body['code'], body['reason']], ['access_denied', 'held'])
  }
  const subject = crypto.randomUUID()
  await testbed.db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    values (${issuer}, ${subject}, ${userId}, now(), now())
  `)
  const confirmed = { issuer, subject, providerId: null, now: now() }
  assert.equal(await testbed.db.tx((tx) => releaseConfirmed(tx, confirmed)), true)
  for (const caller of [...keys, ...apps]) assert.equal(await isRefused(caller, here), false)
  assert.equal(await testbed.db.tx((tx) => releaseConfirmed(tx, confirmed)), false)
})

test('another provider confirms nobody but where it is the one of the business today', async () => {
  const { db } = testbed
  const { businessId, userId } = await scene()
  await hold([businessId], userId)
  const other = { issuer: 'https://other.example', subject: crypto.randomUUID(), now: now() }
  await db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    values (${other.issuer}, ${other.subject}, ${userId}, now(), now())
  `)
  const [first, second] = [await testbed.newBusiness(), businessId]
  for (const business of [first, second]) {
    await db.run(sql`
      insert into identity_providers (business_id, issuer, client_id, name, saved_at)
      values (${business}, ${other.issuer}, 'x', 'x', now())
    `)
  }
  const confirm = (providerId: Id<'business'> | null) =>
    db.tx((tx) => releaseConfirmed(tx, { ...other, providerId }))
  assert.equal(await confirm(first), false)
  assert.equal(await confirm(null), false, 'the business has a provider of its own')
  assert.equal(await confirm(second), true)
})

test('of two businesses with one issuer, the provider of each confirms for itself alone', async () => {
  const { db } = testbed
  const { businessId, userId } = await scene()
  const neighbour = await testbed.newBusiness()
  const subject = crypto.randomUUID()
  await db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    values (${issuer}, ${subject}, ${userId}, now(), now())
  `)
  for (const business of [businessId, neighbour]) {
    await db.run(sql`
      insert into identity_providers (business_id, issuer, client_id, name, saved_at)
      values (${business}, ${issuer}, ${business}, 'x', now())
    `)
  }
  await hold([businessId], userId, businessId)
  const confirm = (providerId: Id<'business'> | null) =>
    db.tx((tx) => releaseConfirmed(tx, { issuer, subject, providerId, now: now() }))
  assert.equal(await confirm(neighbour), false)
  assert.equal(await confirm(null), false, 'nor does the provider of the installation')
  assert.equal(await confirm(businessId), true)
  // Whom the installation's provider refused, it confirms also where a business has a provider too.
  await hold([businessId], userId)
  assert.equal(await confirm(neighbour), false)
  assert.equal(await confirm(null), true)
})

test('an owner sees who is held, and lets their apps and keys go on; nobody does it for themselves', async () => {
  const { businessId, owner, userId, keys, apps } = await scene()
  const here = { business_id: formatId('business', businessId) }
  const user_id = formatId('user', userId)
  await hold([businessId], userId)
  const members = () => owner.get<{ members: Record<string, unknown>[] }>('member.list')
  const shown = async () =>
    (await members()).members.find((member) => member['user_id'] === user_id)
  assert.match(String((await shown())?.['held_at']), /^\d{4}-/)
  const itself = await testbed.appCaller({ businesses: [], userId })
  await testbed.db.run(sql`update memberships set role = 'owner' where user_id = ${userId}`)
  const own = await itself.call('member.release', { ...here, user_id })
  assert.deepEqual([own.status, own.body['reason']], [409, 'own_hold'])
  assert.deepEqual(await owner.get('member.release', { user_id }), { released: true })
  assert.equal((await shown())?.['held_at'], null)
  for (const caller of [...keys, ...apps]) assert.equal(await isRefused(caller, here), false)
  assert.deepEqual(await owner.get('member.release', { user_id }), { released: false })
  const stranger = formatId('user', await newMember(testbed.db, { businesses: [] }))
  assert.equal((await owner.call('member.release', { user_id: stranger })).status, 404)
  const { released } = await testbed.db.one<{ released: number }>(sql`
    select count(*)::int as released from audit_entries
    where business_id = ${businessId} and action = 'company.release' and user_id = ${owner.userId}
  `)
  assert.equal(released, 1)
})

test('a key that an owner takes over goes on, also once its maker is removed', async () => {
  const { businessId, owner, userId, keyId, keys } = await scene()
  const key_id = formatId('connection', keyId)
  await hold([businessId], userId)
  const list = () => owner.get<{ keys: Record<string, unknown>[] }>('key.list')
  const [before] = (await list()).keys
  assert.deepEqual([before?.['held'], before?.['made_by_you']], [true, false])
  await owner.get('key.take_over', { key_id })
  const [later] = (await list()).keys
  assert.deepEqual([later?.['held'], later?.['made_by_you']], [false, true])
  for (const key of keys) assert.equal(await isRefused(key), false)
  await owner.get('member.remove', { user_id: formatId('user', userId) })
  for (const key of keys) assert.equal(await isRefused(key), false)
  // The key keeps the role that it was given.
  const principal = (await principalsOf(testbed.db, [keyId])).get(keyId)
  assert.deepEqual([principal?.userId, principal?.isApiKey], [owner.userId, true])
  const foreign = await scene()
  const refused = await owner.call('key.take_over', {
    key_id: formatId('connection', foreign.keyId),
  })
  assert.equal(refused.status, 404)
})

test('a link to a file rests while its maker’s connection is held', async () => {
  const { businessId, userId, keyId } = await scene()
  const principal = async () => (await principalsOf(testbed.db, [keyId])).get(keyId)
  const made = await principal()
  assert.ok(made)
  const maker = linkMaker(made, { scope: 'audience:read', role: 'viewer' })
  assert.equal(mayStillRead(await principal(), businessId, maker), true)
  await hold([businessId], userId)
  assert.equal(mayStillRead(await principal(), businessId, maker), false)
})

test('nothing is held where no other owner could let it go on', async () => {
  const { db } = testbed
  const businessId = await testbed.newBusiness()
  const [first, second] = [
    await newMember(db, { businesses: [businessId] }),
    await newMember(db, { businesses: [businessId] }),
  ]
  const may = (userId: Id<'user'>) => db.tx((tx) => canHold(tx, businessId, userId))
  assert.deepEqual([await may(first), await may(second)], [true, true])
  await hold([businessId], first)
  assert.equal(await may(second), false)
  await db.run(sql`update memberships set role = 'admin' where user_id = ${second}`)
  assert.equal(await may(first), false)
})
