import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { createAuthenticator } from '../../../../../tests/support/clients/authenticator.ts'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { createBusiness } from '../../../accounts/businesses/create.ts'
import { handleOf } from '../../../accounts/passkeys/answer.ts'
import { insertPasskey } from '../../../accounts/passkeys/passkey.ts'
import { startSession } from '../../../accounts/sign-in/session.ts'
import { ensureUser } from '../../../accounts/sign-in/sign-up.ts'
import { newId } from '../../../core/ids.ts'
import { sha256 } from '../../../lib/crypto/vault.ts'
import { sql } from '../../../lib/db/db.ts'
import { hours, later, minutes } from '../../../lib/time/clock.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
})
after(() => database.drop())

const callback = 'http://localhost:8123/callback'
const hosted = 'https://claude.ai/api/mcp/auth_callback'

async function authorizeUrl(change: Record<string, string> = {}, redirectUri = callback) {
  const client_id = change['client_id'] ?? (await world.client(redirectUri))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: sha256('verifier').toString('base64url'),
    code_challenge_method: 'S256',
    state: 'a state & more="x"',
    scope: 'forms:read messaging:send',
    ...change,
  })
  return `/functions/v1/mcp-oauth?${query}`
}

const count = async (table: 'magic_links' | 'users' | 'sessions') => {
  const counts = {
    magic_links: sql`select count(*) as n from magic_links`,
    users: sql`select count(*) as n from users`,
    sessions: sql`select count(*) as n from sessions`,
  }
  return (await database.db.one<{ n: number }>(counts[table])).n
}

/** A browser with a live session of a business owner. */
async function signedIn() {
  const email = newPerson()
  const now = world.clock.now()
  const token = await database.db.tx(async (tx) => {
    const { user } = await ensureUser(tx, email, now)
    const made = { name: 'Blue & Bottle', ownerId: user.id, tier: 'free' as const, now }
    await createBusiness(tx, made)
    return startSession(tx, user.id, now)
  })
  const visitor = world.visitor()
  visitor.cookies.set('__Host-crier-session', token)
  return { visitor, email }
}

test('the page names the client, its redirect host and its scopes, and stores nothing', async () => {
  const page = await world.visitor().get(await authorizeUrl())
  assert.equal(page.status, 200)
  assert.match(page.body, /“<bdi>Test client<\/bdi>” wants to access your account/)
  assert.match(page.body, /not verified/)
  assert.match(page.body, /<b>localhost:8123<\/b>, a program on this computer/)
  assert.match(page.body, /Sensitive:.*Send email and SMS.*real people get them/s)
  assert.match(page.body, /See your businesses and their usage/)
  assert.doesNotMatch(page.body, /value="meta:read"/, 'what is always granted cannot be unticked')
  assert.equal(await count('magic_links'), 0)
})

/** The one script of the page, from this service. */
const ownScript = /<script src="\/assets\/[\w-]{16}\/passkey\.js" defer><\/script>/

test('every page forbids scripts but ours, framing, caching and referrers', async () => {
  const { headers, body } = await world.visitor().get(await authorizeUrl())
  const policy = String(headers['content-security-policy'])
  for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(rule), rule)
  }
  assert.match(policy, /script-src 'self'(?:;|$)/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.doesNotMatch(body.replace(ownScript, ''), /<script|\sstyle=|\son\w+=/i)
})

test('a hostile client name is shown as plain text', async () => {
  const name = `</h1><script>alert(1)</script>" onx='1' ${'x'.repeat(120)}`
  const payload = { client_name: name, redirect_uris: [callback] }
  const url = '/functions/v1/mcp-oauth/register'
  const registered = await world.app.inject({ method: 'POST', url, payload })
  const page = await world
    .visitor()
    .get(await authorizeUrl({ client_id: registered.json().client_id }))
  assert.doesNotMatch(page.body.replace(ownScript, ''), /<script|<\/h1><|onx='/)
  assert.match(page.body, /<bdi>&lt;\/h1&gt;&lt;script&gt;.*…<\/bdi>/)
})

test('requesting a link shows the same page for any address, and mails a link that leads back', async () => {
  const visitor = world.visitor()
  const email = newPerson()
  const sent = await visitor.submit(await visitor.get(await authorizeUrl()), { email })
  assert.equal(sent.status, 200)
  assert.match(sent.body, /Check your email/)
  assert.doesNotMatch(sent.body, /class="digits"/, 'no code where the callback is on this computer')
  const [mail] = await world.deliver()
  assert.equal(mail?.to, email)
  assert.doesNotMatch(mail?.subject ?? '', /Test client/)
  assert.doesNotMatch(mail?.text ?? '', /Test client/)
  const followed = await visitor.get(linkIn(mail))
  assert.equal(followed.status, 302)
  const to = new URL(followed.to ?? '')
  assert.equal(to.origin + to.pathname, callback)
  assert.equal(to.searchParams.get('state'), 'a state & more="x"')
  assert.equal(to.searchParams.get('iss'), world.config.baseUrl)
  assert.match(to.searchParams.get('code') ?? '', /^[\w-]{43}$/)
})

test('a passkey that waits 24 hours connects no app; once it counts it does', async () => {
  const now = world.clock.now()
  const userId = await world.person()
  const { appUrl } = world.config
  const authenticator = createAuthenticator({ origin: appUrl })
  await database.db.tx(async (tx) => {
    const made = { name: 'Strict', ownerId: userId, tier: 'free' as const, now }
    const id = await createBusiness(tx, made)
    await tx.run(sql`update businesses set factor_required_from = ${now} where id = ${id}`)
    await tx.run(sql`
      update users set factor_waits_until = ${later(now, hours(24))} where id = ${userId}
    `)
    const passkey = { id: newId('passkey'), userId, name: 'Phone', now, ...authenticator.made() }
    await insertPasskey(tx, passkey)
  })
  const userHandle = handleOf(userId)
  const connect = async () => {
    const visitor = world.visitor()
    const page = await visitor.get(await authorizeUrl())
    const { options } = JSON.parse((await visitor.get('/login/passkey')).body)
    return visitor.submit(page, { passkey: authenticator.use(options, { userHandle }) })
  }
  const refused = await connect()
  assert.equal(refused.status, 403)
  assert.match(refused.body, /counts from/)
  assert.doesNotMatch(refused.body, /[?&;]code=/)
  world.clock.forward(hours(24))
  const connected = await connect()
  assert.equal(connected.status, 200, connected.body)
  assert.match(connected.body, /[?&;]code=/)
})

test('who grants the right to send sees and changes the limit of transactional messages, and the connection gets it', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(await authorizeUrl())
  assert.match(page.body, /How many people may it write to in a day without asking\?/)
  assert.match(page.body, /name="transactional_per_day"[^>]*\n? *value="100"/)
  const reading = await visitor.get(await authorizeUrl({ scope: 'forms:read' }))
  assert.doesNotMatch(reading.body, /transactional_per_day/)
  const storedFor = async (typed: string) => {
    const email = newPerson()
    const sent = await visitor.submit(page, {
      email,
      grant: ['messaging:send'],
      transactional_per_day: typed,
    })
    if (sent.status !== 200) return sent.status
    const mail = (await world.deliver()).find(({ to }) => to === email)
    const { to } = await visitor.get(linkIn(mail))
    const code = new URL(to ?? '').searchParams.get('code') ?? ''
    const { perDay } = await database.db.one<{ perDay: number }>(sql`
      select transactional_per_day as "perDay" from authorization_codes where hash = ${sha256(code)}
    `)
    return perDay
  }
  assert.equal(await storedFor('40'), 40)
  assert.equal(await storedFor(''), 100)
  assert.equal(await storedFor('0'), 0)
  assert.equal(await storedFor('-1'), 400)
  assert.equal(await storedFor('1.5'), 400)
})

test('a new connection sees people masked and takes nothing out, unless its person chooses otherwise', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(await authorizeUrl({ scope: 'audience:read' }))
  assert.match(page.body, /value="masked" checked/)
  assert.doesNotMatch(page.body, /value="yes" checked/)
  const choiceOf = async (typed: Record<string, string>) => {
    const email = newPerson()
    await visitor.submit(page, { email, grant: ['audience:read'], ...typed })
    const mail = (await world.deliver()).find(({ to }) => to === email)
    const { to } = await visitor.get(linkIn(mail))
    const code = new URL(to ?? '').searchParams.get('code') ?? ''
    const { masked, out } = await database.db.one<{ masked: boolean; out: boolean }>(sql`
      select sees_masked as masked, takes_data_out as out
      from authorization_codes where hash = ${sha256(code)}
    `)
    return [masked, out]
  }
  assert.deepEqual(await choiceOf({}), [true, false])
  assert.deepEqual(await choiceOf({ sees: 'masked' }), [true, false])
  assert.deepEqual(await choiceOf({ sees: 'full', takes_data_out: 'yes' }), [false, true])
})

test('scopes that were unticked or not requested are not granted', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(await authorizeUrl())
  const grant = ['forms:read', 'provisioning:write']
  await visitor.submit(page, { email: newPerson(), grant })
  const [mail] = await world.deliver()
  const code = new URL((await visitor.get(linkIn(mail))).to ?? '').searchParams.get('code') ?? ''
  const { scopes } = await database.db.one<{ scopes: string[] }>(
    sql`select scopes from authorization_codes where hash = ${sha256(code)}`,
  )
  assert.deepEqual(scopes, ['meta:read', 'forms:read'])
})

test('an invalid email address is refused at its field, and the other input is kept', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(await authorizeUrl())
  const again = await visitor.submit(page, { email: 'no"pe', grant: ['messaging:send'] })
  assert.equal(again.status, 400)
  assert.match(again.body, /aria-invalid="true"/)
  assert.match(again.body, /value="no&quot;pe"/)
  assert.match(again.body, /value="messaging:send" checked/)
  assert.doesNotMatch(again.body, /value="forms:read" checked/)
  assert.equal((await visitor.submit(again, { email: newPerson() })).status, 200)
})

test('too many links to one address are refused with Retry-After', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(await authorizeUrl())
  const email = newPerson()
  for (let i = 0; i < 5; i++) assert.equal((await visitor.submit(page, { email })).status, 200)
  const refused = await visitor.submit(page, { email })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  world.clock.forward(minutes(16))
  await world.deliver()
})

test('the decline button links back to the client with access_denied', async () => {
  const page = await world.visitor().get(await authorizeUrl())
  const href = /<a class="button quiet" href="([^"]*)">Cancel/.exec(page.body)?.[1] ?? ''
  const to = new URL(href.replaceAll('&amp;', '&'))
  assert.equal(to.searchParams.get('error'), 'access_denied')
  assert.equal(to.searchParams.get('state'), 'a state & more="x"')
})

test('a form submitted from another site sends no mail', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(await authorizeUrl())
  const values = { email: newPerson() }
  const attempts = [
    visitor.submit(page, values, { origin: 'https://evil.example' }),
    visitor.submit(page, values, { 'sec-fetch-site': 'cross-site' }),
    visitor.submit(page, values, { 'sec-fetch-site': 'same-site' }),
    visitor.submit(page, { ...values, form_key: null }),
    visitor.submit(page, { ...values, form_key: 'x'.repeat(43) }),
    world.visitor().submit(page, values),
  ]
  const before = await count('magic_links')
  for (const answer of await Promise.all(attempts)) assert.equal(answer.status, 403)
  assert.equal(await count('magic_links'), before)
})

test('an unknown client or redirect gets an error page, and other errors are redirected to the client', async () => {
  const visitor = world.visitor()
  const unknown = await visitor.get(await authorizeUrl({ client_id: 'cli_nobody' }))
  assert.equal(unknown.status, 400)
  assert.equal(unknown.to, undefined)
  assert.match(unknown.body, /Unknown app/)
  const elsewhere = await visitor.get(await authorizeUrl({ redirect_uri: 'https://evil.example/' }))
  assert.equal(elsewhere.status, 400)
  assert.equal(elsewhere.to, undefined)
  const plain = await visitor.get(await authorizeUrl({ code_challenge_method: 'plain' }))
  assert.equal(plain.status, 302)
  assert.equal(new URL(plain.to ?? '').searchParams.get('error'), 'invalid_request')
})

test('the values of a submitted form are validated again', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(await authorizeUrl())
  const values = { email: newPerson(), redirect_uri: 'https://evil.example/' }
  const changed = await visitor.submit(page, values)
  assert.equal(changed.status, 400)
  assert.deepEqual(await world.deliver(), [])
})

test('a signed-in person sees their businesses and continues without a mail', async () => {
  const { visitor, email } = await signedIn()
  const page = await visitor.get(await authorizeUrl({}, hosted))
  assert.ok(page.body.includes(`Continue as ${email}`))
  assert.match(page.body, /<bdi>Blue &amp; Bottle<\/bdi> <span class="fine">owner/)
  const gone = await visitor.submit(page, { action: 'continue' })
  assert.equal(gone.status, 200)
  assert.match(gone.to ?? '', /^https:\/\/claude\.ai\/api\/mcp\/auth_callback\?code=/)
  assert.deepEqual(await world.deliver(), [])
  const foreign = await visitor.submit(page, { action: 'continue', form_key: null })
  assert.equal(foreign.status, 403)
})

test('a person without a session cannot continue as a signed-in user', async () => {
  const { visitor } = await signedIn()
  const page = await visitor.get(await authorizeUrl())
  visitor.cookies.delete('__Host-crier-session')
  const refused = await visitor.submit(page, { action: 'continue' })
  assert.equal(refused.status, 401)
  assert.equal(refused.to, undefined)
  assert.match(refused.body, /type="email"/)
})

test('a signed-in person can use another address', async () => {
  const { visitor } = await signedIn()
  const page = await visitor.get(await authorizeUrl({ prompt: 'consent' }))
  const href = /href="([^"]*)">Use another address/.exec(page.body)?.[1]?.replaceAll('&amp;', '&')
  const anew = await visitor.get(href ?? '')
  assert.match(anew.body, /type="email"/)
  assert.doesNotMatch(anew.body, /Continue as/)
})
