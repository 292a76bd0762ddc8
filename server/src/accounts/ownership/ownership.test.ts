/** A business goes to another owner: both have to agree, and either can end it. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

async function staff() {
  const business = await testbed.newBusiness('scale')
  const businesses = [business]
  const owner = await testbed.appCaller({ businesses, role: 'owner' })
  const member = await testbed.appCaller({ businesses, role: 'editor' })
  const other = await testbed.appCaller({ businesses, role: 'admin' })
  const business_id = formatId('business', business)
  const offer = { business_id, user_id: formatId('user', member.userId) }
  const roles = async () => {
    const rows = await testbed.db.all<{ userId: Id<'user'>; role: string }>(sql`
      select user_id as "userId", role from memberships where business_id = ${business}
    `)
    return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
  }
  const mails = async (event: string) =>
    (
      await testbed.db.all<{ userId: Id<'user'> }>(sql`
        select payload ->> 'user_id' as "userId" from jobs
        where kind = 'people.factor-mail' and payload ->> 'event' = ${event}
          and payload ->> 'user_id' in (${owner.userId}, ${member.userId}, ${other.userId})
        order by 1
      `)
    ).map(({ userId }) => userId)
  return { business, business_id, owner, member, other, offer, roles, mails }
}

test('a member who accepts is owner, and who offered it an admin; both are told', async () => {
  const { business_id, owner, member, other, offer, roles, mails } = await staff()
  const before = await roles()
  await owner.get('ownership.offer', offer)
  assert.deepEqual(await roles(), before, 'until the member accepts')
  assert.deepEqual(await mails('offered'), [member.userId])
  assert.deepEqual(await mails('offered_by_you'), [owner.userId])
  const seen = async (caller: typeof owner) =>
    (await caller.get<{ offer: object | null }>('ownership.get', { business_id })).offer
  assert.equal(await seen(other), null, 'it concerns two people alone')
  assert.ok(await seen(owner))
  // Nobody else takes it, not even who offered it.
  for (const caller of [other, owner]) {
    const taken = await caller.call('ownership.answer', { business_id, accept: true })
    assert.equal(taken.body['reason'], 'no_offer')
  }
  await member.get('ownership.answer', { business_id, accept: true })
  assert.deepEqual(await roles(), {
    ...before,
    [owner.userId]: 'admin',
    [member.userId]: 'owner',
  })
  assert.deepEqual(await mails('transferred'), [owner.userId, member.userId].toSorted())
  const again = await member.call('ownership.answer', { business_id, accept: true })
  assert.equal(again.body['reason'], 'no_offer')
})

test('either of the two ends an offer, and after 7 days it has ended', async () => {
  const { business, business_id, owner, member, other, offer, roles } = await staff()
  const before = await roles()
  const accept = () => member.call('ownership.answer', { business_id, accept: true })
  for (const caller of [owner, member]) {
    await owner.get('ownership.offer', offer)
    const foreign = await other.call('ownership.answer', { business_id, accept: false })
    assert.equal(foreign.body['reason'], 'no_offer')
    await caller.get('ownership.answer', { business_id, accept: false })
    assert.equal((await accept()).body['reason'], 'no_offer')
  }
  await owner.get('ownership.offer', offer)
  await testbed.db.run(sql`
    update ownership_offers set expires_at = expires_at - interval '7 days'
    where business_id = ${business}
  `)
  assert.equal((await accept()).body['reason'], 'no_offer')
  assert.deepEqual(await roles(), before)
})

test('an offer takes an owner to make, a member to take, and ends with the owner’s role', async () => {
  const { business, business_id, owner, member, other, offer, roles } = await staff()
  assert.equal((await other.call('ownership.offer', offer)).body['code'], 'role_required')
  const own = { business_id, user_id: formatId('user', owner.userId) }
  assert.equal((await owner.call('ownership.offer', own)).body['reason'], 'own_business')
  const stranger = await testbed.appCaller({ businesses: [await testbed.newBusiness('scale')] })
  const foreign = { business_id, user_id: formatId('user', stranger.userId) }
  assert.equal((await owner.call('ownership.offer', foreign)).status, 404)
  await owner.get('ownership.offer', offer)
  // Meanwhile somebody else is the owner.
  await testbed.db.run(sql`
    update memberships set role = case when user_id = ${other.userId} then 'owner' else 'viewer' end
    where business_id = ${business}
  `)
  const before = await roles()
  const accepted = await member.call('ownership.answer', { business_id, accept: true })
  assert.equal(accepted.body['reason'], 'no_offer')
  assert.deepEqual(await roles(), before)
})

test('who has a factor uses it to give a business away, and to take one', async () => {
  const { business_id, owner, member, offer } = await staff()
  const addApp = ({ userId }: typeof owner) =>
    testbed.db.run(sql`
      insert into authenticator_apps (user_id, secret, added_at) values (${userId}, '\\x00', now())
    `)
  const prove = ({ userId }: typeof owner) =>
    testbed.db.run(sql`
      update sessions set proven_at = now(), proven_by = 'code' where user_id = ${userId}
    `)
  for (const person of [owner, member]) await addApp(person)
  assert.equal((await owner.call('ownership.offer', offer)).body['reason'], 'fresh_factor')
  await prove(owner)
  await owner.get('ownership.offer', offer)
  const accept = { business_id, accept: true }
  assert.equal((await member.call('ownership.answer', accept)).body['reason'], 'fresh_factor')
  await prove(member)
  assert.equal((await member.call('ownership.answer', accept)).kind, 'answer')
})
