import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { PageVisitor } from '../../../../../tests/support/clients/page-visitor.ts'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { sha256 } from '../../../lib/crypto/vault.ts'
import { sql } from '../../../lib/db/db.ts'
import { minutes } from '../../../lib/time/clock.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
})
after(() => database.drop())

const local = 'http://localhost:8123/callback'
const hosted = 'https://claude.ai/api/mcp/auth_callback'
const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'

/** The browser `asking` has requested a link by mail, and another browser is ready. */
async function requestLink(redirectUri = local) {
  // The clock moves on, so that each request is past the rate limit on the tests' single network.
  world.clock.forward(minutes(16))
  const asking = world.visitor()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: await world.client(redirectUri),
    redirect_uri: redirectUri,
    code_challenge: sha256('verifier').toString('base64url'),
    code_challenge_method: 'S256',
    state: 'xyz',
    scope: 'audience:write forms:read',
  })
  const page = await asking.get(`/functions/v1/mcp-oauth?${query}`)
  const email = newPerson()
  const sent = await asking.submit(page, { email, grant: ['audience:write'] })
  const [mail] = await world.deliver()
  const [, first = '', second = ''] = /class="digits"[^>]*>(\d{3}) (\d{3})</.exec(sent.body) ?? []
  return { asking, other: world.visitor(), link: linkIn(mail), code: first + second, email }
}

const isUnused = async (visitor: PageVisitor, link: string) =>
  (await visitor.get(link)).status === 302

test('scanners that GET and HEAD the link do not use it, however often', async () => {
  const { asking, other, link } = await requestLink()
  for (let i = 0; i < 3; i++) {
    assert.equal((await world.visitor().get(link)).status, 200)
    assert.equal((await other.get(link)).status, 200)
    assert.equal((await other.head(link)).status, 200)
    assert.equal((await asking.head(link)).status, 200, 'not even in the browser that asked')
  }
  assert.ok(await isUnused(asking, link))
})

test('a browser that prefetches the link does not use it', async () => {
  const { asking, link } = await requestLink()
  for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]) {
    assert.equal((await asking.get(link, headers)).status, 200)
  }
  assert.ok(await isUnused(asking, link))
})

test('a link followed several times at once in the requesting browser succeeds exactly once', async () => {
  const { asking, link } = await requestLink()
  const answers = await Promise.all(Array.from({ length: 8 }, () => asking.get(link)))
  const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b)
  assert.deepEqual(statuses, [302, ...Array.from({ length: 7 }, () => 410)])
})

test('another browser shows the client, scopes and account, and needs one button press', async () => {
  const { other, link, email } = await requestLink()
  const page = await other.get(link)
  assert.match(page.body, /Test client/)
  assert.match(page.body, /not verified/)
  assert.match(page.body, /<b>localhost:8123<\/b>/)
  assert.match(page.body, /Add, change and erase contacts/)
  assert.doesNotMatch(page.body, /See your forms/, 'what was unticked is not granted')
  assert.ok(page.body.includes(`<b>${email}</b>`))
  assert.doesNotMatch(page.body, /name="code"/)
  const pressed = await other.submit(page)
  assert.equal(pressed.status, 200)
  assert.match(pressed.to ?? '', /^http:\/\/localhost:8123\/callback\?code=.*&state=xyz&iss=/)
  assert.equal((await other.submit(page)).status, 410)
})

test('the button does not work in a form from another site', async () => {
  const { asking, other, link } = await requestLink()
  const page = await other.get(link)
  assert.equal((await other.submit(page, {}, { 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal((await other.submit(page, { form_key: null })).status, 403)
  assert.ok(await isUnused(asking, link))
})

test('an app with its own URL scheme is reached through a page that redirects to it', async () => {
  const { other, link, code } = await requestLink(cursor)
  assert.equal(code, '', 'the app is on the device of whoever presses')
  const pressed = await other.submit(await other.get(link))
  assert.match(pressed.to ?? '', /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/)
  assert.ok(pressed.body.includes('class="button" href="cursor://'))
})

test('for a hosted callback the requesting browser shows a code, and does not need it itself', async () => {
  const { asking, link, code } = await requestLink(hosted)
  assert.match(code, /^\d{6}$/)
  assert.match((await asking.get(link)).to ?? '', /^https:\/\/claude\.ai\//)
})

test('for a hosted callback another browser must enter the code', async () => {
  const { other, link, code } = await requestLink(hosted)
  const page = await other.get(link)
  assert.match(page.body, /name="code"/)
  const wrong = await other.submit(page, { code: code === '123456' ? '654321' : '123456' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body, /not the code/)
  assert.match(wrong.body, /aria-invalid="true"/)
  const right = await other.submit(wrong, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  assert.match(right.to ?? '', /^https:\/\/claude\.ai\/api\/mcp\/auth_callback\?code=/)
})

test('five wrong codes disable the link for other browsers', async () => {
  const { asking, other, link, code } = await requestLink(hosted)
  const page = await other.get(link)
  const wrong = code === '123456' ? '654321' : '123456'
  for (let i = 0; i < 5; i++) {
    assert.equal((await other.submit(page, { code: wrong })).status, 400)
  }
  const late = await other.submit(page, { code })
  assert.equal(late.status, 410)
  assert.match(late.body, /Too many wrong codes/)
  assert.ok(await isUnused(asking, link))
})

test('expired, used and unknown links each say so, and how to continue', async () => {
  const expired = await requestLink()
  world.clock.forward(minutes(10))
  const late = await expired.asking.get(expired.link)
  assert.equal(late.status, 410)
  assert.match(late.body, /expired\. Start again in the app/)
  const used = await requestLink()
  await used.asking.get(used.link)
  const again = await used.asking.get(used.link)
  assert.equal(again.status, 410)
  assert.match(again.body, /already been used/)
  const unknown = await used.asking.get(`/sign-in/${'x'.repeat(43)}`)
  assert.equal(unknown.status, 404)
  assert.match(unknown.body, /Copy the whole link/)
})

test('a link that no longer works leads to a page that fits the person’s session', async () => {
  const visitor = world.visitor()
  const email = newPerson()
  await visitor.submit(await visitor.get('/login'), { email })
  const [mail] = await world.deliver()
  const link = linkIn(mail)
  await visitor.get(link)
  const signedIn = await visitor.get(link)
  assert.equal(signedIn.status, 410)
  assert.ok(signedIn.body.includes(`You are already signed in as ${email} in this browser`))
  assert.match(signedIn.body, /<a href="\/b">Go to the dashboard/)
  const elsewhere = await world.visitor().get(link)
  assert.match(elsewhere.body, /Ask for a new one/)
  assert.match(elsewhere.body, /<a href="\/login">Go to sign-in/)
})

test('with sign-up by invitation an unknown person gets the same response, but no mail and no account', async () => {
  const invited = pagesWorld(database.db, { signup: 'invite' })
  invited.clock.forward(minutes(600))
  const visitor = invited.visitor()
  const email = newPerson('stranger')
  const sent = await visitor.submit(await visitor.get('/login'), { email })
  assert.equal(sent.status, 200)
  assert.match(sent.body, /Check your email/)
  assert.deepEqual(await invited.deliver(), [])
  const known = await database.db.maybe(sql`select id from users where email = ${email}`)
  assert.equal(known, undefined)
})

test('a set-up link cannot be used as a sign-in link', async () => {
  const { link, asking } = await requestLink()
  await database.db.run(sql`
    update magic_links set purpose = 'setup' where token_hash = ${sha256(link.split('/')[2] ?? '')}
  `)
  assert.equal((await asking.get(link)).status, 404)
})

test('signing in speaks German to whom the app or else the browser does', async () => {
  world.clock.forward(minutes(16))
  const inGerman = { 'accept-language': 'it, de-AT;q=0.8, en;q=0.5' }
  const asking = world.visitor()
  const page = await asking.get('/login', inGerman)
  assert.match(page.body, /<html lang="de".*Link anfordern/s)
  const wrong = await asking.submit(page, { email: 'ana' }, inGerman)
  assert.match(wrong.body, /role="alert">Geben Sie eine E-Mail-Adresse ein/)
  const sent = await asking.submit(page, { email: newPerson() }, inGerman)
  assert.match(sent.body, /Prüfen Sie Ihr Postfach/)
  const [mail] = await world.deliver()
  assert.equal(mail?.subject, 'Ihr Anmeldelink für Crier')
  assert.match(mail.text, /möchte sich bei Crier anmelden.\n\nAnmelden:\nhttps?:/)
  const other = await world.visitor().get(linkIn(mail), inGerman)
  assert.match(other.body, /Bei Crier anmelden.*in einem anderen Browser/s)
  // The language that the person chose in the app counts before the browser's.
  const chosen = world.visitor()
  chosen.cookies.set('crier-language', 'en')
  const english = await chosen.get('/login', inGerman)
  assert.match(english.body, /<html lang="en".*Email me a link/s)
  await chosen.submit(english, { email: newPerson() }, inGerman)
  const [second] = await world.deliver()
  assert.equal(second?.subject, 'Your sign-in link for Crier')
})

test('the country of a session is what the proxy’s header says, where the settings name one', async () => {
  const countryFrom = async (countryHeader: string | undefined, sent: string) => {
    const pages = pagesWorld(database.db, { countryHeader })
    const visitor = pages.visitor()
    const email = newPerson()
    await visitor.submit(await visitor.get('/login'), { email })
    const link = linkIn((await pages.deliver()).at(-1))
    assert.equal((await visitor.get(link, { 'cf-ipcountry': sent })).status, 302)
    const { country } = await database.db.one<{ country: string | null }>(sql`
      select s.country from sessions s join users u on u.id = s.user_id where u.email = ${email}
    `)
    return country
  }
  assert.equal(await countryFrom('cf-ipcountry', 'CH'), 'CH')
  assert.equal(await countryFrom(undefined, 'CH'), null, 'anybody sends a header')
  for (const sent of ['ch', 'CHE', 'T1', '<b>']) {
    assert.equal(await countryFrom('cf-ipcountry', sent), null, sent)
  }
})
