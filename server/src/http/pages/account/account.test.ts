import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
import { testVault, tokenPath } from '../../../../../tests/support/clients/authorization.ts'
import { newMember } from '../../../../../tests/support/clients/grants.ts'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { membershipsOf } from '../../../accounts/businesses/memberships.ts'
import { invite } from '../../../accounts/members/invitations.ts'
import { findUserByEmail } from '../../../accounts/members/user.ts'
import { formatId } from '../../../core/ids.ts'
import { days, minutes } from '../../../lib/time/clock.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
})
after(() => database.drop())

const page = '/account/invitations'

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
  assert.match(followed.to ?? '', /^(\/account\/invitations|\/b\/bus_[0-9a-z]{26}\/settings)$/)
  const user = await findUserByEmail(database.db, email)
  assert.ok(user)
  return { visitor, user, email }
}

test('a person signs in by link and sees the address to give to an assistant', async () => {
  const { visitor, email } = await signIn()
  const shown = await visitor.get('/')
  assert.equal(shown.status, 200)
  assert.match(shown.body, /https:\/\/app\.example\/api\/functions\/svc-mcp/)
  assert.ok(shown.body.includes(email))
  assert.ok(shown.body.indexOf('Open the app') < shown.body.indexOf('Connect an assistant'))
  assert.match((await visitor.get('/', { 'accept-language': 'de' })).body, /App öffnen/)
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
    assert.match(to, /^\/b\/bus_[0-9a-z]{26}\/settings$/, 'a new person names the business')
    await visitor.get('/login')
    const again = await visitor.get(`/login?next=${encodeURIComponent(next)}`)
    assert.equal(again.to, '/b')
  }
})

test('a visitor without a session who opens a page returns to it after the sign-in', async () => {
  const { visitor } = await signIn()
  const asked = await world.visitor().get(page)
  assert.deepEqual([asked.status, asked.to], [303, `/login?next=${encodeURIComponent(page)}`])
  assert.equal((await visitor.get(asked.to ?? '')).to, page)
})

test('the former address of a page leads to the page of the app, and only to one', async () => {
  const id = `bus_${'0'.repeat(26)}`
  const visitor = world.visitor()
  for (const [from, to] of [
    ['/account/connections', '/b/connections'],
    ['/account/sessions', '/b/sessions'],
    ['/account/businesses', '/b/businesses'],
    [`/account/businesses/${id}`, `/b/${id}/settings`],
    [`/account/businesses/${id}/members`, `/b/${id}/members`],
    [`/account/businesses/${id}/keys`, `/b/${id}/keys`],
    [`/account/businesses/${id}/suppressions`, `/b/${id}/suppressions`],
  ] as const) {
    const answer = await visitor.get(from)
    assert.deepEqual([answer.status, answer.to], [301, to])
    const asked = await visitor.get(to)
    assert.deepEqual([asked.status, asked.to], [303, `/login?next=${encodeURIComponent(to)}`])
  }
  for (const stray of ['nobody', '..%2F..%2Fevil', `${id}%0d%0aset-cookie:x`]) {
    assert.equal((await visitor.get(`/account/businesses/${stray}/keys`)).status, 404)
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

test('a form is accepted only from the person’s own page', async () => {
  const { visitor } = await signIn()
  const shown = await visitor.get(page)
  const stranger = (await signIn()).visitor
  const attempts = [
    await visitor.submit(shown, { form_key: null }),
    await visitor.submit(shown, {}, { origin: 'https://evil.example' }),
    await visitor.submit(shown, {}, { 'sec-fetch-site': 'cross-site' }),
    await stranger.submit(shown),
  ]
  assert.deepEqual(
    attempts.map((answer) => answer.status),
    [403, 403, 403, 403],
  )
  for (const one of [visitor, stranger]) assert.equal((await one.get(page)).status, 200)
  assert.equal((await visitor.submit(shown)).status, 303)
  assert.equal((await visitor.get(page)).status, 303)
})

test('every form of a page works, even if the browser had lost its cookie', async () => {
  const { visitor, user, email } = await signIn()
  const businessId = await newBusiness(database.db)
  const owner = await newMember(database.db, { businesses: [businessId] })
  const invitation = { businessId, role: 'viewer', email, hmac: testVault.hmac } as const
  const now = world.clock.now()
  const mailer = { queueInvitation: async () => {} }
  await database.db.tx((tx) => invite(tx, mailer, { ...invitation, invitedBy: owner, now }))
  visitor.cookies.delete('__Host-crier-browser')
  for (const [language, words] of [
    ['de', ['Einladungen', 'zum Lesen', 'Sie sehen alles und ändern nichts.', 'Annehmen']],
    ['fr', ['Vos invitations', 'en lecture', 'Vous voyez tout et ne modifiez rien.', 'Accepter']],
  ] as const) {
    const { body } = await visitor.get(page, { 'accept-language': language })
    for (const word of words) assert.ok(body.includes(word), `${language}: ${word}`)
    assert.doesNotMatch(body, /invites you|Accept the|Dashboard|Sign out/)
  }
  const shown = await visitor.get(page)
  assert.equal(shown.forms.length, 2)
  const accepted = await visitor.submit(shown, { answer: 'accept' }, {}, shown.forms[1])
  assert.equal(accepted.to, `/b/${formatId('business', businessId)}`)
  const memberships = await membershipsOf(database.db, user.id)
  assert.ok(memberships.some((one) => one.id === businessId))
  assert.equal((await visitor.submit(shown)).status, 303)
})

test('on plain http the cookies have no __Host- prefix, since browsers would drop them', async () => {
  const local = { baseUrl: 'http://localhost:8080', appUrl: 'http://localhost:8080' }
  const answer = await pagesWorld(database.db, local).visitor().get('/login')
  const cookie = String(answer.headers['set-cookie'])
  assert.match(cookie, /^crier-browser=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('signing out ends the session of this browser alone', async () => {
  const { visitor, email } = await signIn()
  const { visitor: phone } = await signIn(email)
  assert.equal((await visitor.submit(await visitor.get(page))).to, '/')
  assert.ok(!visitor.cookies.has('__Host-crier-session'))
  assert.equal((await visitor.get(page)).status, 303)
  assert.equal((await phone.get(page)).status, 200)
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
