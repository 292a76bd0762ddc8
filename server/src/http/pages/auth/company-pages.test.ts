/** Signing in at a company's identity provider: with `oidc-provider`, and with an issuer that lies. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
import { testVault } from '../../../../../tests/support/clients/authorization.ts'
import {
  type ForgedIssuer,
  forgedIssuer,
} from '../../../../../tests/support/clients/forged-issuer.ts'
import {
  type IdentityProvider,
  identityProvider,
} from '../../../../../tests/support/clients/identity-provider.ts'
import { bytesOf, codeAt } from '../../../../../tests/support/clients/one-time-codes.ts'
import type { PageVisitor, Visited } from '../../../../../tests/support/clients/page-visitor.ts'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { sweepAddressChanges } from '../../../accounts/addresses/change.ts'
import { addMember, endMembership, removeMember } from '../../../accounts/businesses/memberships.ts'
import { checkNotBreakGlass, checkOtherWay } from '../../../accounts/identities/company-only.ts'
import { proveDomain, recordOf } from '../../../accounts/identities/domain-proof.ts'
import { removeIdentities } from '../../../accounts/identities/identity.ts'
import { logOut } from '../../../accounts/identities/log-out.ts'
import type { GroupRole, Provider } from '../../../accounts/identities/provider.ts'
import {
  createRelyingParty,
  type RelyingParty,
} from '../../../accounts/identities/relying-party.ts'
import { linkFromOperator } from '../../../accounts/sign-in/operator-link.ts'
import { readSession } from '../../../accounts/sign-in/session.ts'
import { formatId, type Id, newId } from '../../../core/ids.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { sha256 } from '../../../lib/crypto/vault.ts'
import { sql } from '../../../lib/db/db.ts'
import { createOutbound } from '../../../lib/http-client/outbound-fetch.ts'
import { createGuard, parseAllowRule } from '../../../lib/http-client/outbound-guard.ts'
import { days, hours, later, minutes } from '../../../lib/time/clock.ts'

import type { PagesDeps } from '../shared/deps.ts'
import { ownPage } from '../shared/own-page.ts'

const returnUrl = 'https://app.example/login/company/return'
const cookie = '__Host-crier-session'

let database: TestDatabase
let honest: IdentityProvider
let forged: ForgedIssuer
/** The pages of an installation that signs people in at each of them. */
let world: PagesWorld
let forgedWorld: PagesWorld
const outbound = lazily(async () => {
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  return createOutbound({ guard: createGuard({ allowHttp: false, rules: [rule] }) })
})

const installation = (provider: { issuer: string; clientId: string; clientSecret: string }) => ({
  companySignIn: { ...provider, name: 'Example Works', trustedDomains: ['trusted.example'] },
})

before(async () => {
  database = await testDatabase()
  honest = await identityProvider({ returnUrls: [returnUrl] })
  forged = await forgedIssuer()
  const party = lazily(async () => createRelyingParty({ outbound, log: silentLog }))
  const { issuer, clientId, clientSecret } = honest
  world = pagesWorld(database.db, installation({ issuer, clientId, clientSecret }), { party })
  const client = { issuer: forged.issuer, clientId: 'crier', clientSecret: 'secret' }
  forgedWorld = pagesWorld(database.db, installation(client), { party })
})
after(async () => {
  await Promise.all([honest.close(), forged.close(), outbound.ifMade((made) => made.close())])
  await database.drop()
})

const sessionOf = async (visitor: PageVisitor, { clock } = world) =>
  (await readSession(database.db, visitor.cookies.get(cookie) ?? '', clock.now()))?.session

/** Presses the button of the provider; returns where the browser is sent. */
async function begin(visitor: PageVisitor, next = '/b'): Promise<string> {
  const login = await visitor.get(`/login?again=yes&next=${encodeURIComponent(next)}`)
  assert.match(
    login.body,
    /formaction="\/login\/company" formnovalidate>Sign in with Example Works</,
  )
  const form = login.forms[0]
  assert.ok(form)
  const action = new URL('/login/company', form.action).href
  const page = await visitor.submit(login, {}, {}, { ...form, action })
  assert.equal(page.status, 200, page.body)
  return page.to ?? ''
}

const pathOf = (url: string) => `${new URL(url).pathname}${new URL(url).search}`

/** Signs in by a link, as before. */
async function byMail(visitor: PageVisitor, email: string, next = '/b'): Promise<Visited> {
  const login = await visitor.get(`/login?again=yes&next=${encodeURIComponent(next)}`)
  await visitor.submit(login, { email })
  return visitor.get(linkIn((await world.deliver()).at(-1)))
}

/** Comes back from the forged issuer, in this browser. */
async function fromForged(visitor: PageVisitor, claims: object): Promise<Visited> {
  const url = await begin(visitor)
  return visitor.get(pathOf(forged.answer(url, { ...claims })))
}

test('a person signs in at the provider, is the same the next time, and stays for a day at most', async () => {
  const person = { sub: 'ana', email: newPerson(), email_verified: true }
  const visitor = world.visitor()
  const url = await begin(visitor)
  const query = new URL(url).searchParams
  assert.equal(query.get('code_challenge_method'), 'S256')
  assert.equal(query.get('redirect_uri'), returnUrl)
  const back = await honest.signIn(url, person)
  const done = await visitor.get(pathOf(back))
  assert.equal(done.status, 303, done.body)
  assert.match(done.to ?? '', /^\/b\/bus_\w+\/settings$/, 'their first business is named')
  assert.equal((await sessionOf(visitor))?.user.email, person.email)

  const { by } = await database.db.one<{ by: string }>(sql`
    select last_signed_in_by as by from users where email = ${person.email}
  `)
  assert.equal(by, 'company')
  // The provider knows them by the subject, whatever address they have there by now.
  const again = world.visitor()
  const renamed = { ...person, email: newPerson() }
  const second = await again.get(pathOf(await honest.signIn(await begin(again), renamed)))
  assert.deepEqual([second.status, second.to], [303, '/b'])
  assert.equal((await sessionOf(again))?.user.email, person.email)
  for (let used = 0; used < 11; used += 1) {
    world.clock.forward(hours(2))
    assert.ok(await sessionOf(again), `after ${2 * (used + 1)} hours`)
  }
  world.clock.forward(hours(2))
  assert.equal(await sessionOf(again), undefined)
})

test('an account that exists is linked by a sign-in of its person alone, in the same browser', async () => {
  const email = newPerson()
  const owner = world.visitor()
  await byMail(owner, email)
  const before = await database.db.one<{ id: string }>(sql`
    select id from users where email = ${email}
  `)
  // Somebody else's browser, with an account of that name at the provider.
  const visitor = world.visitor()
  const person = { sub: 'bea', email: email.toUpperCase(), email_verified: true }
  const done = await visitor.get(pathOf(await honest.signIn(await begin(visitor), person)))
  const page = done.to ?? ''
  assert.match(page, /^\/login\/company\/link\/lnk_\w{26}$/)
  assert.equal(await sessionOf(visitor), undefined)
  const first = await visitor.get(page)
  assert.match(first.body, /There is already an account for/)
  // Nor does a session of somebody else, or another browser, link it.
  await byMail(visitor, newPerson(), page)
  assert.match((await visitor.get(page)).body, /There is already an account for/)
  assert.equal((await owner.get(page)).status, 403)

  const signedIn = await byMail(visitor, email, page)
  assert.equal(signedIn.to, page)
  const ask = await visitor.get(page)
  assert.match(ask.body, /Link the accounts/)
  const forgedForm = await visitor.submit(ask, {}, { 'sec-fetch-site': 'cross-site' })
  assert.equal(forgedForm.status, 403)
  const linked = await visitor.submit(ask)
  assert.deepEqual([linked.status, linked.to], [303, '/b'])
  assert.equal((await visitor.submit(ask)).status, 410, 'once')

  const next = world.visitor()
  await next.get(pathOf(await honest.signIn(await begin(next), person)))
  assert.equal((await sessionOf(next))?.user.id, before.id)
})

test('who has an authenticator app gives its code after the provider too', async () => {
  const person = { sub: 'cleo', email: newPerson(), email_verified: true }
  const visitor = world.visitor()
  await visitor.get(pathOf(await honest.signIn(await begin(visitor), person)))
  const offer = await visitor.get('/confirm')
  const page = await visitor.submit(offer, { action: 'start' })
  const secret = bytesOf(/<code>([A-Z2-7]{32})<\/code>/.exec(page.body)?.[1] ?? '')
  const code = () => codeAt(secret, world.clock.now())
  assert.equal((await visitor.submit(page, { action: 'add', factor_code: code() })).status, 200)
  world.clock.forward(minutes(1))

  const again = world.visitor()
  const done = await again.get(pathOf(await honest.signIn(await begin(again), person)))
  assert.match(done.to ?? '', /^\/login\/company\/step\/lnk_/)
  assert.equal(again.cookies.get(cookie), undefined)
  const step = await again.get(done.to ?? '')
  const wrong = await again.submit(step, { factor_code: code() === '000000' ? '000001' : '000000' })
  assert.equal(wrong.status, 403)
  const right = await again.submit(step, { factor_code: code() })
  assert.deepEqual([right.status, right.to], [303, '/b'])
  assert.equal((await sessionOf(again))?.provenBy, 'code')
  assert.equal((await again.submit(step, { factor_code: code() })).status, 410)
})

test('a code after the provider counts only while the provider would still say who the person is', async () => {
  const { db } = database
  const person = { sub: 'gus', email: newPerson(), email_verified: true }
  const visitor = world.visitor()
  await visitor.get(pathOf(await honest.signIn(await begin(visitor), person)))
  const page = await visitor.submit(await visitor.get('/confirm'), { action: 'start' })
  const secret = bytesOf(/<code>([A-Z2-7]{32})<\/code>/.exec(page.body)?.[1] ?? '')
  const code = () => codeAt(secret, world.clock.now())
  assert.equal((await visitor.submit(page, { action: 'add', factor_code: code() })).status, 200)
  const { userId } = await db.one<{ userId: Id<'user'> }>(sql`
    select user_id as "userId" from identities where subject = ${person.sub}
  `)
  const atStep = async () => {
    world.clock.forward(minutes(16))
    const again = world.visitor()
    const done = await again.get(pathOf(await honest.signIn(await begin(again), person)))
    const step = await again.get(done.to ?? '')
    return async () => {
      const answer = await again.submit(step, { factor_code: code() })
      return [answer.status, (await sessionOf(again)) !== undefined]
    }
  }
  assert.deepEqual(await (await atStep())(), [303, true])

  const refused = await atStep()
  await db.run(sql`
    update identities set refused_at = ${world.clock.now()} where subject = ${person.sub}
  `)
  assert.deepEqual(await refused(), [409, false])

  const loggedOut = await atStep()
  const party = { endedSession: async () => ({ subject: person.sub, session: undefined }) }
  const provider = { issuer: honest.issuer, businessId: null } as Provider
  await logOut(
    { db, vault: testVault, party: party as unknown as RelyingParty },
    { provider, token: '', from: '192.0.2.9', now: world.clock.now() },
  )
  assert.deepEqual(await loggedOut(), [410, false])

  const unlinked = await atStep()
  const now = world.clock.now()
  const which = sql`subject = ${person.sub}`
  assert.equal(await db.tx((tx) => removeIdentities(tx, userId, { which, now })), 1)
  assert.deepEqual(await unlinked(), [409, false])
})

test('an address counts if the provider verified it, or is trusted for its domain', async () => {
  const subject = () => ({ sub: crypto.randomUUID() })
  const trusted = `${crypto.randomUUID()}@trusted.example`
  const cases = [
    [{ email: newPerson(), email_verified: true }, 303],
    [{ email: trusted }, 303],
    [{ email: `${crypto.randomUUID()}@trusted.example`, email_verified: false }, 303],
    [{ email: newPerson() }, 403],
    [{ email: newPerson(), email_verified: false }, 403],
    [{ email: newPerson(), email_verified: 'true' }, 403],
    [{ email: `${crypto.randomUUID()}@sub.trusted.example` }, 403],
    [{ email: `${crypto.randomUUID()}@trusted.example.evil.example` }, 403],
    [{ email_verified: true }, 403],
    [{ email: 'no address', email_verified: true }, 403],
  ] as const
  for (const [claims, status] of cases) {
    const visitor = forgedWorld.visitor()
    const done = await fromForged(visitor, { ...subject(), ...claims })
    assert.equal(done.status, status, JSON.stringify(claims))
    const session = await sessionOf(visitor, forgedWorld)
    assert.equal(session !== undefined, status === 303, JSON.stringify(claims))
  }
  // Trust for a domain takes over nobody's account.
  const thief = await fromForged(forgedWorld.visitor(), { ...subject(), email: trusted })
  assert.match(thief.to ?? '', /^\/login\/company\/link\//)
})

test('an answer that is not for this sign-in signs nobody in', async (t) => {
  const person = () => ({ sub: crypto.randomUUID(), email: newPerson(), email_verified: true })
  const refused = async (visitor: PageVisitor, url: string, status = 403) => {
    const page = await visitor.get(pathOf(url))
    assert.equal(page.status, status, page.body)
    assert.equal(visitor.cookies.get(cookie), undefined)
  }
  const changed = (url: string, name: string, value: string | null) => {
    const other = new URL(url)
    if (value === null) other.searchParams.delete(name)
    else other.searchParams.set(name, value)
    return other.href
  }

  await t.test('a state that was used', async () => {
    const visitor = forgedWorld.visitor()
    const url = forged.answer(await begin(visitor), person())
    assert.equal((await visitor.get(pathOf(url))).status, 303)
    visitor.cookies.delete(cookie)
    const count = forged.exchanged.length
    await refused(visitor, url, 410)
    assert.equal(forged.exchanged.length, count, 'the code is not sent again')
  })

  await t.test('a code that was used, in a sign-in that was begun anew', async () => {
    const ana = { ...person(), sub: crypto.randomUUID() }
    const visitor = world.visitor()
    const answer = await honest.signIn(await begin(visitor), ana)
    assert.equal((await visitor.get(pathOf(answer))).status, 303)
    visitor.cookies.delete(cookie)
    const state = new URL(await begin(visitor)).searchParams.get('state')
    const count = honest.tokenRequests()
    await refused(visitor, changed(answer, 'state', state))
    assert.equal(honest.tokenRequests(), count + 1, 'the provider itself refuses it')
  })

  await t.test('no state, an unknown one, or one that is too old', async () => {
    const visitor = forgedWorld.visitor()
    const url = forged.answer(await begin(visitor), person())
    await refused(visitor, changed(url, 'state', null))
    await refused(visitor, changed(url, 'state', 'x'.repeat(43)))
    forgedWorld.clock.forward(minutes(10))
    await refused(visitor, url, 410)
  })

  await t.test('the state of another sign-in, with this one’s code', async () => {
    const visitor = forgedWorld.visitor()
    const other = new URL(await begin(visitor)).searchParams.get('state')
    const url = forged.answer(await begin(visitor), person())
    await refused(visitor, changed(url, 'state', other))
  })

  await t.test('an answer that was fetched in another browser', async () => {
    const url = forged.answer(await begin(forgedWorld.visitor()), person())
    const victim = forgedWorld.visitor()
    await refused(victim, url)
    await victim.get('/login')
    await refused(victim, url)
  })

  await t.test('another issuer’s answer (RFC 9207), and an error of the provider', async () => {
    const visitor = forgedWorld.visitor()
    const url = forged.answer(await begin(visitor), person())
    const count = forged.exchanged.length
    await refused(visitor, changed(url, 'iss', honest.issuer))
    const error = changed(forged.answer(await begin(visitor), person()), 'code', null)
    await refused(visitor, changed(error, 'error', 'access_denied'))
    assert.equal(forged.exchanged.length, count)
  })

  const future = () => Math.floor(Date.now() / 1000) + 3600
  for (const [name, lies] of Object.entries({
    'another nonce': { claims: { nonce: 'another' } },
    'another issuer': { claims: { iss: 'https://accounts.google.com' } },
    'another audience': { claims: { aud: 'another client' } },
    'several audiences without azp': { claims: { aud: ['crier', 'another'], azp: 'another' } },
    'an old token': { claims: { exp: Math.floor(Date.now() / 1000) - 600 } },
    'a token of the future': { claims: { nbf: future() } },
    'a stranger’s signature': { byStranger: true },
    'no signature': { unsigned: true },
  })) {
    await t.test(`an ID token with ${name}`, async () => {
      Object.assign(forged.lies, lies)
      const visitor = forgedWorld.visitor()
      const page = await fromForged(visitor, person())
      for (const lie of Object.keys(forged.lies))
        delete forged.lies[lie as keyof typeof forged.lies]
      assert.equal(page.status, 403, page.body)
      assert.equal(visitor.cookies.get(cookie), undefined)
    })
  }
})

test('it leads to pages of our own alone, and begins on ours alone', async () => {
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/login/company/return',
    '/login/company/link/lnk_x/../../..//evil.example',
  ]) {
    const visitor = world.visitor()
    const person = { sub: `next ${next}`, email: newPerson(), email_verified: true }
    await visitor.get(pathOf(await honest.signIn(await begin(visitor), person)))
    const again = await begin(visitor, next)
    const done = await visitor.get(pathOf(await honest.signIn(again, person)))
    assert.deepEqual([done.status, done.to], [303, '/b'], next)
  }
  const visitor = world.visitor()
  const login = await visitor.get('/login')
  const form = login.forms[0]
  assert.ok(form)
  const action = new URL('/login/company', form.action).href
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  assert.equal((await visitor.submit(login, {}, foreign, { ...form, action })).status, 403)
  const unkeyed = { form_key: 'x' }
  assert.equal((await visitor.submit(login, unkeyed, {}, { ...form, action })).status, 403)
})

test('without a provider there is no button, and none that answers is said', async () => {
  const plain = pagesWorld(database.db)
  const visitor = plain.visitor()
  const login = await visitor.get('/login')
  assert.doesNotMatch(login.body, /company/)
  const form = login.forms[0]
  assert.ok(form)
  const action = new URL('/login/company', form.action).href
  assert.equal((await visitor.submit(login, {}, {}, { ...form, action })).status, 404)

  const gone = await forgedIssuer()
  await gone.close()
  const party = lazily(async () => createRelyingParty({ outbound, log: silentLog }))
  const client = { issuer: gone.issuer, clientId: 'crier', clientSecret: 'secret' }
  const deaf = pagesWorld(database.db, installation(client), { party }).visitor()
  const page = await deaf.get('/login')
  const first = page.forms[0]
  assert.ok(first)
  const answer = await deaf.submit(page, {}, {}, { ...first, action })
  assert.equal(answer.status, 403)
  assert.match(answer.body, /The sign-in at your company was not accepted/)
})

let worlds = 0

/** Businesses with an owner, each with an issuer for a mail domain of its own. */
async function companies() {
  const zones = new Map<string, string[]>()
  const parts = {
    db: database.db,
    vault: testVault,
    appUrl: 'https://app.example',
    resolver: {
      lookup: async (name: string) => {
        const texts = zones.get(name)
        const records = texts?.map((text) => ({ type: 'TXT', name, ttl: 60, text }))
        return records
          ? { outcome: 'found', aliases: [], ttl: 60, records }
          : { outcome: 'absent', aliases: [], retryIn: 60 }
      },
    } as PagesDeps['resolver'],
  }
  const party = lazily(async () => createRelyingParty({ outbound, log: silentLog }))
  const pages = pagesWorld(database.db, { signup: 'invite' }, { party, resolver: parts.resolver })
  // Past the limit of sign-ins that the tests before have used up.
  worlds += 1
  pages.clock.forward(days(2 * worlds))
  const now = () => pages.clock.now()
  const prove = async (id: Id<'business'>, domain: string) => {
    const { name, value } = recordOf(testVault, id, domain)
    zones.set(name, [...(zones.get(name) ?? []), value])
    return proveDomain(parts, id, { domain, now: now() })
  }
  const company = async (
    { issuer, clientId = 'crier', clientSecret = 'secret' }: Record<string, string | undefined>,
    roles: GroupRole[] = [],
    defaultRole: string | null = null,
  ) => {
    const id = await newBusiness(database.db)
    const domain = `${crypto.randomUUID().slice(0, 8)}.example`
    await database.db.run(sql`
      insert into identity_providers (business_id, issuer, client_id, client_secret, name, roles,
        default_role, saved_at)
      values (${id}, ${issuer}, ${clientId},
        ${testVault.seal(`identity_providers ${id}`, Buffer.from(clientSecret))}, 'Example Works',
        ${JSON.stringify(roles)}::jsonb, ${defaultRole}, ${now()})
    `)
    await database.db.run(sql`
      insert into provider_domains (business_id, domain, added_at) values (${id}, ${domain}, now())
    `)
    assert.equal(await prove(id, domain), 'proven')
    const unprove = () => {
      const { name, value } = recordOf(testVault, id, domain)
      const left = zones.get(name)?.filter((text) => text !== value)
      zones.set(name, left ?? [])
    }
    return { id, domain, unprove }
  }
  /** Types an address and presses the button of the company; returns where the browser is sent. */
  const press = async (visitor: PageVisitor, email: string) => {
    const login = await visitor.get('/login?again=yes')
    const form = login.forms[0]
    assert.ok(form)
    const action = new URL('/login/company', form.action).href
    return visitor.submit(login, { email, company: 'address' }, {}, { ...form, action })
  }
  const roleOfPerson = (id: Id<'business'>, email: string) =>
    database.db.maybe<{ role: string }>(sql`
      select m.role from memberships m join users u on u.id = m.user_id
      where m.business_id = ${id} and u.email = ${email}
    `)
  return { pages, parts, zones, prove, company, press, roleOfPerson }
}

test('a business signs in the people of its proven domain, and their groups give the first role', async () => {
  const { pages, company, press, roleOfPerson } = await companies()
  const roles: GroupRole[] = [
    { group: 'staff', role: 'viewer' },
    { group: 'crier-admins', role: 'admin' },
  ]
  const { id, domain } = await company({ issuer: forged.issuer }, roles)
  const signIn = async (claims: Record<string, unknown>, visitor = pages.visitor()) => {
    const page = await press(visitor, `somebody@${domain}`)
    assert.equal(page.status, 200, page.body)
    assert.equal(
      new URL(page.to ?? '').searchParams.get('redirect_uri'),
      `https://app.example/login/company/${formatId('business', id)}/return`,
    )
    const back = forged.answer(page.to ?? '', { email_verified: true, ...claims })
    return { visitor, done: await visitor.get(pathOf(back)) }
  }
  const ana = {
    sub: crypto.randomUUID(),
    email: `ana@${domain}`,
    groups: ['staff', 'crier-admins'],
  }
  assert.equal((await signIn(ana)).done.status, 303)
  assert.deepEqual(await roleOfPerson(id, ana.email), { role: 'admin' })
  // A role that an owner changed stays, whatever the groups are by then.
  await database.db.run(sql`update memberships set role = 'editor' where business_id = ${id}`)
  assert.equal((await signIn({ ...ana, groups: ['staff'] })).done.status, 303)
  assert.deepEqual(await roleOfPerson(id, ana.email), { role: 'editor' })
  // Nor does a sign-in make somebody a member again whom an owner removed.
  await database.db.run(sql`delete from memberships where business_id = ${id}`)
  assert.equal((await signIn(ana)).done.status, 303)
  assert.equal(await roleOfPerson(id, ana.email), undefined)

  const refusals: [Record<string, unknown>, RegExp][] = [
    [{ email: `bea@${domain}`, groups: ['others'] }, /None of your groups/],
    [{ email: `bea@${domain}`, groups: 'staff' }, /None of your groups/],
    [{ email: newPerson(), groups: ['staff'] }, /not for people of this mail domain/],
    [{ email: `bea@sub.${domain}`, groups: ['staff'] }, /not for people of this mail domain/],
    [{ email: `bea@${domain}`, groups: ['staff'], email_verified: false }, /has not verified/],
  ]
  for (const [claims, words] of refusals) {
    const { done, visitor } = await signIn({ sub: crypto.randomUUID(), ...claims })
    assert.equal(done.status, 403)
    assert.match(done.body, words)
    assert.equal(visitor.cookies.get(cookie), undefined)
  }
})

test('a member who has an account links it, and somebody of the domain who is none joins by that', async () => {
  const { pages, company, press, roleOfPerson } = await companies()
  const { id, domain } = await company({ issuer: forged.issuer }, [], 'viewer')
  const email = `cleo@${domain}`
  await database.db.run(sql`
    insert into users (id, email, created_at) values (${newId('user')}, ${email}, now())
  `)
  const visitor = pages.visitor()
  const page = await press(visitor, email)
  const claims = { sub: crypto.randomUUID(), email, email_verified: true }
  const arrived = await visitor.get(pathOf(forged.answer(page.to ?? '', claims)))
  const here = arrived.to ?? ''
  assert.match(here, /^\/login\/company\/link\//)
  assert.equal(await roleOfPerson(id, email), undefined)
  const login = await visitor.get(`/login?again=yes&next=${encodeURIComponent(here)}`)
  await visitor.submit(login, { email })
  assert.equal((await visitor.get(linkIn((await pages.deliver()).at(-1)))).to, here)
  assert.equal((await visitor.submit(await visitor.get(here))).status, 303)
  assert.deepEqual(await roleOfPerson(id, email), { role: 'viewer' })
})

/** Somebody who has an account comes back from the provider, and signs in by mail to link it. */
async function readyToLink(
  { pages, press }: Pick<Awaited<ReturnType<typeof companies>>, 'pages' | 'press'>,
  { sub, email }: { sub: string; email: string },
) {
  const visitor = pages.visitor()
  const page = await press(visitor, email)
  const claims = { sub, email, email_verified: true }
  const here = (await visitor.get(pathOf(forged.answer(page.to ?? '', claims)))).to ?? ''
  assert.match(here, /^\/login\/company\/link\//)
  const login = await visitor.get(`/login?again=yes&next=${encodeURIComponent(here)}`)
  await visitor.submit(login, { email })
  await visitor.get(linkIn((await pages.deliver()).at(-1)))
  const ask = await visitor.get(here)
  return { link: () => visitor.submit(ask) }
}

test('whom an owner removed becomes no member by unlinking and signing in anew, until invited', async () => {
  const all = await companies()
  const { pages, company, press, roleOfPerson } = all
  const { db } = database
  const { id, domain } = await company({ issuer: forged.issuer }, [], 'viewer')
  const email = `dan@${domain}`
  const sub = crypto.randomUUID()
  const signIn = async (subject: string) => {
    const visitor = pages.visitor()
    const page = await press(visitor, email)
    const claims = { sub: subject, email, email_verified: true }
    return visitor.get(pathOf(forged.answer(page.to ?? '', claims)))
  }
  const unlink = () => db.run(sql`delete from identities where subject = ${sub}`)
  assert.equal((await signIn(sub)).status, 303)
  assert.deepEqual(await roleOfPerson(id, email), { role: 'viewer' })
  const { userId } = await db.one<{ userId: Id<'user'> }>(sql`
    select id as "userId" from users where email = ${email}
  `)
  const now = pages.clock.now()
  assert.equal(await db.tx((tx) => removeMember(tx, id, { userId, now })), true)
  await unlink()
  const again = await readyToLink(all, { sub, email })
  assert.equal((await again.link()).status, 303, 'they are signed in')
  assert.equal(await roleOfPerson(id, email), undefined)
  // Nor as somebody new, once their account has another address.
  await unlink()
  await db.run(sql`update users set email = ${newPerson()} where id = ${userId}`)
  const other = crypto.randomUUID()
  assert.equal((await signIn(other)).status, 303)
  assert.equal(await roleOfPerson(id, email), undefined)
  // An invitation that they accept makes them a member, and whoever leaves by themselves comes back.
  const invited = await db.one<{ userId: Id<'user'> }>(sql`
    select id as "userId" from users where email = ${email}
  `)
  await db.tx((tx) => addMember(tx, id, { ...invited, role: 'editor', now }))
  await db.tx((tx) => endMembership(tx, id, { ...invited, now }))
  await db.run(sql`delete from identities where subject = ${other}`)
  assert.equal((await (await readyToLink(all, { sub, email })).link()).status, 303)
  assert.deepEqual(await roleOfPerson(id, email), { role: 'viewer' })
})

test('whom an owner removed is recognised by their company account, whatever address they had by then', async () => {
  const all = await companies()
  const { pages, company, press, roleOfPerson } = all
  const { db } = database
  const { id, domain } = await company({ issuer: forged.issuer }, [], 'viewer')
  for (const order of ['unlinked first', 'removed first'] as const) {
    const email = `${crypto.randomUUID()}@${domain}`
    const sub = crypto.randomUUID()
    const signIn = async () => {
      const visitor = pages.visitor()
      const page = await press(visitor, email)
      const claims = { sub, email, email_verified: true }
      return visitor.get(pathOf(forged.answer(page.to ?? '', claims)))
    }
    assert.equal((await signIn()).status, 303)
    const { userId } = await db.one<{ userId: Id<'user'> }>(sql`
      select id as "userId" from users where email = ${email}
    `)
    const now = pages.clock.now()
    const unlink = () =>
      db.tx((tx) => removeIdentities(tx, userId, { which: sql`subject = ${sub}`, now }))
    // They move to another address before anything of it.
    await db.run(sql`update users set email = ${newPerson()} where id = ${userId}`)
    if (order === 'unlinked first') await unlink()
    assert.equal(await db.tx((tx) => removeMember(tx, id, { userId, now })), true)
    if (order === 'removed first') await unlink()
    assert.equal((await signIn()).status, 303, 'they are signed in, as somebody new')
    assert.equal(await roleOfPerson(id, email), undefined, order)
    // Once an owner has invited them, they are as anybody.
    const invited = await db.one<{ userId: Id<'user'> }>(sql`
      select id as "userId" from users where email = ${email}
    `)
    await db.tx((tx) => addMember(tx, id, { ...invited, role: 'editor', now }))
    const { removals } = await db.one<{ removals: number }>(sql`
      select count(*)::int as removals from removed_members where business_id = ${id}
    `)
    assert.equal(removals, 0)
  }
})

test('whom an owner removed does not come back by an address that they had as a member', async () => {
  const { pages, company, press, roleOfPerson } = await companies()
  const { db } = database
  const { id, domain } = await company({ issuer: forged.issuer }, [], 'viewer')
  const former = `${crypto.randomUUID()}@${domain}`
  const signIn = async () => {
    const visitor = pages.visitor()
    const page = await press(visitor, former)
    const claims = { sub: crypto.randomUUID(), email: former, email_verified: true }
    return visitor.get(pathOf(forged.answer(page.to ?? '', claims)))
  }
  const now = pages.clock.now()
  const email = newPerson()
  const userId = newId('user')
  await db.run(sql`insert into users (id, email, created_at) values (${userId}, ${email}, ${now})`)
  await db.tx((tx) => addMember(tx, id, { userId, role: 'editor', now }))
  await db.run(sql`
    insert into address_changes (id, user_id, old_email, new_email, asked_at, expires_at, done_at)
    values (${newId('link')}, ${userId}, ${former}, ${email}, ${now}, ${later(now, days(1))}, ${now})
  `)
  assert.equal(await db.tx((tx) => removeMember(tx, id, { userId, now })), true)
  // However long ago they changed it.
  await sweepAddressChanges(db, later(now, days(400)))
  assert.equal((await signIn()).status, 303, 'they are signed in, as somebody new')
  assert.equal(await roleOfPerson(id, former), undefined)
  const invited = await db.one<{ userId: Id<'user'> }>(sql`
    select id as "userId" from users where email = ${former}
  `)
  await db.tx((tx) => addMember(tx, id, { ...invited, role: 'editor', now }))
  const { removals } = await db.one<{ removals: number }>(sql`
    select count(*)::int as removals from removed_members where business_id = ${id}
  `)
  assert.equal(removals, 0, 'once an owner has invited them, they are as anybody')
})

test('an account is linked only while the provider, its domain and its roles are those of the answer', async () => {
  const all = await companies()
  const { db } = database
  const { id, domain } = await all.company({ issuer: forged.issuer }, [], 'admin')
  const email = `fay@${domain}`
  const sub = crypto.randomUUID()
  await db.run(sql`
    insert into users (id, email, created_at) values (${newId('user')}, ${email}, now())
  `)
  const setIssuer = (issuer: string) =>
    db.run(sql`update identity_providers set issuer = ${issuer} where business_id = ${id}`)
  const setProof = (at: Date | null) =>
    db.run(sql`update provider_domains set proven_at = ${at} where business_id = ${id}`)
  const saved = (at: Date) =>
    db.run(sql`
      update identity_providers set default_role = 'viewer', saved_at = ${at}
      where business_id = ${id}
    `)
  const now = all.pages.clock.now()
  const changes: [() => Promise<number>, () => Promise<number>][] = [
    [() => setIssuer('https://other.example'), () => setIssuer(forged.issuer)],
    [() => setProof(null), () => setProof(now)],
    [() => saved(new Date(now.getTime() + 1)), () => saved(now)],
  ]
  for (const [change, takeBack] of changes) {
    const ready = await readyToLink(all, { sub, email })
    await change()
    const refused = await ready.link()
    assert.equal(refused.status, 409)
    assert.match(refused.body, /company sign-in was changed meanwhile/)
    assert.equal(await all.roleOfPerson(id, email), undefined)
    await takeBack()
  }
  assert.equal((await (await readyToLink(all, { sub, email })).link()).status, 303)
  assert.deepEqual(await all.roleOfPerson(id, email), { role: 'viewer' })
})

test('of two issuers, each is asked for its own people alone', async () => {
  const { pages, company, press } = await companies()
  const { issuer, clientId, clientSecret } = honest
  const good = await company({ issuer, clientId, clientSecret }, [], 'viewer')
  const bad = await company({ issuer: forged.issuer }, [], 'viewer')

  // Mix-up: the bad issuer sends the browser on to the good one; the code must not come to the bad one.
  const visitor = pages.visitor()
  const toBad = new URL((await press(visitor, `ana@${bad.domain}`)).to ?? '')
  const mixed = new URL(`https://app.example/login/company/${formatId('business', good.id)}/return`)
  mixed.searchParams.set('code', 'of the good issuer')
  mixed.searchParams.set('state', toBad.searchParams.get('state') ?? '')
  const count = forged.exchanged.length
  assert.equal((await visitor.get(pathOf(mixed.href))).status, 403)
  // Where it comes back at the address of the bad one, the good one has named itself.
  mixed.pathname = `/login/company/${formatId('business', bad.id)}/return`
  mixed.searchParams.set('iss', honest.issuer)
  assert.equal((await visitor.get(pathOf(mixed.href))).status, 403)
  assert.equal(forged.exchanged.length, count, 'the code was sent to nobody')

  // The bad issuer claims somebody of the other's domain, or the other's issuer.
  for (const claims of [
    { sub: 'x', email: `ana@${good.domain}`, email_verified: true },
    { sub: 'x', email: `ana@${bad.domain}`, email_verified: true, iss: honest.issuer },
  ]) {
    const page = await press(visitor, `ana@${bad.domain}`)
    const done = await visitor.get(pathOf(forged.answer(page.to ?? '', claims)))
    assert.equal(done.status, 403)
    assert.equal(visitor.cookies.get(cookie), undefined)
  }
  const nobody = await press(visitor, newPerson())
  assert.equal(nobody.status, 404)
  assert.match(nobody.body, /no company sign-in for this address/)
})

test('a domain belongs to the business whose record DNS has, and a proof ends with its record', async () => {
  const { pages, parts, prove, company, press } = await companies()
  const first = await company({ issuer: forged.issuer }, [], 'viewer')
  const { domain } = first
  const second = await company({ issuer: forged.issuer })
  await database.db.run(sql`
    insert into provider_domains (business_id, domain, added_at)
    values (${second.id}, ${domain}, now())
  `)
  assert.equal(await prove(second.id, domain), 'lost')
  const visitor = pages.visitor()
  assert.equal((await press(visitor, `ana@${domain}`)).status, 200)
  // Looked at again after a day: DNS that does not answer shuts nobody out, a record that is gone does.
  first.unprove()
  assert.equal((await press(visitor, `ana@${domain}`)).status, 200, 'within a day')
  pages.clock.forward(days(1))
  const { lookup } = parts.resolver
  parts.resolver.lookup = async () => ({ outcome: 'failed', failure: 'timeout', aliases: [] })
  assert.equal((await press(visitor, `ana@${domain}`)).status, 200)
  parts.resolver.lookup = lookup
  assert.equal((await press(visitor, `ana@${domain}`)).status, 404)
  assert.equal(await prove(second.id, domain), 'proven')
})

test('of businesses that prove one domain at the same moment, one has it', async () => {
  const { prove, company } = await companies()
  const all = [await company({ issuer: forged.issuer }), await company({ issuer: forged.issuer })]
  for (let round = 0; round < 5; round++) {
    const domain = `${crypto.randomUUID().slice(0, 8)}.example`
    for (const { id } of all) {
      await database.db.run(sql`
        insert into provider_domains (business_id, domain, added_at)
        values (${id}, ${domain}, now())
      `)
    }
    const outcomes = await Promise.all(all.map(({ id }) => prove(id, domain)))
    assert.deepEqual(outcomes.toSorted(), ['lost', 'proven'])
    const { holders } = await database.db.one<{ holders: number }>(sql`
      select count(*)::int as holders from provider_domains
      where domain = ${domain} and proven_at is not null
    `)
    assert.equal(holders, 1)
  }
})

test('where a company has its people sign in there alone, nothing else signs them in but one passkey', async () => {
  const { pages, company, press } = await companies()
  const { id, domain } = await company({ issuer: forged.issuer }, [], 'editor')
  const email = `dora@${domain}`
  const visitor = pages.visitor()
  const claims = { sub: crypto.randomUUID(), email, email_verified: true }
  const enter = async () => {
    const page = await press(visitor, email)
    assert.equal(page.status, 200, page.body)
    return visitor.get(pathOf(forged.answer(page.to ?? '', claims)))
  }
  assert.equal((await enter()).status, 303)
  const byLink = async (who: PageVisitor) => {
    const login = await who.get('/login?again=yes')
    return who.submit(login, { email })
  }
  // A link that was asked for before.
  assert.match((await byLink(visitor)).body, /Check your email/)
  const link = linkIn((await pages.deliver()).at(-1))
  const passkey = newId('passkey')
  const only = (isOnly: boolean) =>
    database.db.run(sql`
      update identity_providers set is_only = ${isOnly}, break_glass_passkey = ${passkey}
      where business_id = ${id}
    `)
  await only(true)
  const refusedLink = await visitor.get(link)
  assert.equal(refusedLink.status, 403)
  assert.match(refusedLink.body, /sign in at their company alone/)
  // The address alone leads to the company, without a mail.
  const led = await byLink(pages.visitor())
  assert.ok(led.to?.startsWith(`${forged.issuer}/authorize`))
  assert.deepEqual(await pages.deliver(), [])
  assert.equal((await enter()).status, 303)
  // An app that is connected says to sign in there first.
  const connecting = pages.visitor()
  const form = await connecting.get(await consentPage(pages))
  const answer = await connecting.submit(form, { email })
  assert.equal(answer.status, 403)
  assert.match(answer.body, /Sign in to Crier there first/)

  await assert.rejects(checkOtherWay(database.db, { email, passkeyId: newId('passkey') }), {
    code: 'access_denied',
  })
  await checkOtherWay(database.db, { email, passkeyId: passkey })
  await checkOtherWay(database.db, { email: newPerson() })
  await assert.rejects(checkNotBreakGlass(database.db, passkey), { code: 'conflict' })
  // The operator's link still works, and so does the mail once the business has no provider.
  const operator = { db: database.db, vault: testVault, urls: pages.config }
  const { url } = await linkFromOperator(operator, { email, now: pages.clock.now() })
  const other = pages.visitor()
  const button = await other.get(pathOf(url))
  assert.equal((await other.submit(button)).status, 303)
  await only(false)
  assert.match((await byLink(pages.visitor())).body, /Check your email/)
})

test('where the company is the only way in, another provider signs nobody in, linked before or not', async () => {
  const { db } = database
  const { id, domain } = await (await companies()).company({ issuer: honest.issuer }, [], 'editor')
  // Past the limit of sign-ins that the tests before have used up, in their worlds as well.
  forgedWorld.clock.forward(days(2 * worlds + 1))
  const email = `elsa@${domain}`
  const sub = crypto.randomUUID()
  const claims = { sub, email, email_verified: true }
  assert.equal((await fromForged(forgedWorld.visitor(), claims)).status, 303)
  await db.run(sql`
    update identity_providers set is_only = true, break_glass_passkey = ${newId('passkey')}
    where business_id = ${id}
  `)
  const visitor = forgedWorld.visitor()
  const refused = await fromForged(visitor, claims)
  assert.equal(refused.status, 403)
  assert.match(refused.body, /sign in at their company alone/)
  assert.equal(visitor.cookies.get(cookie), undefined)
  // Nor does somebody new of the domain get an account past the company, or link one that they have.
  const fresh = `fred@${domain}`
  const first = await fromForged(visitor, { sub: 'fred', email: fresh, email_verified: true })
  assert.equal(first.status, 403)
  assert.equal(await db.maybe(sql`select from users where email = ${fresh}`), undefined)
  const linking = await fromForged(visitor, { ...claims, sub: crypto.randomUUID() })
  assert.equal(linking.status, 403)
  await db.run(sql`update identity_providers set is_only = false where business_id = ${id}`)
  assert.equal((await fromForged(visitor, claims)).status, 303)
})

test('who connects an app signs in at the company, and comes back to what the app asks for', async () => {
  // Past the limit of sign-ins that the tests before have used up.
  worlds += 1
  world.clock.forward(days(2 * worlds))
  const visitor = world.visitor()
  const consentUrl = await consentPage(world)
  const consent = await visitor.get(consentUrl)
  const href = /<a class="button quiet" href="([^"]+)">Sign in with Example Works</.exec(
    consent.body,
  )
  const login = new URL((href?.[1] ?? '').replaceAll('&amp;', '&'))
  assert.equal(`${login.origin}${login.pathname}`, 'https://app.example/login')
  const person = { sub: crypto.randomUUID(), email: newPerson(), email_verified: true }
  const page = await visitor.get(pathOf(login.href))
  const form = page.forms[0]
  assert.ok(form)
  const action = new URL('/login/company', form.action).href
  const led = await visitor.submit(page, {}, {}, { ...form, action })
  const back = await honest.signIn(led.to ?? '', person)
  const done = await visitor.get(pathOf(back))
  // Somebody new names their business first, and the app is asked for again.
  assert.equal(done.status, 303)
  const again = world.visitor()
  const first = await again.get(pathOf(login.href))
  const second = await again.submit(first, {}, {}, { ...(first.forms[0] ?? form), action })
  const arrived = await again.get(pathOf(await honest.signIn(second.to ?? '', person)))
  assert.match(arrived.to ?? '', /^\/functions\/v1\/mcp-oauth\?/)
  const params = new URL(`https://app.example${arrived.to}`).searchParams
  for (const [name, value] of new URL(`https://app.example${consentUrl}`).searchParams) {
    const isScope = name === 'scope'
    assert.equal(params.get(name), isScope ? 'meta:read forms:read' : value, name)
  }
  const ready = await again.get(arrived.to ?? '')
  assert.match(ready.body, new RegExp(`Continue as ${person.email}`))
  const connected = await again.submit(ready, { action: 'continue' })
  assert.match(connected.to ?? '', /^http:\/\/localhost:8123\/callback\?code=/)

  // Without a provider nothing of it is on the page.
  const plain = pagesWorld(database.db, { companySignIn: undefined })
  await database.db.run(sql`update provider_domains set proven_at = null`)
  const untouched = await plain.visitor().get(await consentPage(plain))
  assert.doesNotMatch(untouched.body, /company|\/login\?/)
})

test('a sign-in leads back to a request of an app, and to nothing that only looks like one', async () => {
  for (const [next, isOurs] of [
    ['/functions/v1/mcp-oauth?client_id=x&redirect_uri=http%3A%2F%2Flocalhost%3A1', true],
    ['/functions/v1/mcp-oauth', false],
    ['/functions/v1/mcp-oauth/consent?x=1', false],
    ['//functions/v1/mcp-oauth?x=1', false],
    ['https://evil.example/functions/v1/mcp-oauth?x=1', false],
    ['/functions/v1/mcp-oauth?x=https://evil.example', false],
    ['/functions/v1/mcp-oauth?x=1\r\nlocation:%20x', false],
    [`/functions/v1/mcp-oauth?${'x'.repeat(4_000)}`, true],
    [`/functions/v1/mcp-oauth?${'x'.repeat(4_001)}`, false],
  ] as const) {
    assert.equal(ownPage(next), isOurs ? next : '/b', next.slice(0, 80))
  }
})

/** The address of the page on which an app asks to be connected. */
async function consentPage(pages: PagesWorld): Promise<string> {
  const redirect = 'http://localhost:8123/callback'
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: await pages.client(redirect),
    redirect_uri: redirect,
    code_challenge: sha256('verifier').toString('base64url'),
    code_challenge_method: 'S256',
    state: 'xyz',
    scope: 'forms:read',
  })
  return `/functions/v1/mcp-oauth?${query}`
}

test('a provider that says somebody signed out there ends their sessions here, and no others', async () => {
  // Past the limit of sign-ins that the tests before have used up.
  forgedWorld.clock.forward(days(2 * (worlds + 1)))
  const enter = async (sub: string, sid: string | undefined, email: string) => {
    const visitor = forgedWorld.visitor()
    const done = await fromForged(visitor, {
      sub,
      email,
      email_verified: true,
      ...(sid && { sid }),
    })
    assert.equal(done.status, 303, done.body)
    return visitor
  }
  const isIn = async (visitor: PageVisitor) => (await sessionOf(visitor, forgedWorld)) !== undefined
  const say = (token: string, path = '/login/company/logout') =>
    forgedWorld.visitor().send({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    })
  const [ana, bea] = [crypto.randomUUID(), crypto.randomUUID()]
  const [address, other] = [newPerson(), newPerson()]
  const desk = await enter(ana, 'desk', address)
  const phone = await enter(ana, 'phone', address)
  const somebody = await enter(bea, undefined, other)

  const refused: Record<string, [object, typeof forged.lies?]> = {
    'of another issuer': [{ sub: ana, iss: honest.issuer }],
    'for another client': [{ sub: ana, aud: 'another' }],
    'with a nonce, as an ID token': [{ sub: ana, nonce: 'x' }],
    'without its event': [{ sub: ana, events: {} }],
    'of nobody': [{}],
    'of ten minutes ago': [{ sub: ana, iat: Math.floor(Date.now() / 1000) - 600 }],
    'by a stranger': [{ sub: ana }, { byStranger: true }],
    'without a signature': [{ sub: ana }, { unsigned: true }],
  }
  for (const [name, [claims, lies]] of Object.entries(refused)) {
    Object.assign(forged.lies, lies)
    const token = forged.logoutToken({ ...claims })
    for (const lie of Object.keys(forged.lies)) delete forged.lies[lie as keyof typeof forged.lies]
    assert.equal((await say(token)).status, 400, name)
  }
  assert.equal((await say('')).status, 400)
  const unknown = `/login/company/${formatId('business', newId('business'))}/logout`
  assert.equal((await say(forged.logoutToken({ sub: ana }), unknown)).status, 400)
  assert.deepEqual(await Promise.all([desk, phone, somebody].map(isIn)), [true, true, true])

  const answer = await say(forged.logoutToken({ sub: ana, sid: 'desk' }))
  assert.deepEqual([answer.status, answer.headers['cache-control']], [200, 'no-store'])
  assert.deepEqual(await Promise.all([desk, phone, somebody].map(isIn)), [false, true, true])
  assert.equal((await say(forged.logoutToken({ sub: ana }))).status, 200)
  assert.deepEqual(await Promise.all([desk, phone, somebody].map(isIn)), [false, false, true])
})
