/** Whoever reads a mailbox and sets up the first factor of its person does nothing with it for a day. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { bytesOf, codeAt } from '../../../../tests/support/clients/one-time-codes.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { factorsFromOperator } from './operator-reset.ts'
import { checkMayConnect } from './sign-in.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

type Caller = Awaited<ReturnType<typeof testbed.appCaller>>

const emailOf = async ({ userId }: Caller) =>
  (await testbed.db.one<{ email: string }>(sql`select email from users where id = ${userId}`)).email

/** Sets up an authenticator app, as whoever has the session would. */
async function setUpApp(caller: Caller): Promise<void> {
  const { secret } = await caller.get<{ secret: string }>('factor.start', {})
  await caller.get('factor.add', { code: codeAt(bytesOf(secret), new Date()) })
}

/** An admin of some age without a factor, and an owner with one, of a business that asks for one. */
async function staff(rule: { required?: boolean; graceDays?: number; fresh?: boolean } = {}) {
  const { required = true, graceDays = -1, fresh = false } = rule
  const business = await testbed.newBusiness('scale')
  const businesses = [business]
  const owner = await testbed.appCaller({ businesses })
  const member = await testbed.appCaller({ businesses, role: 'admin' })
  await testbed.db.run(sql`
    update users set created_at = created_at - interval '2 days'
    where id in (${owner.userId}, ${member.userId})
  `)
  await setUpApp(owner)
  await testbed.db.run(sql`
    update businesses set asks_fresh_factor = ${fresh},
      factor_required_from = case when ${required} then now() + make_interval(days => ${graceDays}) end
    where id = ${business}
  `)
  const business_id = formatId('business', business)
  return { business, owner, member, business_id }
}

function insertProvider(
  business: Id<'business'>,
  { issuer, domain }: { issuer: string; domain: string },
) {
  return testbed.db.tx(async (tx) => {
    await tx.run(sql`
      insert into identity_providers (business_id, issuer, client_id, name, saved_at)
      values (${business}, ${issuer}, 'crier', 'Company', now())
    `)
    await tx.run(sql`
      insert into provider_domains (business_id, domain, added_at, proven_at)
      values (${business}, ${domain}, now(), now())
    `)
  })
}

/** The caller's session is of a company account that was linked then, at the provider of a business. */
async function signInAtCompany(
  { userId, get }: Caller,
  { provider, hoursAgo }: { provider: Id<'business'>; hoursAgo: number },
): Promise<string> {
  await get('session.list', {})
  const [issuer, domain] = [`https://${provider}.example`, `${userId}.example`]
  await insertProvider(provider, { issuer, domain })
  await testbed.db.run(sql`update users set email = ${`v@${domain}`} where id = ${userId}`)
  await testbed.db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    values (${issuer}, 'v', ${userId}, now() - make_interval(hours => ${hoursAgo}), now())
  `)
  await testbed.db.run(sql`
    update sessions set issuer = ${issuer}, subject = 'v' where user_id = ${userId}
  `)
  return issuer
}

/** The mails of these factors, as they are queued. */
async function eventsOf(userId: Id<'user'>): Promise<string[]> {
  const rows = await testbed.db.all<{ event: string }>(sql`
    select payload ->> 'event' as event from jobs
    where kind = 'people.factor-mail' and payload ->> 'user_id' = ${userId}
    order by id
  `)
  return rows.map(({ event }) => event)
}

test('a first factor by the mailbox alone reads, and does nothing else for 24 hours', async () => {
  const { owner, member, business_id } = await staff()
  await setUpApp(member)
  assert.equal((await member.call('campaign.list', { business_id })).kind, 'answer')
  for (const [name, input] of [
    ['contact.upsert', { email: 'a@example.com' }],
    ['key.create', { name: 'Program' }],
    ['export.create', { filter: { tag: 'vip' } }],
  ] as const) {
    const { status, body } = await member.call(name, { business_id, ...input })
    assert.deepEqual(
      [status, body['code'], body['reason']],
      [403, 'access_denied', 'new_factor'],
      name,
    )
    assert.ok(new Date(String(body['counts_from'])) > new Date())
  }
  // Nor is the account taken to another mailbox, or an app connected.
  const moved = await member.call('address.change', { email: 'thief@example.net' })
  assert.equal(moved.body['reason'], 'new_factor')
  const appUrl = 'https://app.example'
  const person = { userId: member.userId, isRequired: false, appUrl }
  await assert.rejects(checkMayConnect(testbed.db, { ...person, now: new Date() }), {
    code: 'access_denied',
  })
  assert.ok((await eventsOf(owner.userId)).includes('first_factor_waits'))
  assert.ok((await eventsOf(member.userId)).includes('factor_waits'))

  await testbed.db.run(sql`
    update users set factor_waits_until = now() where id = ${member.userId}
  `)
  const done = await member.call('contact.upsert', { business_id, email: 'a@example.com' })
  assert.equal(done.kind, 'answer', done.text)
  await checkMayConnect(testbed.db, { ...person, now: new Date() })
})

test('an owner with a factor of their own confirms it, and it counts at once', async () => {
  const { owner, member, business_id } = await staff()
  await setUpApp(member)
  const { counts_from } = await member.get<{ counts_from: string }>('factor.list', {})
  const { members } = await owner.get<{ members: { email: string; factor_counts_from: string }[] }>(
    'member.list',
    { business_id },
  )
  const email = await emailOf(member)
  const shown = members.find((entry) => entry.email === email)
  assert.equal(shown?.factor_counts_from, counts_from)
  const input = { business_id, user_id: formatId('user', member.userId) }
  // Neither the member, nor another owner whose factor is as new.
  assert.equal((await member.call('factor.accept', input)).status, 403)
  const own = { business_id, user_id: formatId('user', owner.userId) }
  assert.equal((await owner.call('factor.accept', own)).body['reason'], 'own_factors')
  await owner.get('factor.accept', input)
  assert.equal(
    (await member.call('contact.upsert', { business_id, email: 'b@example.com' })).kind,
    'answer',
  )
  assert.ok((await eventsOf(member.userId)).includes('factor_accepted'))
})

test('an owner vouches before their own business alone; then it is the operator', async () => {
  const { owner, member, business_id } = await staff()
  const other = await staff()
  await testbed.db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${other.business}, ${member.userId}, 'admin', now())
  `)
  await setUpApp(member)
  assert.ok((await eventsOf(other.owner.userId)).includes('first_factor_waits'))
  const input = { business_id, user_id: formatId('user', member.userId) }
  const refused = await owner.call('factor.accept', input)
  assert.equal(refused.body['reason'], 'accept_by_operator')
  const email = await emailOf(member)
  const query = { email, reset: false, now: new Date() }
  assert.ok((await factorsFromOperator(testbed.db, query)).counts_from)
  const after = await factorsFromOperator(testbed.db, { ...query, accept: true })
  assert.equal(after.counts_from, null)
  assert.equal(
    (await member.call('contact.upsert', { business_id, email: 'c@example.com' })).kind,
    'answer',
  )
})

test('where the operator asks everybody, no owner vouches or resets for another business', async () => {
  const strict = await openTestbed({ idle: true, settings: { REQUIRE_SECOND_FACTOR: 'yes' } })
  try {
    const [theirs, thieves] = [await strict.newBusiness('scale'), await strict.newBusiness('scale')]
    const thief = await strict.appCaller({ businesses: [thieves] })
    await setUpApp(thief)
    // A member of the business that matters, who was invited into the thief's own as well.
    const member = await strict.appCaller({ businesses: [theirs, thieves], role: 'admin' })
    await strict.db.run(sql`
      update users set created_at = created_at - interval '2 days' where id = ${member.userId}
    `)
    await setUpApp(member)
    const input = {
      business_id: formatId('business', thieves),
      user_id: formatId('user', member.userId),
    }
    const accepted = await thief.call('factor.accept', input)
    assert.deepEqual([accepted.status, accepted.body['reason']], [409, 'accept_by_operator'])
    const reset = await thief.call('factor.reset', input)
    assert.deepEqual([reset.status, reset.body['reason']], [409, 'reset_by_operator'])
    const business_id = formatId('business', theirs)
    const refused = await member.call('contact.upsert', { business_id, email: 'a@example.com' })
    assert.equal(refused.body['reason'], 'new_factor')

    // Where the business is the member's only one, its owner does both.
    await strict.db.run(sql`
      delete from memberships where user_id = ${member.userId} and business_id = ${theirs}
    `)
    assert.equal((await thief.call('factor.accept', input)).status, 200)
    assert.equal((await thief.call('factor.reset', input)).body['status'], 'waiting')
  } finally {
    await strict.close()
  }
})

test('nobody moves the address first and sets up the factor afterwards', async () => {
  for (const rule of [{}, { required: false, fresh: true }]) {
    const { member } = await staff(rule)
    const moved = await member.call('address.change', { email: 'thief@example.net' })
    assert.deepEqual([moved.status, moved.body['reason']], [403, 'second_factor'])
    await setUpApp(member)
    await testbed.db.run(sql`
      update users set factor_waits_until = now() where id = ${member.userId}
    `)
    const to = `${member.userId}@example.net`
    assert.equal((await member.call('address.change', { email: to })).status, 202)
  }
  // Where nobody asks, or not yet, the mailbox is enough.
  for (const rule of [{ required: false }, { graceDays: 7 }]) {
    const { member } = await staff(rule)
    const to = `${member.userId}@example.net`
    assert.equal((await member.call('address.change', { email: to })).status, 202)
  }
})

test('a company account that the mailbox has just linked, or of a provider of anybody, is no more', async () => {
  const linkedNow = await staff()
  await signInAtCompany(linkedNow.member, { provider: linkedNow.business, hoursAgo: 23 })
  // The thief's own business runs a provider, for a domain to which the address was moved.
  const ofThief = await staff()
  const thieves = await testbed.newBusiness('scale')
  await signInAtCompany(ofThief.member, { provider: thieves, hoursAgo: 24 })
  // The same issuer as at the business of the member, but of the thief's domain.
  const shared = await staff()
  const another = await testbed.newBusiness('scale')
  const issuer = await signInAtCompany(shared.member, { provider: another, hoursAgo: 24 })
  await insertProvider(shared.business, { issuer, domain: `${shared.business}.example` })
  for (const { member, business_id } of [linkedNow, ofThief, shared]) {
    await setUpApp(member)
    const refused = await member.call('contact.upsert', { business_id, email: 'a@example.com' })
    assert.equal(refused.body['reason'], 'new_factor')
  }
})

test('where acts ask for a fresh factor alone, those wait, and the rest goes on', async () => {
  const { member, business_id } = await staff({ required: false, fresh: true })
  await setUpApp(member)
  assert.equal(
    (await member.call('contact.upsert', { business_id, email: 'd@example.com' })).kind,
    'answer',
  )
  const refused = await member.call('key.create', { business_id, name: 'Program' })
  assert.equal(refused.body['reason'], 'new_factor')
})

test('nobody waits who is new, came from their company, has a factor, or is in the days of grace', async () => {
  const counts = async (member: Caller) =>
    (await member.get<{ counts_from: string | null }>('factor.list', {})).counts_from === null
  const isNew = await staff()
  await testbed.db.run(sql`update users set created_at = now() where id = ${isNew.member.userId}`)
  await setUpApp(isNew.member)
  assert.ok(await counts(isNew.member), 'new')

  const ofCompany = await staff()
  await signInAtCompany(ofCompany.member, { provider: ofCompany.business, hoursAgo: 24 })
  await setUpApp(ofCompany.member)
  assert.ok(await counts(ofCompany.member), 'of the company')

  const grace = await staff({ graceDays: 7 })
  await setUpApp(grace.member)
  assert.ok(await counts(grace.member), 'in the days of grace')
  // The owners learn of it all the same.
  assert.ok((await eventsOf(grace.owner.userId)).includes('first_factor'))

  const nobodyAsks = await staff({ required: false })
  await setUpApp(nobodyAsks.member)
  assert.ok(await counts(nobodyAsks.member), 'nobody asks')
  assert.ok(!(await eventsOf(nobodyAsks.owner.userId)).includes('first_factor'))
})

test('a reset begins anew: the factor after it waits too', async () => {
  const { member } = await staff()
  await setUpApp(member)
  const email = await emailOf(member)
  const now = new Date()
  await factorsFromOperator(testbed.db, { email, reset: false, accept: true, now })
  const { counts_from } = await factorsFromOperator(testbed.db, { email, reset: true, now })
  assert.equal(counts_from, null)
  const again = await testbed.appCaller({ businesses: [], userId: member.userId })
  await setUpApp(again)
  assert.ok((await factorsFromOperator(testbed.db, { email, reset: false, now })).counts_from)
})
