/**
 * Apps and keys of a person whom the company's provider refused: each call is refused with how to mend
 * it, nothing of them ends, and they go on by a sign-in there or by an owner.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { canHold, holdMember, releaseConfirmed } from 'crier-server/accounts/identities/holds.ts'
import { personPrincipal } from 'crier-server/accounts/sign-in/principal.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { linkMaker, mayStillRead } from 'crier-server/core/link-maker.ts'
import { sql, sqlWithin } from 'crier-server/lib/db/db.ts'
import { hours, later, minutes } from 'crier-server/lib/time/clock.ts'
import { principalsOf } from 'crier-server/oauth/connections/principals.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newMember } from '../support/clients/grants.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { type EntryCaller, toolCaller } from '../support/clients/tool-caller.ts'
import { type WebhookReceiver, webhookReceiver } from '../support/network/webhook-receiver.ts'
import { eventually } from '../support/time/eventually.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

const issuer = 'https://login.works.example'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
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

/** The company account that the provider refused, where the test has no other. */
const refused = 'refused'

const hold = (
  businessIds: Id<'business'>[],
  userId: Id<'user'>,
  {
    providerId = null,
    subject = refused,
  }: { providerId?: Id<'business'> | null; subject?: string } = {},
) =>
  testbed.db.tx((tx) =>
    holdMember(tx, businessIds, { userId, issuer, subject, providerId, now: now() }),
  )

/** A company account of the person. */
async function identityOf(userId: Id<'user'>, at = issuer, subject: string = crypto.randomUUID()) {
  await testbed.db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    values (${at}, ${subject}, ${userId}, now(), now())
  `)
  return { issuer: at, subject }
}

async function isRefused(caller: EntryCaller, input: object = {}): Promise<boolean> {
  const { status, body } = await caller.call('contact.list', { ...input })
  if (body['code'] === undefined) return false
  assert.deepEqual([body['code'], body['reason']], ['access_denied', 'held'])
  assert.ok(status === 403 || status === 200, 'a tool refuses in its result')
  assert.match(String(body['message']), /[Ss]ign in there again/)
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
  const identity = await identityOf(userId, issuer, refused)
  const confirmed = { ...identity, providerId: null, now: now() }
  assert.equal(await testbed.db.tx((tx) => releaseConfirmed(tx, confirmed)), true)
  for (const caller of [...keys, ...apps]) assert.equal(await isRefused(caller, here), false)
  assert.equal(await testbed.db.tx((tx) => releaseConfirmed(tx, confirmed)), false)
})

test('another provider confirms nobody but where it is the one of the business today', async () => {
  const { db } = testbed
  const { businessId, userId } = await scene()
  await hold([businessId], userId)
  const other = { ...(await identityOf(userId, 'https://other.example')), now: now() }
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
  const { subject } = await identityOf(userId)
  for (const business of [businessId, neighbour]) {
    await db.run(sql`
      insert into identity_providers (business_id, issuer, client_id, name, saved_at)
      values (${business}, ${issuer}, ${business}, 'x', now())
    `)
  }
  await hold([businessId], userId, { providerId: businessId, subject })
  const confirm = (providerId: Id<'business'> | null) =>
    db.tx((tx) => releaseConfirmed(tx, { issuer, subject, providerId, now: now() }))
  assert.equal(await confirm(neighbour), false)
  assert.equal(await confirm(null), false, 'nor does the provider of the installation')
  assert.equal(await confirm(businessId), true)
  // Whom the installation's provider refused, it confirms also where a business has a provider too.
  await hold([businessId], userId, { subject })
  assert.equal(await confirm(neighbour), false)
  assert.equal(await confirm(null), true)
})

test('another account of the person confirms nothing, at the provider that refused one', async () => {
  const { db } = testbed
  const { businessId, userId } = await scene()
  const [gone, another] = [await identityOf(userId), await identityOf(userId)]
  const confirm = (identity: typeof gone, providerId: Id<'business'> | null = null) =>
    db.tx((tx) => releaseConfirmed(tx, { ...identity, providerId, now: now() }))
  await hold([businessId], userId, gone)
  assert.equal(await confirm(another), false, 'anybody has two at a public provider')
  // Nor once the person has unlinked the one that was refused.
  await db.run(sql`delete from identities where subject = ${gone.subject}`)
  assert.equal(await confirm(another), false)
  // A business with its own provider, whose account was registered anew since.
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, name, saved_at)
    values (${businessId}, ${issuer}, 'x', 'x', ${later(now(), -hours(1))})
  `)
  assert.equal(await confirm(another, businessId), true, 'the business has it now')
  await hold([businessId], userId, { providerId: businessId, subject: gone.subject })
  assert.equal(await confirm(another, businessId), false)
  const change = (column: 'saved_at' | 'provider_since') =>
    db.run(sqlWithin`
      update identity_providers set ${column === 'saved_at' ? sql`saved_at` : sql`provider_since`} =
        ${later(now(), minutes(1))}
      where business_id = ${businessId}
    `)
  await db.run(sql`
    update identity_providers set provider_since = saved_at where business_id = ${businessId}
  `)
  await change('saved_at')
  assert.equal(await confirm(another, businessId), false, 'another save changes no provider')
  await change('provider_since')
  assert.equal(await confirm(another, businessId), true, 'an owner has set it up anew since')
})

test('the first hold stands, whoever else refuses the person after it', async () => {
  const { db } = testbed
  const { businessId, userId } = await scene()
  const own = await identityOf(userId)
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, name, saved_at)
    values (${businessId}, ${issuer}, 'x', 'x', ${later(now(), -hours(1))})
  `)
  await hold([businessId], userId, { providerId: businessId, subject: own.subject })
  const held = () =>
    db.one(sql`
      select held_at, held_by, held_subject from memberships
      where business_id = ${businessId} and user_id = ${userId}
    `)
  const first = await held()
  const private1 = await identityOf(userId, 'https://accounts.example')
  const refusal = { userId, ...private1, providerId: null, now: later(now(), hours(1)) }
  await db.tx((tx) => holdMember(tx, [businessId], refusal))
  assert.deepEqual(await held(), first)
  // So whoever lets an account of their own be refused, and signs in there, lifts nothing.
  const confirmed = { ...private1, providerId: null, now: now() }
  assert.equal(await db.tx((tx) => releaseConfirmed(tx, confirmed)), false)
})

test('a held person who signs in by mail gets nowhere in the business, and keeps what is their own', async () => {
  const { db } = testbed
  const { businessId, ownBusiness, owner, userId, apps } = await scene()
  const here = { business_id: formatId('business', businessId) }
  const user_id = formatId('user', userId)
  for (const id of [businessId, ownBusiness]) {
    const domain = { business_id: formatId('business', id), domain: 'held.example' }
    await apps[0]?.get('domain.add', domain)
  }
  const { id: connectionId } = await db.one<{ id: Id<'connection'> }>(sql`
    select connection_id as id from audit_entries
    where business_id = ${businessId} and action = 'domain.add'
  `)
  await hold([businessId], userId)
  await db.run(sql`update memberships set role = 'owner' where user_id = ${userId}`)
  const mailed = await testbed.appCaller({ businesses: [], userId })
  assert.equal(await isRefused(mailed, here), true)
  const acts: [string, object][] = [
    ['member.release', { user_id }],
    ['company.remove', {}],
    ['member.remove', { user_id: formatId('user', owner.userId) }],
    ['webhook.list', {}],
    ['business.get', {}],
  ]
  for (const [name, input] of acts) {
    const { status, body } = await mailed.call(name, { ...here, ...input })
    assert.deepEqual([name, status, body['reason']], [name, 403, 'held'])
  }
  const { businesses } = await mailed.get<{ businesses: unknown[] }>('business.list')
  assert.equal(businesses.length, 1, 'their own business')
  await mailed.get('session.list')
  const { entries } = await mailed.get<{ entries: { business_id: string }[] }>(
    'connection.activity',
    { connection_id: formatId('connection', connectionId) },
  )
  const shown = [...new Set(entries.map((entry) => entry.business_id))]
  assert.deepEqual(shown, [formatId('business', ownBusiness)], 'of the held one nothing is told')
  // Who has no other business is told why there is none.
  await db.run(sql`
    delete from memberships where user_id = ${userId} and business_id <> ${businessId}
  `)
  assert.equal((await mailed.call('business.list', {})).body['reason'], 'held')
  await mailed.get('session.list')
  // A link to a file rests as well that was made in the app.
  const principal = await personPrincipal(db, userId)
  const maker = linkMaker(principal, { scope: 'audience:read', role: 'viewer' })
  assert.equal(mayStillRead(principal, businessId, maker), false)
  // The passkey that an owner keeps for an outage opens the business, and no other passkey does.
  const passkey = newId('passkey')
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, name, is_only,
      break_glass_passkey, saved_at)
    values (${businessId}, ${issuer}, 'x', 'x', true, ${passkey}, now())
  `)
  const isHeldBy = async (provenWith: Id<'passkey'>) => {
    const { businesses } = await personPrincipal(db, userId, { provenBy: 'passkey', provenWith })
    return businesses.map(({ isHeld = false }) => isHeld)
  }
  assert.deepEqual([await isHeldBy(passkey), await isHeldBy(newId('passkey'))], [[false], [true]])
})

test('webhooks of a held person, and of their keys, wait, and deliver what waited once they go on', async () => {
  const { businessId, owner, userId, keys } = await scene()
  const person = await testbed.appCaller({ businesses: [], userId })
  const here = { business_id: formatId('business', businessId) }
  const receivers: WebhookReceiver[] = []
  for (const maker of [person, keys[0] ?? assert.fail()]) {
    let secret = ''
    const receiver = await webhookReceiver(() => secret)
    const webhook = await maker.get<{ webhook_id: string; signing_secret: string }>(
      'webhook.save',
      {
        ...here,
        url: receiver.url,
        events: ['contact.created'],
      },
    )
    secret = webhook.signing_secret
    receivers.push(receiver)
  }
  after(() => {
    for (const receiver of receivers) receiver.close()
  })
  const counts = () => receivers.map(({ received }) => received.length)
  const happen = (email: string) => owner.get('contact.upsert', { email })
  await happen('first@example.com')
  assert.deepEqual(await eventually(counts, (all) => all.every((count) => count === 1)), [1, 1])
  await hold([businessId], userId)
  await happen('second@example.com')
  const { db } = testbed
  const paused = () =>
    db.one<{ count: number }>(sql`
      select count(*)::int as count from webhooks
      where business_id = ${businessId} and paused_because = 'connection_ended'
    `)
  assert.equal((await eventually(paused, ({ count }) => count === 2)).count, 2)
  const list = () => owner.get<{ webhooks: { status: string }[] }>('webhook.list')
  const statuses = async () => (await list()).webhooks.map(({ status }) => status)
  assert.deepEqual(await statuses(), ['paused', 'paused'])
  assert.deepEqual(counts(), [1, 1], 'nothing leaves')
  await owner.get('member.release', { user_id: formatId('user', userId) })
  assert.deepEqual(await eventually(counts, (all) => all.every((count) => count === 2)), [2, 2])
  assert.deepEqual(await statuses(), ['active', 'active'])
})

test('a webhook goes on with the key that an owner takes over, and one that a person paused does not', async () => {
  const { businessId, owner, userId, keyId, keys } = await scene()
  const { db } = testbed
  const key = keys[0] ?? assert.fail()
  const made = []
  for (const path of ['a', 'b']) {
    const input = { url: `http://127.0.0.1:9/${path}`, events: ['contact.created'] }
    made.push(await key.get<{ webhook_id: string }>('webhook.save', input))
  }
  const [working, asked] = made
  await owner.get('webhook.save', { webhook_id: asked?.webhook_id, status: 'paused' })
  await db.run(sql`
    update webhooks set holder_id = ${keyId} where business_id = ${businessId}
  `)
  await hold([businessId], userId)
  await db.run(sql`
    update webhooks set paused_because = 'connection_ended', paused_at = now()
    where business_id = ${businessId} and paused_because is null
  `)
  await owner.get('key.take_over', { key_id: formatId('connection', keyId) })
  const statusOf = async (webhook_id = '') =>
    (await owner.get<{ status: string }>('webhook.get', { webhook_id })).status
  const status = () => statusOf(working?.webhook_id)
  assert.equal(await eventually(status, (word) => word === 'active'), 'active')
  assert.equal(await statusOf(asked?.webhook_id), 'paused')
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
  assert.deepEqual([own.status, own.body['reason']], [403, 'held'])
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

test('the last owner who is not held stays, and removes the one who is', async () => {
  const { businessId, owner, userId } = await scene()
  await testbed.db.run(sql`
    update memberships set role = 'owner' where business_id = ${businessId} and user_id = ${userId}
  `)
  await hold([businessId], userId)
  const own = { email: `${owner.userId}@example.com` }
  const left = [
    await owner.call('member.leave', {}),
    await owner.call('member.save', { ...own, role: 'admin' }),
  ]
  for (const { status, body } of left) {
    assert.deepEqual([status, body['reason']], [409, 'last_owner'])
  }
  await owner.get('member.remove', { user_id: formatId('user', userId) })
})
