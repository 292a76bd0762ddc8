/** What strangers try at each page of signing in: forged forms, planted sessions, guesses, and asking who is here. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
import { createAuthenticator } from '../../../../../tests/support/clients/authenticator.ts'
import { testVault } from '../../../../../tests/support/clients/authorization.ts'
import { callerAs } from '../../../../../tests/support/clients/calls.ts'
import {
  type ForgedIssuer,
  forgedIssuer,
} from '../../../../../tests/support/clients/forged-issuer.ts'
import { bytesOf, codeAt } from '../../../../../tests/support/clients/one-time-codes.ts'
import type { PageVisitor, Visited } from '../../../../../tests/support/clients/page-visitor.ts'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { type Recorded, recorded } from '../../../../../tests/support/postgres/recorded.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { addressChange } from '../../../accounts/addresses/change.ts'
import { createRelyingParty } from '../../../accounts/identities/relying-party.ts'
import { personPrincipal } from '../../../accounts/sign-in/principal.ts'
import { readSession } from '../../../accounts/sign-in/session.ts'
import { setupLink } from '../../../accounts/sign-in/setup.ts'
import { type Id, newId } from '../../../core/ids.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { sha256 } from '../../../lib/crypto/vault.ts'
import { sql } from '../../../lib/db/db.ts'
import { createOutbound } from '../../../lib/http-client/outbound-fetch.ts'
import { createGuard, parseAllowRule } from '../../../lib/http-client/outbound-guard.ts'
import { hours, minutes, seconds } from '../../../lib/time/clock.ts'

const cookie = '__Host-crier-session'

let database: TestDatabase
let issuer: ForgedIssuer
let record: Recorded
let world: PagesWorld
const outbound = lazily(async () => {
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  return createOutbound({ guard: createGuard({ allowHttp: false, rules: [rule] }) })
})

before(async () => {
  database = await testDatabase()
  issuer = await forgedIssuer()
  record = recorded(database.db)
  const party = lazily(async () => createRelyingParty({ outbound, log: silentLog }))
  const client = { issuer: issuer.issuer, clientId: 'crier', clientSecret: 'secret' }
  const companySignIn = { ...client, name: 'Example Works', trustedDomains: [] }
  world = pagesWorld(record.db, { companySignIn }, { party })
})
after(async () => {
  await Promise.all([issuer.close(), outbound.ifMade((made) => made.close())])
  await database.drop()
})

const now = () => world.clock.now()
const sessionOf = async (visitor: PageVisitor) =>
  (await readSession(database.db, visitor.cookies.get(cookie) ?? '', now()))?.session
const pathOf = (url: string) => `${new URL(url).pathname}${new URL(url).search}`

/** Asks for a link in this browser, past the limits of mails and sign-ins. */
async function linkFor(visitor: PageVisitor, email: string, next = '/b'): Promise<string> {
  world.clock.forward(minutes(16))
  const login = await visitor.get(`/login?again=yes&next=${encodeURIComponent(next)}`)
  await visitor.submit(login, { email })
  return linkIn((await world.deliver()).at(-1))
}

async function byMail(email: string): Promise<PageVisitor> {
  const visitor = world.visitor()
  await visitor.get(await linkFor(visitor, email))
  assert.ok(await sessionOf(visitor))
  return visitor
}

interface Somebody {
  email: string
  visitor: PageVisitor
  secret: Buffer
}

/** A person with an authenticator app. */
async function withApp(email = newPerson()): Promise<Somebody> {
  const visitor = await byMail(email)
  const page = await visitor.submit(await visitor.get('/confirm'), { action: 'start' })
  const secret = bytesOf(/<code>([A-Z2-7]{32})<\/code>/.exec(page.body)?.[1] ?? '')
  const done = await visitor.submit(page, { action: 'add', factor_code: codeAt(secret, now()) })
  assert.equal(done.status, 200, done.body)
  world.clock.forward(seconds(60))
  return { email, visitor, secret }
}

const wrongOf = (secret: Buffer) => (codeAt(secret, now()) === '000000' ? '000001' : '000000')

/** Comes back from the provider as this person; returns what the browser gets. */
async function fromCompany(
  visitor: PageVisitor,
  claims: object,
  laterBy = minutes(16),
): Promise<Visited> {
  world.clock.forward(laterBy)
  const login = await visitor.get('/login?again=yes')
  const form = login.forms[0]
  assert.ok(form)
  const action = new URL('/login/company', form.action).href
  const led = await visitor.submit(login, {}, {}, { ...form, action })
  const back = issuer.answer(led.to ?? '', { email_verified: true, ...claims })
  return visitor.get(pathOf(back))
}

/** The page of an app that asks to be connected. */
async function consentPath(): Promise<string> {
  const redirect = 'http://localhost:8123/callback'
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: await world.client(redirect),
    redirect_uri: redirect,
    code_challenge: sha256('verifier').toString('base64url'),
    code_challenge_method: 'S256',
    state: 'xyz',
    scope: 'forms:read',
  })
  return `/functions/v1/mcp-oauth?${query}`
}

/** Each form, in a browser where it would work, and what its button sends. */
const forms: Record<string, () => Promise<[PageVisitor, Visited, Record<string, string>]>> = {
  async 'asking for a link'() {
    const visitor = world.visitor()
    world.clock.forward(minutes(16))
    return [visitor, await visitor.get('/login'), { email: newPerson() }]
  },
  async 'a passkey'() {
    const visitor = world.visitor()
    return [visitor, await visitor.get('/login'), { passkey: '{"id":"x"}' }]
  },
  async 'the company'() {
    const visitor = world.visitor()
    const page = await visitor.get('/login')
    const [form] = page.forms
    assert.ok(form)
    const action = new URL('/login/company', form.action).href
    return [visitor, { ...page, forms: [{ ...form, action }] }, {}]
  },
  async 'the code after the company'() {
    const { email, secret } = await withApp()
    const sub = crypto.randomUUID()
    await database.db.run(sql`
      insert into identities (issuer, subject, user_id, created_at, last_used_at)
      select ${issuer.issuer}, ${sub}, id, now(), now() from users where email = ${email}
    `)
    const visitor = world.visitor()
    const step = await fromCompany(visitor, { sub, email })
    assert.match(step.to ?? '', /step/)
    return [visitor, await visitor.get(step.to ?? ''), { factor_code: codeAt(secret, now()) }]
  },
  async 'linking a company account'() {
    const email = newPerson()
    const visitor = await byMail(email)
    // Their sign-in by mail is fresh enough still.
    const arrived = await fromCompany(visitor, { sub: crypto.randomUUID(), email }, seconds(1))
    return [visitor, await visitor.get(arrived.to ?? ''), {}]
  },
  async 'the button of a link in another browser'() {
    const link = await linkFor(world.visitor(), newPerson())
    const visitor = world.visitor()
    return [visitor, await visitor.get(link), {}]
  },
  async 'the code after a link'() {
    const { email, secret } = await withApp()
    const visitor = world.visitor()
    const page = await visitor.get(await linkFor(visitor, email))
    return [visitor, page, { factor_code: codeAt(secret, now()) }]
  },
  async confirming() {
    const { visitor, secret } = await withApp()
    return [visitor, await visitor.get('/confirm'), { factor_code: codeAt(secret, now()) }]
  },
  async 'setting up an app'() {
    const visitor = await byMail(newPerson())
    return [visitor, await visitor.get('/confirm'), { action: 'start' }]
  },
  async 'connecting an app by mail'() {
    const visitor = world.visitor()
    world.clock.forward(minutes(16))
    return [visitor, await visitor.get(await consentPath()), { email: newPerson() }]
  },
  async 'connecting an app while signed in'() {
    const visitor = await byMail(newPerson())
    return [visitor, await visitor.get(await consentPath()), { action: 'continue' }]
  },
  async 'the first user'() {
    const fresh = await testDatabase()
    const other = pagesWorld(fresh.db)
    const url = await setupLink({ db: fresh.db, vault: testVault }, other.config, other.clock.now())
    const visitor = other.visitor()
    const values = { email: newPerson(), business: 'A shop' }
    setUps.push(fresh)
    return [visitor, await visitor.get(new URL(url ?? '').pathname), values]
  },
}

const setUps: TestDatabase[] = []
after(() => Promise.all(setUps.map((fresh) => fresh.drop())))

for (const [name, open] of Object.entries(forms)) {
  test(`the form for ${name} is taken from its own page alone`, async () => {
    const [visitor, page, values] = await open()
    const [form] = page.forms
    assert.ok(form, page.body)
    const before = new Map(visitor.cookies)
    const stranger = world.visitor()
    const own = await stranger.get('/login')
    const key = own.forms[0]?.fields.find((field) => field.name === 'form_key')?.value ?? ''
    assert.notEqual(key, '')
    const forged: Record<string, [Record<string, string | null>, Record<string, string>]> = {
      'from another site': [{}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
      'from another origin': [{}, { origin: 'https://evil.example' }],
      'from a related host': [{}, { 'sec-fetch-site': 'same-site' }],
      'with the key of another browser': [{ form_key: key }, {}],
      'without a key': [{ form_key: null }, {}],
    }
    for (const [how, [change, headers]] of Object.entries(forged)) {
      const answer = await visitor.submit(page, { ...values, ...change }, headers)
      assert.equal(answer.status, 403, `${how}: ${answer.body}`)
      assert.match(answer.body, /Request blocked/, how)
      assert.deepEqual(visitor.cookies, before, how)
    }
    const cookieless = await stranger.submit(page, values)
    assert.match(cookieless.body, /Request blocked/, 'in another browser')
    // The form itself was right: what was refused was where it came from.
    const done = await visitor.submit(page, values)
    const isTaken = done.status < 400 || (name === 'a passkey' && /did not work/.test(done.body))
    assert.ok(isTaken, `${done.status} ${done.body}`)
  })
}

test('the challenge of a passkey is given to pages of our own alone', async () => {
  const visitor = world.visitor()
  const optionsFor = async (headers: Record<string, string>) =>
    JSON.parse((await visitor.get('/login/passkey', headers)).body) as { options: object | null }
  assert.equal((await optionsFor({})).options, null, 'before any page')
  await visitor.get('/login')
  assert.ok((await optionsFor({ 'sec-fetch-site': 'same-origin' })).options)
  for (const site of ['cross-site', 'same-site', 'none']) {
    assert.equal((await optionsFor({ 'sec-fetch-site': site })).options, null, site)
  }
})

/** Each way to be signed in, in a browser that has a session of an attacker's already. */
const ways: Record<string, (planted: string) => Promise<[PageVisitor, string]>> = {
  async 'a link'(planted) {
    const email = newPerson()
    const visitor = world.visitor()
    visitor.cookies.set(cookie, planted)
    await visitor.get(await linkFor(visitor, email))
    return [visitor, email]
  },
  async 'a link in another browser'(planted) {
    const email = newPerson()
    const link = await linkFor(world.visitor(), email)
    const visitor = world.visitor()
    visitor.cookies.set(cookie, planted)
    await visitor.submit(await visitor.get(link))
    return [visitor, email]
  },
  async 'a code after a link'(planted) {
    const { email, secret } = await withApp()
    const visitor = world.visitor()
    visitor.cookies.set(cookie, planted)
    const page = await visitor.get(await linkFor(visitor, email))
    await visitor.submit(page, { factor_code: codeAt(secret, now()) })
    return [visitor, email]
  },
  async 'the company'(planted) {
    const email = newPerson()
    const visitor = world.visitor()
    visitor.cookies.set(cookie, planted)
    await fromCompany(visitor, { sub: crypto.randomUUID(), email })
    return [visitor, email]
  },
  async 'a code after the company'(planted) {
    const { email, secret } = await withApp()
    const sub = crypto.randomUUID()
    await database.db.run(sql`
      insert into identities (issuer, subject, user_id, created_at, last_used_at)
      select ${issuer.issuer}, ${sub}, id, now(), now() from users where email = ${email}
    `)
    const visitor = world.visitor()
    visitor.cookies.set(cookie, planted)
    const step = await visitor.get((await fromCompany(visitor, { sub, email })).to ?? '')
    await visitor.submit(step, { factor_code: codeAt(secret, now()) })
    return [visitor, email]
  },
  async 'a passkey'(planted) {
    const email = newPerson()
    const owner = await byMail(email)
    const authenticator = createAuthenticator({ origin: 'https://app.example' })
    await keepPasskey(authenticator, (await sessionOf(owner))?.user.id)
    const visitor = world.visitor()
    visitor.cookies.set(cookie, planted)
    const page = await visitor.get('/login?again=yes')
    const { options } = JSON.parse((await visitor.get('/login/passkey')).body)
    await visitor.submit(page, { passkey: authenticator.use(options), email: '' })
    return [visitor, email]
  },
}

/** Stores the passkey as that of the person. */
async function keepPasskey(
  authenticator: ReturnType<typeof createAuthenticator>,
  userId: Id<'user'> | undefined,
): Promise<void> {
  assert.ok(userId)
  await database.db.run(sql`
    insert into passkeys (id, user_id, credential, public_key, counter, transports, name, created_at)
    values (${newId('passkey')}, ${userId}, ${authenticator.id}, ${authenticator.made().publicKey}, 0, '{}',
      'Phone', now())
  `)
}

for (const [name, signIn] of Object.entries(ways)) {
  test(`after a sign-in by ${name} the browser has a session that nobody knew before`, async () => {
    const attacker = await byMail(newPerson())
    const planted = attacker.cookies.get(cookie) ?? ''
    const [visitor, email] = await signIn(planted)
    const own = visitor.cookies.get(cookie)
    assert.notEqual(own, planted)
    assert.equal((await sessionOf(visitor))?.user.email, email)
    // The one that was planted is its own person's still, and nobody else's.
    const theirs = await sessionOf(attacker)
    assert.notEqual(theirs?.user.email, email)
  })
}

test('five wrong codes count together, at whatever page and with whatever link they are tried', async () => {
  const { email, visitor: signedIn, secret } = await withApp()
  await database.db.run(sql`
    update sessions set proven_at = null, proven_by = null
    where user_id in (select id from users where email = ${email})
  `)
  const sub = crypto.randomUUID()
  await database.db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    select ${issuer.issuer}, ${sub}, id, now(), now() from users where email = ${email}
  `)
  const company = world.visitor()
  const step = await company.get((await fromCompany(company, { sub, email })).to ?? '')
  const first = world.visitor()
  const link = await first.get(await linkFor(first, email))
  const confirm = await signedIn.get('/confirm')
  const consent = await signedIn.get(await consentPath())
  const submits = [
    () => company.submit(step, { factor_code: wrongOf(secret) }),
    () => first.submit(link, { factor_code: 'AAAA-BBBB-CCCC-DDDD' }),
    () => signedIn.submit(confirm, { factor_code: wrongOf(secret) }),
    () => signedIn.submit(consent, { action: 'continue', factor_code: wrongOf(secret) }),
    () => first.submit(link, { factor_code: wrongOf(secret) }),
  ]
  // The sign-in at the company has not run out meanwhile.
  await database.db.run(
    sql`update provider_sign_ins set expires_at = ${new Date(now().getTime() + minutes(10))}`,
  )
  for (const submit of submits) assert.equal((await submit()).status, 403)
  const right = { factor_code: codeAt(secret, now()) }
  const waits = [
    await company.submit(step, right),
    await first.submit(link, right),
    await signedIn.submit(confirm, right),
    await signedIn.submit(consent, { action: 'continue', ...right }),
  ]
  for (const { status, headers } of waits) {
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 600)
  }
  // A new link, in a new browser, begins no new count.
  const second = world.visitor()
  const login = await second.get('/login')
  await second.submit(login, { email })
  const anew = await second.get(linkIn((await world.deliver()).at(-1)))
  assert.equal((await second.submit(anew, right)).status, 429)
  assert.equal(second.cookies.get(cookie), undefined)
})

test('recovery codes are guessed no more often, and a guess in another’s list is worth nothing', async () => {
  const [ana, bea] = [await withApp(), await withApp()]
  const page = await ana.visitor.get('/confirm')
  const { count } = await database.db.one<{ count: number }>(sql`
    select count(*)::int as count from recovery_codes r join users u on u.id = r.user_id
    where u.email in (${ana.email}, ${bea.email})
  `)
  assert.equal(count, 20)
  const guesses = Array.from({ length: 20 }, () =>
    ana.visitor.submit(page, { factor_code: 'ABCD-EFGH-JKLM-NPQR' }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 403).length, 5)
  assert.equal(statuses.filter((status) => status === 429).length, 15)
})

/** People of each kind, and somebody who is not here. */
async function peopleOf(domain?: string): Promise<Record<string, string>> {
  const address = (name: string) =>
    domain === undefined ? newPerson() : `${name}-${crypto.randomUUID().slice(0, 8)}@${domain}`
  const [member, app, passkey, required] = ['m', 'a', 'p', 'r'].map(address) as [
    string,
    string,
    string,
    string,
  ]
  for (const email of [member, passkey, required]) await byMail(email)
  await withApp(app)
  const userId = async (email: string) =>
    (await database.db.one<{ id: Id<'user'> }>(sql`select id from users where email = ${email}`)).id
  for (const email of [passkey, required]) {
    await keepPasskey(createAuthenticator({ origin: 'https://app.example' }), await userId(email))
  }
  await database.db.run(sql`
    update businesses set factor_required_from = ${now()} where id in (
      select business_id from memberships where user_id = ${await userId(required)})
  `)
  return { nobody: address('n'), member, app, passkey, required }
}

/** What a stranger sees of an answer, and what was done for it. */
async function seen(email: string, act: () => Promise<Visited>) {
  // Answers differ by what the browser has, so each comes to a new one; limits are counted anew.
  world.clock.forward(hours(1))
  record.taken()
  const { status, body, headers, to } = await act()
  const statements = record.taken()
  const plain = body
    .replaceAll(email, 'ADDRESS')
    .replaceAll(encodeURIComponent(email), 'ADDRESS')
    .replaceAll(/[A-Za-z0-9_-]{43}|nonce-\S+|(?:req|cli)_\w+|\d{3} \d{3}/g, 'RANDOM')
  return {
    status,
    plain,
    isLed: to !== undefined,
    headers: Object.keys(headers).toSorted(),
    statements,
  }
}

const asks: Record<string, (email: string) => Promise<Visited>> = {
  async 'asking for a link'(email) {
    const visitor = world.visitor()
    const page = await visitor.get('/login')
    record.taken()
    return visitor.submit(page, { email })
  },
  async 'connecting an app'(email) {
    const visitor = world.visitor()
    const page = await visitor.get(await consentPath())
    record.taken()
    return visitor.submit(page, { email })
  },
  async 'the company of an address'(email) {
    const visitor = world.visitor()
    const page = await visitor.get('/login')
    const [form] = page.forms
    assert.ok(form)
    record.taken()
    const action = new URL('/login/company', form.action).href
    return visitor.submit(page, { email, company: 'address' }, {}, { ...form, action })
  },
}

for (const [name, act] of Object.entries(asks)) {
  test(`${name} tells nobody who is here: the same answer for the same work`, async () => {
    const business = await newBusiness(database.db)
    const companyDomain = `${crypto.randomUUID().slice(0, 8)}.example`
    const onlyDomain = `${crypto.randomUUID().slice(0, 8)}.example`
    const people = [await peopleOf(), await peopleOf(companyDomain), await peopleOf(onlyDomain)]
    const other = await newBusiness(database.db)
    for (const [id, domain, isOnly] of [
      [business, companyDomain, false],
      [other, onlyDomain, true],
    ] as const) {
      await database.db.run(sql`
        insert into identity_providers (business_id, issuer, client_id, name, default_role, is_only,
          break_glass_passkey, saved_at)
        values (${id}, ${issuer.issuer}, 'crier', 'Works', 'viewer', ${isOnly},
          ${isOnly ? newId('passkey') : null}, now())
      `)
      await database.db.run(sql`
        insert into provider_domains (business_id, domain, added_at, proven_at, checked_at)
        values (${id}, ${domain}, now(), now(), now() + interval '1 year')
      `)
    }
    for (const { nobody = '', ...others } of people) {
      const expected = await seen(nobody, () => act(nobody))
      assert.ok(expected.statements.length > 0)
      for (const [kind, email] of Object.entries(others)) {
        const answer = await seen(email, () => act(email))
        // The address at the provider differs by its secrets alone.
        const plain = (text: string) => text.replaceAll(/state=[^"&]*|RANDOM/g, '')
        assert.deepEqual(
          { ...answer, plain: plain(answer.plain) },
          { ...expected, plain: plain(expected.plain) },
          kind,
        )
      }
    }
    await database.db.run(sql`delete from provider_domains`)
    await database.db.run(sql`delete from identity_providers`)
  })
}

test('changing one’s address tells nobody whose it is: the same answer for the same work', async () => {
  const { db } = record
  const [own, taken, free] = [newPerson(), newPerson(), newPerson()]
  for (const email of [own, taken]) await byMail(email)
  const { id } = await db.one<{ id: Id<'user'> }>(sql`select id from users where email = ${own}`)
  const ask = async (email: string) => {
    world.clock.forward(hours(25))
    const principal = await personPrincipal(db, id, { signedInAt: world.clock.now() })
    const change = addressChange({ db, vault: testVault, isRequired: false })
    const caller = callerAs({ db, clock: world.clock }, principal)
    record.taken()
    const answer = await caller.get<{ email: string; expires_at: string }>(change, { email })
    return { answer: Object.keys(answer), statements: record.taken() }
  }
  const expected = await ask(free)
  assert.ok(expected.statements.length > 3)
  assert.deepEqual(await ask(taken), expected)
})
