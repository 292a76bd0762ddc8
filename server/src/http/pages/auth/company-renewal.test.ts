/** A person is asked for at the provider each hour, and once it refuses, sessions end, apps and keys are held. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
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
import { ownersFinding, refusalsFinding } from '../../../checks/check-owners.ts'
import { formatId, type Id, newId } from '../../../core/ids.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { sql } from '../../../lib/db/db.ts'
import { createOutbound } from '../../../lib/http-client/outbound-fetch.ts'
import { createGuard, parseAllowRule } from '../../../lib/http-client/outbound-guard.ts'
import { hours, later, minutes } from '../../../lib/time/clock.ts'
import { principalsOf } from '../../../oauth/connections/principals.ts'

const cookie = '__Host-crier-session'

let database: TestDatabase
let provider: IdentityProvider
let world: PagesWorld
let jobs: ReturnType<typeof renewalJobs>
const notices: FactorNotice[] = []
const outbound = lazily(async () => {
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  return createOutbound({ guard: createGuard({ allowHttp: false, rules: [rule] }) })
})

before(async () => {
  database = await testDatabase()
  provider = await identityProvider({ returnUrls: ['https://app.example/login/company/return'] })
  world = pagesWorld(database.db, { companySignIn: companySignIn() }, { party: party() })
  jobs = renewalJobs(renewalDeps())
})
after(async () => {
  await Promise.all([provider.close(), outbound.ifMade((made) => made.close())])
  await database.drop()
})

const party = () => lazily(async () => createRelyingParty({ outbound, log: silentLog }))

function companySignIn() {
  const { issuer, clientId, clientSecret } = provider
  return { issuer, clientId, clientSecret, name: 'Works', trustedDomains: [] }
}

function renewalDeps(): RenewalDeps {
  return {
    ...world,
    vault: testVault,
    log: silentLog,
    party: party(),
    notices: { queue: async (_tx, notice) => void notices.push(notice) },
    resolver: {} as RenewalDeps['resolver'],
  }
}

interface Signed {
  sub: string
  visitor: PageVisitor
  userId: Id<'user'>
  businesses: Id<'business'>[]
}

/** Somebody signs in at the provider for the first time. */
const signIn = (options: { consents?: boolean } = {}) =>
  signInAs(crypto.randomUUID(), newPerson(), options)

async function signInAs(sub: string, email: string, { consents = true } = {}): Promise<Signed> {
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

/** In which of the connections a business is held, of those that reach it. */
const heldIn = (ids: Id<'connection'>[]) => async (business: Id<'business'>) => {
  const principals = await principalsOf(database.db, ids)
  return ids
    .flatMap((id) => principals.get(id)?.businesses ?? [])
    .filter(({ id }) => id === business)
    .map(({ isHeld = false }) => isHeld)
}

const emailOf = async ({ userId }: Signed) =>
  (await database.db.one<{ email: string }>(sql`select email from users where id = ${userId}`))
    .email

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

test('whom the provider refuses loses all sessions and has apps and keys held; owners are told, campaigns go on', async () => {
  const { db } = database
  const bea = await signIn()
  const campaign = await draftIn(db, 3)
  const { businessId: shop } = campaign
  const owner = await newMember(db, { businesses: [shop] })
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${shop}, ${bea.userId}, 'admin', now())
  `)
  const app = await connectApp(db, { userId: bea.userId, businesses: [shop, ...bea.businesses] })
  const { key } = await newApiKey(db, { businessId: shop, userId: bea.userId })
  assert.equal(await live(bea), 2)
  const isHeldIn = heldIn([app.connectionId, key.id])
  assert.deepEqual(await isHeldIn(shop), [false, false])
  await sendOff(campaign)
  const state = await stateOf(campaign)
  // A session by mail ends as well, and one by the passkey kept for an outage of another provider.
  const mailed = await startSession(db, bea.userId, world.clock.now())
  const passkey = newId('passkey')
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, name, is_only,
      break_glass_passkey, saved_at)
    values (${shop}, 'https://other.example', 'x', 'x', true, ${passkey}, now())
  `)
  const proof = { by: 'passkey', with: passkey } as const
  const from = { agent: null, address: '192.0.2.1', country: null }
  const other = await startSession(db, bea.userId, world.clock.now(), { ...from, proof })

  provider.forget(bea.sub)
  assert.equal(await isIn(bea), true, 'until the next check')
  world.clock.forward(hours(1))
  notices.length = 0
  await check(bea)
  assert.equal(await isIn(bea), false)
  const read = (token: string) => readSession(db, token, world.clock.now())
  assert.equal(await read(mailed), undefined)
  assert.equal(await read(other), undefined)
  // A refusal may be a reset of a password there: nothing ends that could not be taken up again.
  assert.equal(await live(bea), 2)
  assert.deepEqual(await isHeldIn(shop), [true, true])
  for (const own of bea.businesses) {
    assert.deepEqual(await isHeldIn(own), [false], 'nobody else could let it go on')
  }
  assert.deepEqual(
    notices.map(({ userId, event, details }) => [userId, event, details?.businessId]),
    [[owner, 'gone', shop]],
  )
  assert.equal(await stateOf(campaign), state)
  const { entries } = await db.one<{ entries: number }>(sql`
    select count(*)::int as entries from audit_entries
    where business_id = ${shop} and action = 'company.gone'
  `)
  assert.equal(entries, 1)
  // Nobody is asked again.
  assert.deepEqual(await tokenOf(bea), { token: null, at: null })
  // A sign-in by mail changes nothing; one at the company lets all of it go on at once.
  await startSession(db, bea.userId, world.clock.now())
  assert.deepEqual(await isHeldIn(shop), [true, true])
  await signInAs(bea.sub, await emailOf(bea))
  assert.deepEqual(await isHeldIn(shop), [false, false])
})

test('where the token ends with the session there, only sessions end with it', async () => {
  const cleo = await signIn({ consents: false })
  await connectApp(database.db, { userId: cleo.userId, businesses: cleo.businesses })
  provider.forget(cleo.sub)
  world.clock.forward(hours(1))
  notices.length = 0
  await check(cleo)
  assert.equal(await isIn(cleo), false)
  assert.equal(await live(cleo), 1)
  assert.deepEqual(notices, [])
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
  // An answer that was lost may have spent the token: then owners are not told that somebody is gone.
  world.clock.forward(hours(1))
  provider.fail(1)
  await check(dora)
  provider.forget(dora.sub)
  const mailed = await startSession(database.db, dora.userId, world.clock.now())
  world.clock.forward(minutes(5))
  await check(dora)
  assert.equal(await isIn(dora), false)
  assert.ok(await readSession(database.db, mailed, world.clock.now()))
})

test('after a day without checks here, a refusal ends only what the provider opened', async () => {
  const finn = await signIn()
  const mailed = await startSession(database.db, finn.userId, world.clock.now())
  provider.forget(finn.sub)
  world.clock.forward(hours(25))
  await check(finn)
  assert.deepEqual(await tokenOf(finn), { token: null, at: null })
  const { companySessions } = await database.db.one<{ companySessions: number }>(sql`
    select count(*)::int as "companySessions" from sessions where subject = ${finn.sub}
  `)
  assert.equal(companySessions, 0)
  const { left } = await database.db.one<{ left: number }>(sql`
    select count(*)::int as left from sessions where user_id = ${finn.userId}
  `)
  assert.ok(mailed)
  assert.equal(left, 1)
})

test('a token is never sent as that of another client, and then ends nothing', async () => {
  const gina = await signIn()
  const asOther = renewalJobs({
    ...renewalDeps(),
    config: {
      ...world.config,
      companySignIn: { ...companySignIn(), clientId: 'registered anew' },
    },
  })
  world.clock.forward(hours(1))
  const payload = { issuer: provider.issuer, subject: gina.sub }
  await database.db.run(sql`
    update identities set refused_at = ${world.clock.now()} where subject = ${gina.sub}
  `)
  const earlierRequests = provider.tokenRequests()
  await asOther['people.company-check']?.run({ payload } as never, {} as never)
  assert.equal(provider.tokenRequests(), earlierRequests)
  assert.equal(await isIn(gina), true)
  assert.deepEqual(await tokenOf(gina), { token: null, at: null })
  const { isRefused } = await database.db.one<{ isRefused: boolean }>(sql`
    select refused_at is not null as "isRefused" from identities where subject = ${gina.sub}
  `)
  assert.equal(isRefused, false, 'it was the application of before that was refused')
})

test('a check that breaks off is made again, and none runs beside another', async () => {
  const hana = await signIn()
  world.clock.forward(hours(1))
  let renewals = 0
  const breaking = renewalJobs({
    ...renewalDeps(),
    party: lazily(async () => ({
      ...createRelyingParty({ outbound, log: silentLog }),
      async renew() {
        renewals += 1
        // Another worker takes the job while this one waits.
        if (renewals === 1) await run()
        throw new Error('broke off')
      },
    })),
  })
  const payload = { issuer: provider.issuer, subject: hana.sub }
  const run = async () => breaking['people.company-check']?.run({ payload } as never, {} as never)
  await run()
  assert.equal(renewals, 1)
  const { queued } = await database.db.one<{ queued: number }>(sql`
    select count(*)::int as queued from jobs where kind = 'people.company-check'
      and payload ->> 'subject' = ${hana.sub}
      and due_at = ${new Date(world.clock.now().getTime() + minutes(5))}
  `)
  assert.equal(queued, 1)
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

/** Makes the provider that of a business, for these people. */
async function ofBusiness(people: readonly Signed[]): Promise<Id<'business'>> {
  const { db } = database
  const business = await newBusiness(db)
  const secret = Buffer.from(provider.clientSecret)
  await db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, client_secret, name, saved_at)
    values (${business}, ${provider.issuer}, ${provider.clientId},
      ${testVault.seal(`identity_providers ${business}`, secret)}, 'Works', now())
  `)
  for (const { sub, userId } of people) {
    await db.run(sql`update identities set provider_id = ${business} where subject = ${sub}`)
    await db.run(sql`
      insert into memberships (business_id, user_id, role, created_at)
      values (${business}, ${userId}, 'editor', now())
    `)
  }
  return business
}

test('where a provider refuses most of its people at once, sessions go on and the owners are told once', async () => {
  const people: Signed[] = []
  for (let index = 0; index < 12; index += 1) people.push(await signIn())
  const business = await ofBusiness(people)
  const owner = await newMember(database.db, { businesses: [business] })
  const countIn = async () => (await Promise.all(people.map(isIn))).filter(Boolean).length
  const toldOf = (event: FactorNotice['event']) =>
    notices.filter((notice) => notice.event === event).map(({ userId }) => userId)
  const countHeld = async () =>
    (
      await database.db.one<{ count: number }>(sql`
        select count(*)::int as count from memberships
        where business_id = ${business} and held_at is not null
      `)
    ).count
  for (const { sub } of people) provider.forget(sub)
  world.clock.forward(hours(1))
  notices.length = 0
  for (const person of people.slice(0, 6)) await check(person)
  assert.equal(await countHeld(), 6)
  for (const person of people.slice(6)) await check(person)
  assert.equal(await countIn(), 6, 'half of them may have left')
  assert.equal(await countHeld(), 0, 'their apps and keys go on as well')
  assert.deepEqual([toldOf('gone').length, toldOf('refuses_many')], [6, [owner]])
  // Asked again each hour, with the token of before; the mail is not sent again.
  world.clock.forward(hours(1))
  for (const person of people) await check(person)
  assert.equal(await countIn(), 6)
  assert.deepEqual([toldOf('gone').length, toldOf('refuses_many')], [6, [owner]])
  // Whom the provider confirms is no longer counted among the refused.
  const back = people.slice(6)
  provider.remember(back.map(({ sub }) => sub))
  world.clock.forward(hours(1))
  for (const person of back) await check(person)
  const { refused } = await database.db.one<{ refused: number }>(sql`
    select count(*)::int as refused from identities
    where provider_id = ${business} and refused_at is not null
  `)
  assert.equal(refused, 6)
  // Later, who leaves alone is gone as ever.
  const [last] = back
  assert.ok(last)
  world.clock.forward(hours(24))
  for (const person of back) await check(person)
  provider.forget(last.sub)
  world.clock.forward(hours(1))
  await check(last)
  assert.equal(toldOf('gone').length, 7)
})

test('where the only owner is refused, the admins are told, and the operator sees it', async () => {
  const { db } = database
  const [boss, admin] = [await signIn(), await signIn()]
  const business = await ofBusiness([boss, admin])
  const role = (person: Signed, name: string) =>
    db.run(sql`
      update memberships set role = ${name}
      where business_id = ${business} and user_id = ${person.userId}
    `)
  await role(boss, 'owner')
  await role(admin, 'admin')
  // Other tests' people are gone as well.
  await db.run(sql`update identities set refused_at = null`)
  assert.equal(await ownersFinding(db), undefined)
  provider.forget(boss.sub)
  world.clock.forward(hours(1))
  notices.length = 0
  await check(boss)
  assert.deepEqual(
    notices.map(({ userId, event, details }) => [userId, event, details?.businessId]),
    [[admin.userId, 'owner_gone', business]],
  )
  const finding = await ownersFinding(db)
  assert.match(finding?.text ?? '', new RegExp(formatId('business', business)))
  // Somebody else becomes an owner, or the owner signs in again.
  await role(admin, 'owner')
  assert.equal(await ownersFinding(db), undefined)
  await role(admin, 'admin')
  assert.ok(await ownersFinding(db))
  await startSession(db, boss.userId, later(world.clock.now(), 1))
  assert.equal(await ownersFinding(db), undefined)
})

/** A business with as many members who signed in at an issuer, some of whom it has refused. */
async function colleagues(
  issuer: string,
  { count, refusedAt }: { count: number; refusedAt: Date | null },
  business?: Id<'business'>,
): Promise<Id<'business'>> {
  const { db } = database
  const id = business ?? (await newBusiness(db))
  for (let index = 0; index < count; index += 1) {
    const userId = await newMember(db, { businesses: [id], role: 'editor' })
    await db.run(sql`
      insert into identities (issuer, subject, user_id, created_at, last_used_at, refresh_token,
        refused_at)
      values (${issuer}, ${crypto.randomUUID()}, ${userId}, now(), now(), '\\x00', ${refusedAt})
    `)
  }
  return id
}

test('the operator sees where the provider of the settings refuses most people', async () => {
  const { db } = database
  const issuer = 'https://refusing.example'
  const now = world.clock.now()
  const business = await colleagues(issuer, { count: 9, refusedAt: now })
  const add = (refusedAt: Date, count: number) => colleagues(issuer, { count, refusedAt }, business)
  const finding = async () => (await refusalsFinding(db, { issuer, now }))?.text ?? ''
  assert.equal(await finding(), '', 'so few may have left')
  await add(later(now, -hours(25)), 9)
  assert.equal(await finding(), '', 'half of them')
  await add(now, 1)
  const id = formatId('business', business)
  assert.match(await finding(), new RegExp(`10 of 19 people of ${id} within a day`))
  assert.equal(await refusalsFinding(db, { issuer: undefined, now }), undefined)
})

test('strangers with accounts at a public provider keep nobody in whom it refuses', async () => {
  const { db } = database
  const mallory = await signIn()
  const shop = await colleagues(provider.issuer, { count: 11, refusedAt: null })
  const owner = await newMember(db, { businesses: [shop] })
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${shop}, ${mallory.userId}, 'admin', now())
  `)
  // Whoever leaves has forty accounts there, in a business of their own, and lets all be refused.
  const puppets = await colleagues(provider.issuer, { count: 40, refusedAt: world.clock.now() })
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${puppets}, ${mallory.userId}, 'owner', now())
  `)
  // They have linked a dozen to their own as well.
  for (let index = 0; index < 12; index += 1) {
    await db.run(sql`
      insert into identities (issuer, subject, user_id, created_at, last_used_at, refused_at)
      values (${provider.issuer}, ${crypto.randomUUID()}, ${mallory.userId}, now(), now(),
        ${world.clock.now()})
    `)
  }
  provider.forget(mallory.sub)
  const toldOf = (event: FactorNotice['event']) =>
    notices.filter((notice) => notice.event === event).map(({ userId }) => userId)
  const heldIn = async () =>
    (
      await db.all<{ id: Id<'business'> }>(sql`
        select business_id as id from memberships
        where user_id = ${mallory.userId} and held_at is not null
      `)
    ).map(({ id }) => id)
  notices.length = 0
  world.clock.forward(hours(1))
  await check(mallory)
  assert.equal(await isIn(mallory), false)
  assert.deepEqual([await heldIn(), toldOf('gone')], [[shop], [owner]])
  // The person is asked for again, since in the other business it may be a fault. Nobody is told twice.
  await startSession(db, mallory.userId, world.clock.now())
  world.clock.forward(hours(1))
  await check(mallory)
  assert.deepEqual([await heldIn(), toldOf('gone')], [[shop], [owner]])
  const { sessions } = await db.one<{ sessions: number }>(sql`
    select count(*)::int as sessions from sessions where user_id = ${mallory.userId}
  `)
  assert.equal(sessions, 0)
  // Nor do those of one business count in another one's check.
  const other = await refusalsFinding(db, { issuer: provider.issuer, now: world.clock.now() })
  assert.doesNotMatch(other?.text ?? '', new RegExp(formatId('business', shop)))
})

test('where the provider of the installation refuses most of a business, its people stay in', async () => {
  const { db } = database
  const works = await colleagues(provider.issuer, { count: 9, refusedAt: world.clock.now() })
  const people = [await signIn(), await signIn(), await signIn()]
  await newMember(db, { businesses: [works] })
  for (const { userId, sub } of people) {
    await db.run(sql`
      insert into memberships (business_id, user_id, role, created_at)
      values (${works}, ${userId}, 'editor', now())
    `)
    provider.forget(sub)
  }
  world.clock.forward(hours(1))
  for (const person of people) await check(person)
  assert.deepEqual(await Promise.all(people.map(isIn)), [true, true, true])
  const { held } = await db.one<{ held: number }>(sql`
    select count(*)::int as held from memberships
    where business_id = ${works} and held_at is not null
  `)
  assert.equal(held, 0)
  const [person] = people
  assert.ok(person)
  assert.notEqual((await tokenOf(person)).token, null, 'they are asked for again')
})

test('the people of each provider wait in a lane of their own', async () => {
  const [ivan, judy] = [await signIn(), await signIn()]
  await ofBusiness([judy])
  world.clock.forward(hours(1))
  await check(ivan)
  await check(judy)
  const laneOf = async ({ sub }: Signed) =>
    (
      await database.db.one<{ lane: string }>(sql`
        select lane from jobs where kind = 'people.company-check' and payload ->> 'subject' = ${sub}
        order by due_at desc limit 1
      `)
    ).lane
  assert.notEqual(await laneOf(judy), await laneOf(ivan))
  assert.equal(await laneOf(await signIn()), await laneOf(ivan))
  const { perLane = 0, atOnce = 0 } = jobs['people.company-check'] ?? {}
  assert.ok(perLane > 0 && perLane * 2 <= atOnce, 'one that hangs leaves the others their turn')
})

test('where a provider gives no offline access, the next attempt asks for none', async () => {
  const returnUrl = 'https://app.example/login/company/return'
  const strict = await identityProvider({ returnUrls: [returnUrl], refusesOffline: true })
  try {
    const { issuer, clientId, clientSecret } = strict
    const works = { businessId: null, name: 'Works', trustedDomains: [] }
    const company = { ...works, issuer, clientId, clientSecret }
    const relyingParty = createRelyingParty({ outbound, log: silentLog })
    const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) }
    const attempt = async (lacksScopes: string[] | null) => {
      const request = { ...secrets, returnUrl, email: undefined, lacksScopes }
      const url = await relyingParty.authorizationUrl(company, request)
      const ida = { sub: 'ida', email: 'ida@example.com' }
      const back = await strict.signIn(url.href, ida, { consents: true })
      return relyingParty.claimsFor(company, { ...secrets, url: new URL(back), lacksScopes })
    }
    await assert.rejects(attempt(null), { code: 'access_denied' })
    const fewer = await relyingParty.fewerScopes(company, null)
    assert.deepEqual(fewer, ['offline_access'])
    const { subject, refresh } = await attempt(fewer)
    assert.deepEqual([subject, refresh?.outlives], ['ida', false])
  } finally {
    await strict.close()
  }
})
