/** A person is asked for at the provider each hour, and loses what they have here once they are gone. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import {
  draftIn,
  sendOff,
  stateOf,
} from '../../../../../tests/support/businesses/campaign-drafts.ts'
import { newApiKey } from '../../../../../tests/support/clients/api-keys.ts'
import { testVault } from '../../../../../tests/support/clients/authorization.ts'
import { connectApp } from '../../../../../tests/support/clients/connected-app.ts'
import { newMember } from '../../../../../tests/support/clients/grants.ts'
import {
  type IdentityProvider,
  identityProvider,
} from '../../../../../tests/support/clients/identity-provider.ts'
import type { PageVisitor } from '../../../../../tests/support/clients/page-visitor.ts'
import { type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import type { FactorNotice } from '../../../accounts/factors/notice.ts'
import { createRelyingParty } from '../../../accounts/identities/relying-party.ts'
import { type RenewalDeps, renewalJobs } from '../../../accounts/identities/renew.ts'
import { readSession, startSession } from '../../../accounts/sign-in/session.ts'
import { type Id, newId } from '../../../core/ids.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { sql } from '../../../lib/db/db.ts'
import { createOutbound } from '../../../lib/http-client/outbound-fetch.ts'
import { createGuard } from '../../../lib/http-client/outbound-guard.ts'
import { parseAllowRule } from '../../../lib/http-client/outbound-rules.ts'
import { hours, minutes } from '../../../lib/time/clock.ts'

const cookie = '__Host-crier-session'

let database: TestDatabase
let provider: IdentityProvider
let world: PagesWorld
let jobs: ReturnType<typeof renewalJobs>
const told: FactorNotice[] = []
const outbound = lazily(async () => {
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  return createOutbound({ guard: createGuard({ allowHttp: false, rules: [rule] }) })
})

before(async () => {
  database = await testDatabase()
  provider = await identityProvider({ returnUrls: ['https://app.example/login/company/return'] })
  const party = lazily(async () => createRelyingParty({ outbound, log: silentLog }))
  const { issuer, clientId, clientSecret } = provider
  const companySignIn = { issuer, clientId, clientSecret, name: 'Works', trustedDomains: [] }
  world = pagesWorld(database.db, { companySignIn }, { party })
  const notices = { queue: async (_tx: unknown, notice: FactorNotice) => void told.push(notice) }
  jobs = renewalJobs({
    ...world,
    vault: testVault,
    log: silentLog,
    party,
    notices,
    resolver: {} as RenewalDeps['resolver'],
  })
})
after(async () => {
  await Promise.all([provider.close(), outbound.ifMade((made) => made.close())])
  await database.drop()
})

interface Signed {
  sub: string
  visitor: PageVisitor
  userId: Id<'user'>
  businesses: Id<'business'>[]
}

/** Somebody signs in at the provider for the first time. */
async function signIn({ consents = true } = {}): Promise<Signed> {
  const sub = crypto.randomUUID()
  const email = newPerson()
  const visitor = world.visitor()
  const login = await visitor.get('/login')
  const form = login.forms[0]
  assert.ok(form)
  const action = new URL('/login/company', form.action).href
  const page = await visitor.submit(login, {}, {}, { ...form, action })
  const back = await provider.signIn(
    page.to ?? '',
    { sub, email, email_verified: true },
    { consents },
  )
  const done = await visitor.get(`${new URL(back).pathname}${new URL(back).search}`)
  assert.equal(done.status, 303, done.body)
  const { userId } = await database.db.one<{ userId: Id<'user'> }>(sql`
    select id as "userId" from users where email = ${email}
  `)
  const rows = await database.db.all<{ id: Id<'business'> }>(sql`
    select business_id as id from memberships where user_id = ${userId}
  `)
  return { sub, visitor, userId, businesses: rows.map(({ id }) => id) }
}

const isIn = async ({ visitor }: Signed) =>
  (await readSession(database.db, visitor.cookies.get(cookie) ?? '', world.clock.now())) !==
  undefined

/** Runs the job that asks for the person. */
async function check({ sub }: Signed): Promise<void> {
  const payload = { issuer: provider.issuer, subject: sub }
  await jobs['people.company-check']?.run({ payload } as never, {} as never)
}

const tokenOf = ({ sub }: Signed) =>
  database.db.one<{ token: Buffer | null; at: Date | null }>(sql`
    select refresh_token as token, check_at as at from identities where subject = ${sub}
  `)

const live = async ({ userId }: Signed) =>
  (
    await database.db.one<{ count: number }>(sql`
      select count(*)::int as count from connections
      where user_id = ${userId} and revoked_at is null
    `)
  ).count

test('a person who is still there is asked for each hour, with the token of the time before', async () => {
  const ana = await signIn()
  const first = await tokenOf(ana)
  assert.ok(first.token)
  assert.equal(first.at?.getTime(), world.clock.now().getTime() + hours(1))
  assert.ok(!first.token.toString('latin1').includes('token'), 'it is sealed')
  const { queued } = await database.db.one<{ queued: number }>(sql`
    select count(*)::int as queued from jobs where kind = 'people.company-check'
      and payload ->> 'subject' = ${ana.sub} and due_at = ${first.at}
  `)
  assert.equal(queued, 1)
  // Not before the hour is over, however often the job runs.
  world.clock.forward(minutes(59))
  await check(ana)
  assert.deepEqual((await tokenOf(ana)).token, first.token)
  for (let hour = 0; hour < 3; hour += 1) {
    world.clock.forward(hours(1))
    const before = await tokenOf(ana)
    await check(ana)
    const after = await tokenOf(ana)
    assert.notDeepEqual(after.token, before.token)
    assert.equal(after.at?.getTime(), world.clock.now().getTime() + hours(1))
  }
  assert.equal(await isIn(ana), true)
})

test('who is gone there loses sessions, apps and keys; owners are told, campaigns go on', async () => {
  const { db } = database
  const bea = await signIn()
  const place = await draftIn(db, 3)
  const { businessId: shop } = place
  const owner = await newMember(db, { businesses: [shop] })
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${shop}, ${bea.userId}, 'admin', now())
  `)
  await connectApp(db, { userId: bea.userId, businesses: [shop, ...bea.businesses] })
  const { connectionId } = await connectApp(db, { userId: owner, businesses: [shop] })
  await newApiKey(db, { businessId: shop, userId: bea.userId })
  assert.equal(await live(bea), 2)
  await sendOff(place)
  const state = await stateOf(place)
  // A session by mail ends as well; one by the passkey that an owner keeps for an outage does not.
  const mailed = await startSession(db, bea.userId, world.clock.now())
  const passkey = newId('passkey')
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, name, is_only,
      break_glass_passkey, saved_at)
    values (${shop}, 'https://other.example', 'x', 'x', true, ${passkey}, now())
  `)
  const proof = { by: 'passkey', with: passkey } as const
  const from = { agent: null, address: '192.0.2.1', country: null }
  const kept = await startSession(db, bea.userId, world.clock.now(), { ...from, proof })

  provider.forget(bea.sub)
  assert.equal(await isIn(bea), true, 'until the next check')
  world.clock.forward(hours(1))
  told.length = 0
  await check(bea)
  assert.equal(await isIn(bea), false)
  const read = (token: string) => readSession(db, token, world.clock.now())
  assert.equal(await read(mailed), undefined)
  assert.ok(await read(kept))
  assert.equal(await live(bea), 0)
  const { noted } = await db.one<{ noted: number }>(sql`
    select count(*)::int as noted from access_changes a join connections c on c.id = a.subject
    where c.user_id = ${bea.userId} and c.revoked_by = 'company_gone'
  `)
  assert.equal(noted, 2, 'nodes that cache callers learn of it')
  assert.deepEqual(
    told.map(({ userId, event }) => [userId, event]),
    [[owner, 'gone']],
  )
  const others = await db.one<{ isLive: boolean }>(sql`
    select revoked_at is null as "isLive" from connections where id = ${connectionId}
  `)
  assert.equal(others.isLive, true)
  assert.equal(await stateOf(place), state)
  const { entries } = await db.one<{ entries: number }>(sql`
    select count(*)::int as entries from audit_entries
    where business_id = ${shop} and action = 'company.gone'
  `)
  assert.equal(entries, 1)
  // Nobody is asked again.
  assert.deepEqual(await tokenOf(bea), { token: null, at: null })
})

test('where the token ends with the session there, only sessions end with it', async () => {
  const cleo = await signIn({ consents: false })
  await connectApp(database.db, { userId: cleo.userId, businesses: cleo.businesses })
  provider.forget(cleo.sub)
  world.clock.forward(hours(1))
  told.length = 0
  await check(cleo)
  assert.equal(await isIn(cleo), false)
  assert.equal(await live(cleo), 1)
  assert.deepEqual(told, [])
})

test('a provider that does not answer ends nothing, and is asked again after five minutes', async () => {
  const dora = await signIn()
  await connectApp(database.db, { userId: dora.userId, businesses: dora.businesses })
  world.clock.forward(hours(1))
  provider.fail(1)
  await check(dora)
  assert.equal(await isIn(dora), true)
  assert.equal((await tokenOf(dora)).at?.getTime(), world.clock.now().getTime() + minutes(5))
  world.clock.forward(minutes(5))
  await check(dora)
  assert.equal((await tokenOf(dora)).at?.getTime(), world.clock.now().getTime() + hours(1))
  // An answer that was lost may have spent the token: then its refusal does not end apps and keys.
  world.clock.forward(hours(1))
  provider.fail(1)
  await check(dora)
  provider.forget(dora.sub)
  world.clock.forward(minutes(5))
  await check(dora)
  assert.deepEqual([await isIn(dora), await live(dora)], [false, 1])
})

test('a sign-in meanwhile counts more than a refusal of the token before it', async () => {
  const eva = await signIn()
  world.clock.forward(hours(1))
  const running = check(eva)
  await database.db.run(sql`
    update identities set refresh_token = ${testVault.seal(
      `identities ${provider.issuer} ${eva.sub}`,
      Buffer.from('{"token":"x","outlives":true}'),
    )}, check_at = ${new Date(world.clock.now().getTime() + hours(1))}
    where subject = ${eva.sub}
  `)
  await running
  assert.equal(await isIn(eva), true)
})
