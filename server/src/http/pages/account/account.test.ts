import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { tokenPath } from '../../../../../tests/support/clients/authorization.ts'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { findUserByEmail } from '../../../accounts/members/user.ts'
import { sql } from '../../../lib/db/db.ts'
import { days, hours, minutes } from '../../../lib/time/clock.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
})
after(() => database.drop())

const page = '/account/connections'

async function signIn(email = newPerson()) {
  world.clock.forward(minutes(16))
  const visitor = world.visitor()
  const asked = await visitor.get(page)
  assert.equal(asked.status, 303)
  const login = await visitor.get(asked.to ?? '')
  await visitor.submit(login, { email })
  const [mail] = await world.deliver()
  const followed = await visitor.get(linkIn(mail))
  assert.equal(followed.status, 302)
  assert.match(followed.to ?? '', /^\/account\/(connections|businesses\/bus_[0-9a-z]{26})$/)
  const user = await findUserByEmail(database.db, email)
  assert.ok(user)
  return { visitor, user, email }
}

test('a person signs in by link and sees the address to give to an assistant', async () => {
  const { visitor, email } = await signIn()
  const shown = await visitor.get(page)
  assert.equal(shown.status, 200)
  assert.match(shown.body, /Nothing is connected yet/)
  assert.match(shown.body, /https:\/\/app\.example\/api\/functions\/svc-mcp/)
  assert.ok(shown.body.includes(email))
})

test('the session cookie is inaccessible to scripts and to other sites', async () => {
  const visitor = world.visitor()
  await visitor.submit(await visitor.get('/login'), { email: newPerson() })
  const [mail] = await world.deliver()
  const { headers } = await visitor.get(linkIn(mail))
  const cookie = [headers['set-cookie']].flat().find((entry) => String(entry).includes('session'))
  assert.match(
    String(cookie),
    /^__Host-crier-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('a sign-in redirects only to a known page of the product', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/account/nowhere']) {
    const visitor = world.visitor()
    const login = await visitor.get(`/login?next=${encodeURIComponent(next)}`)
    await visitor.submit(login, { email: newPerson(), next })
    const [mail] = await world.deliver()
    const { to = '' } = await visitor.get(linkIn(mail))
    assert.match(to, /^\/account\/businesses\/bus_[0-9a-z]{26}$/, 'a new person names the business')
    await visitor.get('/login')
    const again = await visitor.get(`/login?next=${encodeURIComponent(next)}`)
    assert.equal(again.to, '/b')
  }
})

test('a visitor without a session who opens a business page returns to it after the sign-in', async () => {
  const { visitor } = await signIn()
  const id = `bus_${'0'.repeat(26)}`
  for (const end of ['', '/members', '/suppressions', '/keys']) {
    const own = `/account/businesses/${id}${end}`
    const asked = await world.visitor().get(own)
    assert.deepEqual([asked.status, asked.to], [303, `/login?next=${encodeURIComponent(own)}`])
    assert.equal((await visitor.get(asked.to ?? '')).to, own)
  }
})

test('the sign-in link works in another browser only by its button', async () => {
  const visitor = world.visitor()
  const email = newPerson()
  await visitor.submit(await visitor.get('/login'), { email })
  const [mail] = await world.deliver()
  const phone = world.visitor()
  const shown = await phone.get(linkIn(mail))
  assert.ok(shown.body.includes(`<b>${email}</b>`))
  assert.ok(!phone.cookies.has('__Host-crier-session'))
  const pressed = await phone.submit(shown)
  assert.equal(pressed.status, 303)
  assert.equal((await phone.get(page)).status, 200)
})

test('a connection shows its unverified name, host, scopes, businesses, last use and late reuse', async () => {
  const { visitor, user } = await signIn()
  const { client_id } = await world.connect({
    userId: user.id,
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
    scope: 'messaging:send',
  })
  const hostile = '<b onclick=alert(1)>Claude'
  await database.db.run(sql`update oauth_clients set name = ${hostile} where id = ${client_id}`)
  world.clock.forward(hours(2))
  await database.db.run(sql`
    update connections set last_used_at = ${world.clock.now()}, late_reuses = 2,
      last_late_reuse_at = ${world.clock.now()}
    where user_id = ${user.id}
  `)
  const { body } = await visitor.get(page)
  assert.ok(body.includes('<bdi>&lt;b onclick=alert(1)&gt;Claude</bdi>'))
  assert.doesNotMatch(body, /<b onclick/)
  assert.match(body, /name not verified/)
  assert.match(body, /<b>claude\.ai<\/b>/)
  assert.match(body, /<li>Send email and SMS<\/li>/)
  assert.ok(body.includes('In <bdi>New business</bdi>'))
  assert.match(body, />2 hours ago<\/time>.*used <time[^>]*>just now/s)
  assert.match(body, /old refresh token was used 2 times/)
})

test('a connection is revoked only by a form on the person’s own page', async () => {
  const { visitor, user } = await signIn()
  const { client_id, refresh_token } = await world.connect({ userId: user.id })
  const shown = await visitor.get(page)
  const revoke = shown.forms.find((form) => form.action.endsWith('/revoke'))
  assert.ok(revoke)
  const stranger = (await signIn()).visitor
  const attempts = [
    await visitor.submit(shown, { form_key: null }, {}, revoke),
    await visitor.submit(shown, {}, { origin: 'https://evil.example' }, revoke),
    await visitor.submit(shown, {}, { 'sec-fetch-site': 'cross-site' }, revoke),
    await stranger.submit(shown, {}, {}, revoke),
  ]
  assert.deepEqual(
    attempts.map((answer) => answer.status),
    [403, 403, 403, 403],
  )
  const key = (await stranger.get(page)).forms[0]?.fields.find((field) => field.name === 'form_key')
  const others = await stranger.submit(shown, { form_key: key?.value ?? '' }, {}, revoke)
  assert.equal(others.status, 404, 'a connection of somebody else is one that does not exist')

  const live = await world.refresh(client_id, refresh_token)
  assert.equal(live.status, 200)
  assert.equal((await visitor.submit(shown, {}, {}, revoke)).status, 303)
  const dead = await world.refresh(client_id, String(live.body['refresh_token']))
  assert.equal(dead.body['error'], 'invalid_grant')
  assert.match((await visitor.get(page)).body, /Nothing is connected yet/)
  assert.equal((await visitor.submit(shown, {}, {}, revoke)).status, 404)
})

test('every form of a page works, even if the browser had lost its cookie', async () => {
  const { visitor, user } = await signIn()
  await world.connect({ userId: user.id })
  visitor.cookies.delete('__Host-crier-browser')
  const shown = await visitor.get(page)
  assert.equal(shown.forms.length, 2)
  for (const form of [...shown.forms].reverse()) {
    assert.equal((await visitor.submit(shown, {}, {}, form)).status, 303)
  }
})

test('on plain http the cookies have no __Host- prefix, since browsers would drop them', async () => {
  const local = { baseUrl: 'http://localhost:8080', appUrl: 'http://localhost:8080' }
  const answer = await pagesWorld(database.db, local).visitor().get('/login')
  const cookie = String(answer.headers['set-cookie'])
  assert.match(cookie, /^crier-browser=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('sessions are listed and ended one by one, and signing out ends the current one', async () => {
  const { visitor, email } = await signIn()
  const { visitor: phone } = await signIn(email)
  const list = await visitor.get('/account/sessions')
  assert.match(list.body, /This browser/)
  const ends = list.forms.filter((form) => form.action.endsWith('/end'))
  assert.equal(ends.length, 2)
  const other = list.body.indexOf('Another browser') < list.body.indexOf('This browser') ? 0 : 1
  assert.equal((await visitor.submit(list, {}, {}, ends[other])).status, 303)
  assert.equal((await phone.get(page)).status, 303)
  const out = (await visitor.get(page)).forms.find((form) => form.action.endsWith('/logout'))
  assert.equal((await visitor.submit(list, {}, {}, out)).to, '/')
  assert.ok(!visitor.cookies.has('__Host-crier-session'))
  assert.equal((await visitor.get(page)).status, 303)
})

test('a session is extended by each visit, and ends after a month without one', async () => {
  const { visitor } = await signIn()
  for (let i = 0; i < 4; i++) {
    world.clock.forward(days(20))
    const shown = await visitor.get(page)
    assert.equal(shown.status, 200)
    assert.match(String(shown.headers['set-cookie']), /crier-session=.*Max-Age=2592000/)
  }
  world.clock.forward(days(30))
  assert.equal((await visitor.get(page)).status, 303)
})

test('pages respond with HTML errors, and endpoints for programs with JSON errors', async () => {
  const api = await world.app.inject({ method: 'POST', url: tokenPath, payload: '' })
  assert.match(String(api.headers['content-type']), /application\/json/)
  const visitor = world.visitor()
  const bad = await visitor.send({
    method: 'POST',
    url: '/login',
    headers: { 'content-type': 'application/json' },
    payload: '{}',
  })
  assert.equal(bad.status, 415)
  assert.match(String(bad.headers['content-type']), /text\/html/)
})
