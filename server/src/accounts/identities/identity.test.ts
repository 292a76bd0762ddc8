import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { startSession } from '../sign-in/session.ts'
import { domainOf } from './provider.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

const issuer = 'https://login.example'

async function link(userId: Id<'user'>): Promise<{ issuer: string; subject: string }> {
  const subject = crypto.randomUUID()
  await testbed.db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    values (${issuer}, ${subject}, ${userId}, now(), now())
  `)
  return { issuer, subject }
}

const sessionsOf = async (userId: Id<'user'>) =>
  (
    await testbed.db.one<{ count: number }>(sql`
      select count(*)::int as count from sessions where user_id = ${userId}
    `)
  ).count

test('a person unlinks an account of their own; its other browsers are signed out, and they are told', async () => {
  const { db } = testbed
  const businesses = [await testbed.newBusiness('scale')]
  const ana = await testbed.appCaller({ businesses })
  const identity = await link(ana.userId)
  const company = { ...identity, providerSession: null }
  const from = { agent: null, address: '192.0.2.1', country: null, company }
  await startSession(db, ana.userId, new Date(), from)
  const { identities } = await ana.get<{ identities: { subject: string }[] }>('identity.list', {})
  assert.deepEqual(
    identities.map(({ subject }) => subject),
    [identity.subject],
  )
  assert.equal(await sessionsOf(ana.userId), 2)
  // Somebody else's stays, whoever knows its name.
  const bea = await testbed.appCaller({ businesses })
  assert.equal((await bea.call('identity.unlink', identity)).status, 404)
  await ana.get('identity.unlink', identity)
  const left = await ana.get<{ identities: unknown[] }>('identity.list', {})
  assert.deepEqual(left.identities, [])
  assert.equal(await sessionsOf(ana.userId), 1, 'the browser that asks stays signed in')
  assert.equal((await ana.call('identity.unlink', identity)).status, 404)
  const { mails } = await db.one<{ mails: number }>(sql`
    select count(*)::int as mails from jobs
    where kind = 'people.factor-mail' and payload ->> 'event' = 'unlinked'
      and payload ->> 'user_id' = ${ana.userId}
  `)
  assert.equal(mails, 1)
  const { entries } = await db.one<{ entries: number }>(sql`
    select count(*)::int as entries from audit_entries
    where business_id = ${businesses[0] ?? null} and action = 'identity.unlink'
  `)
  assert.equal(entries, 1)
})

test('owners of the company are told by mail, since nobody notices any more when the person leaves', async () => {
  const { db } = testbed
  const [company, elsewhere] = [
    await testbed.newBusiness('scale'),
    await testbed.newBusiness('scale'),
  ]
  const owners = await Promise.all(
    [1, 2].map(() => testbed.appCaller({ businesses: [company], role: 'owner' })),
  )
  await testbed.appCaller({ businesses: [company], role: 'admin' })
  await testbed.appCaller({ businesses: [elsewhere], role: 'owner' })
  const ana = await testbed.appCaller({ businesses: [company, elsewhere], role: 'owner' })
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, name, saved_at)
    values (${company}, ${issuer}, 'x', 'x', now())
  `)
  await ana.get('identity.unlink', await link(ana.userId))
  const mails = await db.all<{ userId: string; business: string }>(sql`
    select payload ->> 'user_id' as "userId", payload #>> '{details,businessId}' as business
    from jobs
    where kind = 'people.factor-mail' and payload ->> 'event' = 'member_unlinked'
    order by 1
  `)
  assert.deepEqual(
    mails,
    owners
      .map(({ userId }) => ({ userId, business: company }))
      .toSorted((owner, other) => (owner.userId < other.userId ? -1 : 1)),
  )
  await db.run(sql`delete from identity_providers where business_id = ${company}`)
})

test('of the provider of the installation, owners of businesses without one of their own are told', async () => {
  const installation = 'https://installation.example'
  const settings = { OIDC_ISSUER: installation, OIDC_CLIENT_ID: 'crier', OIDC_CLIENT_SECRET: 'x' }
  const own = await openTestbed({ idle: true, settings })
  try {
    const [plain, elsewhere] = [await own.newBusiness('scale'), await own.newBusiness('scale')]
    const owner = await own.appCaller({ businesses: [plain], role: 'owner' })
    await own.appCaller({ businesses: [elsewhere], role: 'owner' })
    const ana = await own.appCaller({ businesses: [plain, elsewhere], role: 'editor' })
    await own.db.run(sql`
      insert into identity_providers (business_id, issuer, client_id, name, saved_at)
      values (${elsewhere}, ${issuer}, 'x', 'x', now())
    `)
    const subject = crypto.randomUUID()
    await own.db.run(sql`
      insert into identities (issuer, subject, user_id, created_at, last_used_at)
      values (${installation}, ${subject}, ${ana.userId}, now(), now())
    `)
    await ana.get('identity.unlink', { issuer: installation, subject })
    const mails = await own.db.all<{ userId: string }>(sql`
      select payload ->> 'user_id' as "userId" from jobs
      where kind = 'people.factor-mail' and payload ->> 'event' = 'member_unlinked'
    `)
    assert.deepEqual(mails, [{ userId: owner.userId }])
  } finally {
    await own.close()
  }
})

test('it needs a factor of who has one, a recent sign-in, and another way in', async () => {
  const { db } = testbed
  const business = await testbed.newBusiness('scale')
  const ana = await testbed.appCaller({ businesses: [business] })
  const identity = await link(ana.userId)
  await db.run(sql`
    insert into authenticator_apps (user_id, secret, added_at) values (${ana.userId}, '\\x00', now())
  `)
  assert.equal((await ana.call('identity.unlink', identity)).body['reason'], 'fresh_factor')
  await db.run(sql`update sessions set proven_at = now() where user_id = ${ana.userId}`)
  const { email } = await db.one<{ email: string }>(sql`
    select email from users where id = ${ana.userId}
  `)
  // Its domain is proven here for this test alone.
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, name, is_only,
      break_glass_passkey, saved_at)
    values (${business}, ${issuer}, 'x', 'x', true, ${newId('passkey')}, now())
  `)
  await db.run(sql`
    insert into provider_domains (business_id, domain, added_at, proven_at)
    values (${business}, ${domainOf(email)}, now(), now())
  `)
  assert.equal((await ana.call('identity.unlink', identity)).body['reason'], 'company_only')
  await db.run(sql`delete from provider_domains where business_id = ${business}`)
  await db.run(sql`
    update sessions set created_at = now() - interval '1 hour', proven_at = now() - interval '1 hour'
    where user_id = ${ana.userId}
  `)
  assert.equal((await ana.call('identity.unlink', identity)).status, 401)
})
