/** The second step of a sign-in by mail, and the page on which a person confirms; all without script. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { bytesOf, codeAt } from '../../../../../tests/support/clients/one-time-codes.ts'
import type { PageVisitor, Visited } from '../../../../../tests/support/clients/page-visitor.ts'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { readSession } from '../../../accounts/sign-in/session.ts'
import { sha256 } from '../../../lib/crypto/vault.ts'
import { sql } from '../../../lib/db/db.ts'
import { minutes, seconds } from '../../../lib/time/clock.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
})
after(() => database.drop())

const cookie = '__Host-crier-session'

const sessionOf = async (visitor: PageVisitor) =>
  (await readSession(database.db, visitor.cookies.get(cookie) ?? '', world.clock.now()))?.session

/** Asks for a link in this browser; the clock moves past the limit of mails. */
async function linkFor(visitor: PageVisitor, email: string, next = '/b'): Promise<string> {
  world.clock.forward(minutes(16))
  const login = await visitor.get(`/login?again=yes&next=${encodeURIComponent(next)}`)
  await visitor.submit(login, { email })
  return linkIn((await world.deliver()).at(-1))
}

/** A person who has set up an authenticator app on the page, and the app. */
async function somebody() {
  const email = newPerson()
  const visitor = world.visitor()
  await visitor.get(await linkFor(visitor, email))
  const offer = await visitor.get('/confirm')
  const page = await visitor.submit(offer, { action: 'start' })
  assert.match(page.body, /<img src="data:image\/svg\+xml;base64,/)
  const secret = bytesOf(/<code>([A-Z2-7]{32})<\/code>/.exec(page.body)?.[1] ?? '')
  const code = codeAt(secret, world.clock.now())
  const done = await visitor.submit(page, { action: 'add', factor_code: code })
  assert.equal(done.status, 200, done.body)
  const codes = done.body.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? []
  assert.equal(codes.length, 10)
  world.clock.forward(seconds(60))
  return { email, visitor, secret, codes }
}

const now = () => world.clock.now()

/** The address of the page on which an app asks to be connected. */
async function consentPage(): Promise<string> {
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
const wrongOf = (secret: Buffer) => (codeAt(secret, now()) === '000000' ? '000001' : '000000')

test('with an authenticator app, the link alone signs nobody in; with its code it does, once', async () => {
  const { email, secret } = await somebody()
  const visitor = world.visitor()
  const link = await linkFor(visitor, email)
  const asked = await visitor.get(link)
  assert.equal(asked.status, 200)
  assert.match(asked.body, /authenticator app/)
  assert.equal(visitor.cookies.get(cookie), undefined)
  assert.equal((await visitor.submit(asked, { factor_code: '' })).status, 403)
  const wrong = await visitor.submit(asked, { factor_code: wrongOf(secret) })
  assert.equal(wrong.status, 403)
  assert.match(wrong.body, /role="alert">That code is wrong/)
  assert.equal(await sessionOf(visitor), undefined)
  const code = codeAt(secret, now())
  const done = await visitor.submit(wrong, { factor_code: code })
  assert.deepEqual([done.status, done.to], [303, '/b'])
  assert.equal((await sessionOf(visitor))?.provenBy, 'code')
  // Neither the link nor the code counts again.
  assert.equal((await visitor.submit(wrong, { factor_code: code })).status, 410)
  const again = await visitor.get(await linkFor(visitor, email))
  assert.equal((await visitor.submit(again, { factor_code: code })).status, 403)
})

test('a recovery code signs in where the phone is lost, in another browser too', async () => {
  const { email, codes } = await somebody()
  const link = await linkFor(world.visitor(), email)
  const other = world.visitor()
  const page = await other.get(link)
  const done = await other.submit(page, { factor_code: codes[0] ?? '' })
  assert.equal(done.status, 303)
  assert.equal((await sessionOf(other))?.provenBy, 'recovery_code')
})

test('after five wrong codes the right one waits too, and says for how long', async () => {
  const { email, secret } = await somebody()
  const visitor = world.visitor()
  const page = await visitor.get(await linkFor(visitor, email))
  for (let i = 0; i < 5; i++) await visitor.submit(page, { factor_code: wrongOf(secret) })
  const limited = await visitor.submit(page, { factor_code: codeAt(secret, now()) })
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers['retry-after']) > 800)
  assert.equal(await sessionOf(visitor), undefined)
})

test('an app is connected by the link only with the code', async () => {
  const { email, secret } = await somebody()
  world.clock.forward(minutes(16))
  const visitor = world.visitor()
  await visitor.submit(await visitor.get(await consentPage()), { email })
  const page = await visitor.get(linkIn((await world.deliver()).at(-1)))
  assert.equal(page.status, 200)
  const wrong = await visitor.submit(page, { factor_code: wrongOf(secret) })
  assert.equal(wrong.status, 403)
  const done = await visitor.submit(wrong, { factor_code: codeAt(secret, now()) })
  assert.match(done.to ?? '', /^http:\/\/localhost:8123\/callback\?code=/)
})

test('a session from before the app connects nothing without the code', async () => {
  const { visitor, secret } = await somebody()
  await database.db.run(sql`update sessions set proven_at = null, proven_by = null`)
  const page = await visitor.get(await consentPage())
  const refused = await visitor.submit(page, { action: 'continue' })
  assert.equal(refused.status, 403)
  const answer = { action: 'continue', factor_code: codeAt(secret, now()) }
  assert.match((await visitor.submit(refused, answer)).to ?? '', /callback\?code=/)
})

test('the sign-in page and its answer are the same with and without a second factor', async () => {
  const { email } = await somebody()
  const seen = async (address: string) => {
    world.clock.forward(minutes(16))
    const visitor = world.visitor()
    const page = await visitor.submit(await visitor.get('/login'), { email: address })
    return [
      page.status,
      page.body.replaceAll(address, 'ADDRESS').replaceAll(encodeURIComponent(address), 'ADDRESS'),
    ]
  }
  const expected = await seen(newPerson())
  assert.deepEqual(await seen(email), expected)
})

test('a session that a stranger set before the sign-in is not taken over', async () => {
  const { email, secret, visitor: attacker } = await somebody()
  const planted = attacker.cookies.get(cookie) ?? ''
  const visitor = world.visitor()
  assert.notEqual(planted, '')
  visitor.cookies.set(cookie, planted)
  const page = await visitor.get(await linkFor(visitor, email))
  await visitor.submit(page, { factor_code: codeAt(secret, now()) })
  assert.notEqual(visitor.cookies.get(cookie), planted)
})

test('confirming proves the session, and leads to pages of ours alone', async () => {
  const { visitor, secret } = await somebody()
  for (const [next, to] of [
    ['/b/sessions', '/b/sessions'],
    ['https://evil.example/', '/b'],
    ['//evil.example', '/b'],
    ['/\\evil.example', '/b'],
    ['javascript:alert(1)', '/b'],
  ] as const) {
    world.clock.forward(seconds(30))
    const page = await visitor.get(`/confirm?next=${encodeURIComponent(next)}`)
    const done = await visitor.submit(page, { factor_code: codeAt(secret, now()) })
    assert.deepEqual([done.status, done.to], [303, to], next)
    assert.deepEqual((await sessionOf(visitor))?.provenAt, now())
  }
})

test('no form of these pages is taken from another site', async () => {
  const { email, visitor, secret } = await somebody()
  const factor_code = codeAt(secret, now())
  const pages: Visited[] = [
    await visitor.get('/confirm'),
    await visitor.get(await linkFor(visitor, email)),
  ]
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const page of pages) {
    for (const [values, headers] of [
      [{ factor_code }, evil],
      [{ factor_code, form_key: 'x' }, {}],
      [{ factor_code, form_key: null }, {}],
    ] as const) {
      assert.equal((await visitor.submit(page, values, headers)).status, 403)
    }
  }
  const start = await visitor.submit(pages[0] as Visited, { action: 'start', form_key: 'x' })
  assert.equal(start.status, 403)
})

test('nobody replaces an app on the page, or sets one up long after signing in', async () => {
  const { visitor } = await somebody()
  const page = await visitor.get('/confirm')
  assert.equal((await visitor.submit(page, { action: 'start' })).status, 409)
  const other = world.visitor()
  await other.get(await linkFor(other, newPerson()))
  const offer = await other.get('/confirm')
  world.clock.forward(minutes(15))
  assert.equal((await other.submit(offer, { action: 'start' })).to, '/login?again=yes')
})

test('where a business requires a factor, nobody connects an app without one', async () => {
  const visitor = world.visitor()
  const email = newPerson()
  await visitor.get(await linkFor(visitor, email))
  await database.db.run(sql`
    update businesses set factor_required_from = ${now()} where id in (
      select m.business_id from memberships m join users u on u.id = m.user_id
      where u.email = ${email})
  `)
  world.clock.forward(minutes(16))
  const other = world.visitor()
  await other.submit(await other.get(await consentPage()), { email })
  const page = await other.get(linkIn((await world.deliver()).at(-1)))
  assert.equal(page.status, 403)
  assert.match(page.body, /second factor is required/)
})
