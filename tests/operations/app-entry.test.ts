/**
 * The app's own entry point: a session identifies a caller as a token does, but only for the app's
 * own pages, and no token can reach what people decide there. The catalogues are walked.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addMember } from 'crier-server/accounts/businesses/memberships.ts'
import { handleOf } from 'crier-server/accounts/passkeys/answer.ts'
import { insertPasskey } from 'crier-server/accounts/passkeys/passkey.ts'
import { readSession, startSession } from 'crier-server/accounts/sign-in/session.ts'
import { formatId, type Id, newId, parseId } from 'crier-server/core/ids.ts'
import { type Role, roles } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { minutes } from 'crier-server/lib/time/clock.ts'
import { appCatalogOf } from 'crier-server/operations/catalog.ts'
import { routesOf } from 'crier-server/operations/routes.ts'
import { nowhere } from '../../scripts/generators/catalog.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { createAuthenticator } from '../support/clients/authenticator.ts'
import { newGrant, newMember } from '../support/clients/grants.ts'
import { bytesOf, codeAt } from '../support/clients/one-time-codes.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { type AppLine, appLines } from './support/app-lines.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let own: Belongings

before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha')
})
after(() => testbed.close())

const appCatalog = appCatalogOf(nowhere)

/**
 * A call that succeeds for an owner; each has a new member, because some calls remove them. What
 * belongs to the person is that of the caller.
 */
async function sampleOf(name: string, caller?: AppCaller): Promise<Record<string, unknown>> {
  const userId = caller?.userId
  if (userId && /^(?:passkey|factor|identity|address|ownership)\./.test(name))
    await dropFactors(userId)
  const isHandOver = name === 'webhook.hand_over'
  const role = isHandOver ? 'admin' : 'viewer'
  const member_id = await newMember(testbed.db, { businesses: [own.id], role })
  const { sample } = appLines[name] as AppLine
  if (name === 'business.close' && caller) return closableBy(caller)
  const invitation_id = formatId('invitation', await newInvitation(own.id, member_id))
  // A business has a limited number of keys.
  const isOfKey = name.startsWith('key.') || isHandOver
  const key_id = isOfKey ? formatId('connection', await newKeyOf(own.id, member_id)) : ''
  const { connectionId } = await newGrant(testbed.db, {
    businesses: [own.id],
    userId: userId ?? member_id,
  })
  const made = {
    connection_id: formatId('connection', connectionId),
    mandate_id: name.startsWith('mandate.') ? await newMandateOf(connectionId, member_id) : '',
    proposal_id: name.startsWith('proposal.') ? await newProposalBy(member_id) : '',
    session_id: formatId('session', await newSessionOf(userId ?? member_id)),
    ...(await passkeyFor(name, caller, userId ?? member_id)),
    code: await codeFor(name, caller),
  }
  if (name === 'factor.reset') {
    await testbed.db.run(sql`
      insert into authenticator_apps (user_id, secret, added_at)
      values (${member_id}, '\\x00', now())
    `)
  }
  if (name === 'identity.unlink') {
    await testbed.db.run(sql`
      insert into identities (issuer, subject, user_id, created_at, last_used_at)
      values ('https://login.example', 'ana', ${userId ?? member_id}, now(), now())
      on conflict (issuer, subject) do update set user_id = excluded.user_id
    `)
  }
  if (name === 'ownership.answer') {
    await testbed.db.run(sql`
      insert into ownership_offers (business_id, from_user, to_user, offered_at, expires_at)
      values (${own.id}, ${userId ?? member_id}, ${member_id}, now(), now() + interval '1 day')
      on conflict (business_id) do update set from_user = excluded.from_user
    `)
  }
  const isOfPerson = appCatalog.some(
    (operation) => operation.name === name && operation.reach === 'person',
  )
  return {
    ...(!isOfPerson && { business_id: own.business_id }),
    ...sample({ ...own, member_id, invitation_id, key_id, ...made }),
  }
}

/** A business of its own, in which the caller has the role that they have in the other. */
async function closableBy({ userId }: AppCaller) {
  const { db } = testbed
  const { role } = await db.one<{ role: Role }>(sql`
    select role from memberships where business_id = ${own.id} and user_id = ${userId}
  `)
  const id = await testbed.newBusiness('scale')
  await db.tx((tx) => addMember(tx, id, { userId, role, now: new Date() }))
  const { name } = await db.one<{ name: string }>(sql`select name from businesses where id = ${id}`)
  return { business_id: formatId('business', id), name }
}

type AppCaller = Awaited<ReturnType<typeof testbed.appCaller>>

/** A passkey of the person, and what a browser of theirs answers when it is asked for one. */
async function passkeyFor(name: string, caller: AppCaller | undefined, userId: Id<'user'>) {
  if (!name.startsWith('passkey.')) return { passkey_id: '', credential: '' }
  const { appUrl } = testbed.service.config
  const authenticator = createAuthenticator({ origin: new URL(appUrl).origin })
  const askFor = async (asking: AppCaller, purpose: 'add' | 'confirm') => {
    const { options } = await asking.get<{ options: string }>('passkey.start', { purpose })
    return JSON.parse(options)
  }
  if (caller && name === 'passkey.add') {
    return { passkey_id: '', credential: authenticator.make(await askFor(caller, 'add')) }
  }
  const id = newId('passkey')
  await testbed.db.tx((tx) =>
    insertPasskey(tx, { id, userId, name: 'Phone', now: new Date(), ...authenticator.made() }),
  )
  const credential =
    caller && name === 'passkey.confirm'
      ? authenticator.use(await askFor(caller, 'confirm'), { userHandle: handleOf(userId) })
      : ''
  // Who has a factor proves one before they change any.
  await prove(userId)
  return { passkey_id: formatId('passkey', id), credential }
}

/** A person has few passkeys, and who has a factor proves one to change any. */
async function dropFactors(userId: Id<'user'>) {
  await testbed.db.run(sql`delete from passkeys where user_id = ${userId}`)
  await testbed.db.run(sql`delete from authenticator_apps where user_id = ${userId}`)
}

const prove = (userId: Id<'user'>) =>
  testbed.db.run(sql`
    update sessions set proven_at = now(), proven_by = 'passkey' where user_id = ${userId}
  `)

/** A code of an authenticator app that the caller has just set up, and added where that is needed. */
async function codeFor(name: string, caller: AppCaller | undefined): Promise<string> {
  if (!caller || !name.startsWith('factor.')) return ''
  const { userId } = caller
  if (name === 'factor.list' || name === 'factor.start') return ''
  const { secret } = await caller.get<{ secret: string }>('factor.start', {})
  const code = (ago: number) => codeAt(bytesOf(secret), new Date(Date.now() + ago))
  if (name === 'factor.add') return code(0)
  await testbed.db.run(sql`
    update authenticator_apps set secret = new_secret, added_at = now() where user_id = ${userId}
  `)
  await prove(userId)
  return code(0)
}

async function newSessionOf(userId: Id<'user'>) {
  const now = new Date()
  const token = await startSession(testbed.db, userId, now)
  const found = await readSession(testbed.db, token, now)
  return found?.session.id as Id<'session'>
}

async function newProposalBy(userId: Id<'user'>) {
  const id = newId('proposal')
  await testbed.db.run(sql`
    insert into proposals (business_id, id, batch_id, contact_id, kind, subject, body, state,
      user_id, proposed_at)
    values (${own.id}, ${id}, ${parseId('batch', own.batch_id)}, ${parseId('contact', own.contact_id)},
      'transactional', 'An idea', 'A text', 'waiting', ${userId}, now())
  `)
  return formatId('proposal', id)
}

async function newMandateOf(connectionId: Id<'connection'>, userId: Id<'user'>) {
  const id = newId('mandate')
  const now = new Date()
  const terms = {
    goal: 'News',
    filter: null,
    people_per_week: 10,
    hours: { from: '00:00', to: '24:00' },
    tone: null,
    never_words: [],
    link_hosts: [],
    template_ids: [],
    sender: 'shop@example.com',
  }
  await testbed.db.run(sql`
    insert into mandates (business_id, id, connection_id, terms, signed_by, signed_at, ends_at)
    values (${own.id}, ${id}, ${connectionId}, ${JSON.stringify(terms)}, ${userId}, ${now},
      ${new Date(now.getTime() + 86_400_000)})
  `)
  return formatId('mandate', id)
}

async function newKeyOf(businessId: Id<'business'>, userId: Id<'user'>) {
  const { key } = await newApiKey(testbed.db, { businessId, userId })
  return key.id
}

async function newInvitation(businessId: Id<'business'>, userId: Id<'user'>) {
  const id = newId('invitation')
  const now = new Date()
  await testbed.db.run(sql`
    insert into invitations (business_id, id, email, role, invited_by, created_at, expires_at)
    values (${businessId}, ${id}, ${`${id}@example.com`}, 'viewer', ${userId}, ${now},
      ${new Date(now.getTime() + 86_400_000)})
  `)
  return id
}

test('exactly the operations of the app are marked as app-only', () => {
  assert.deepEqual(Object.keys(appLines).toSorted(), appCatalog.map(({ name }) => name).toSorted())
  for (const { name, appOnly } of appCatalog) assert.equal(appOnly, true, name)
  for (const { name, appOnly } of catalog) assert.equal(appOnly, undefined, name)
  const names = [...catalog, ...appCatalog].map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})

test('no operation that changes data has a GET route', () => {
  for (const operation of [...catalog, ...appCatalog]) {
    for (const { method } of routesOf(operation)) {
      assert.ok(method !== 'GET' || operation.hints.readOnly, operation.name)
    }
  }
})

for (const role of roles) {
  test(`a signed-in ${role} may do exactly what the tables allow in the app`, async () => {
    const caller = await testbed.appCaller({ businesses: [own.id], role })
    // Each sample makes a key, and a business has a limited number of them.
    await testbed.db.run(sql`update connections set revoked_at = now() where role is not null`)
    for (const { name, role: least, alsoFor } of [...catalog, ...appCatalog]) {
      const { business_id } = own
      const inTable = lines[name]
      const input = inTable ? { business_id, ...inTable.sample(own) } : await sampleOf(name, caller)
      const before = await fingerprint(testbed.db)
      const { status, kind, body, text } = await caller.call(name, input)
      const decisions = ['campaign.decide', 'sequence.decide', 'feed.decide']
      const isDecision = decisions.includes(name)
      const isAllowedBesides = role === 'approver' && isDecision
      assert.equal(alsoFor, isDecision ? 'approver' : undefined, name)
      if (roles.indexOf(role) >= roles.indexOf(least) || isAllowedBesides) {
        assert.equal(kind, 'answer', `${name}: ${text}`)
        continue
      }
      assert.deepEqual([status, body['code'], body['role']], [403, 'role_required', least], name)
      assert.deepEqual(await fingerprint(testbed.db), before)
    }
  })
}

test('keys, exports, mandates, businesses, members and passkeys need a sign-in of the last 15 minutes in the app, but no connection does', async () => {
  const guarded = [...catalog, ...appCatalog].filter(({ freshSignIn }) => freshSignIn !== undefined)
  assert.deepEqual(guarded.map(({ name }) => name).toSorted(), [
    'address.change',
    'audit.export',
    'business.close',
    'business.create',
    'company.remove',
    'company.save',
    'contact.export',
    'export.create',
    'factor.accept',
    'factor.add',
    'factor.codes',
    'factor.remove',
    'factor.require',
    'factor.reset',
    'identity.unlink',
    'key.create',
    'key.take_over',
    'mandate.sign',
    'member.release',
    'member.remove',
    'member.save',
    'operator.set_tier',
    'ownership.answer',
    'ownership.offer',
    'passkey.add',
    'passkey.remove',
  ])
  const caller = await testbed.appCaller({ businesses: [own.id] })
  // The first call starts the session.
  await caller.call('member.list', { business_id: own.business_id })
  const signedIn = (ago: number) =>
    testbed.db.run(sql`
      update sessions set created_at = ${new Date(Date.now() - ago)}, proven_at = null
      where user_id = ${caller.userId}
    `)
  const inputOf = async (name: string) => {
    const { business_id } = own
    const line = lines[name]
    return line ? { business_id, ...line.sample(own) } : sampleOf(name, caller)
  }
  await signedIn(minutes(15))
  for (const { name } of guarded) {
    const input = await inputOf(name)
    // A sample may have proven the session.
    await signedIn(minutes(15))
    const before = await fingerprint(testbed.db)
    const { status, body } = await caller.call(name, input)
    assert.deepEqual([status, body['code']], [401, 'unauthorized'], name)
    assert.deepEqual(body['fix'], { url: `${testbed.service.config.appUrl}/login` })
    assert.deepEqual(await fingerprint(testbed.db), before, name)
  }
  await signedIn(minutes(14))
  // The samples made keys, and a business has a limited number of them.
  await testbed.db.run(sql`update connections set revoked_at = now() where role is not null`)
  for (const { name } of guarded) {
    assert.equal((await caller.call(name, await inputOf(name))).kind, 'answer', name)
  }
  const rest = await testbed.restCaller({ businesses: [own.id] })
  assert.equal((await rest.call('export.create', await inputOf('export.create'))).kind, 'answer')
})

test('a token with every scope of an owner cannot call any app-only operation', async () => {
  const grant = { businesses: [own.id] }
  const [rest, tools] = [await testbed.restCaller(grant), await testbed.caller(grant)]
  for (const { name } of appCatalog) {
    const input = await sampleOf(name)
    const before = await fingerprint(testbed.db)
    const refused = await rest.call(name, input)
    assert.deepEqual([refused.status, refused.body['code']], [403, 'role_required'], name)
    assert.equal(refused.headers.get('www-authenticate'), null, 'no step-up leads there')
    assert.deepEqual(refused.body['fix'], { url: testbed.service.config.appUrl })
    const asTool = await tools.call(name, input)
    assert.match(asTool.text, /-32602|nknown tool/)
    assert.deepEqual(await fingerprint(testbed.db), before)
  }
})

test('no app-only operation is a tool, in capabilities, OpenAPI, llms.txt or the search', async () => {
  const caller = await testbed.caller({ businesses: [own.id] })
  const { text: list } = await caller.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
  const { url } = testbed.service
  const read = async (path: string) => (await fetch(url + path)).text()
  const pages = await Promise.all(['/openapi.json', '/llms.txt', '/docs/search.json'].map(read))
  const shown = [list, JSON.stringify(await caller.get('meta.capabilities')), ...pages]
  assert.ok(shown.every((text) => text.includes('business.list')))
  for (const { name } of appCatalog) {
    for (const spelt of [name, name.replace('.', '_')]) {
      assert.ok(!shown.some((text) => text.includes(spelt)), name)
    }
  }
})

test('a request from another site with the session cookie changes nothing', async () => {
  const caller = await testbed.appCaller({ businesses: [own.id] })
  const fine = JSON.stringify({ business_id: own.business_id, email: 'csrf@example.com' })
  const before = await fingerprint(testbed.db)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    // Loopback pages may call with a token, but only our own pages with a session.
    { origin: 'http://localhost:1' },
    { origin: testbed.service.url.replace('localhost', '127.0.0.1') },
    { origin: `${testbed.service.url}.evil.example` },
  ]) {
    for (const [method, path, body] of [
      ['PUT', '/v1/contacts', fine],
      ['PUT', '/v1/members', fine],
      ['GET', '/v1/contacts', undefined],
    ] as const) {
      const answer = await caller.send(method, path, { headers, ...(body && { body }) })
      assert.deepEqual([answer.status, answer.body['code']], [403, 'forbidden_origin'], path)
    }
  }
  assert.deepEqual(await fingerprint(testbed.db), before)
})

test('a session request that changes data needs an Origin, and a same-site read does not', async () => {
  const cookie = await cookieOf(own)
  const ask = async (method: string, headers: Record<string, string>) => {
    const path = method === 'GET' ? `/v1/contacts?business_id=${own.business_id}` : '/v1/contacts'
    const body = JSON.stringify({ business_id: own.business_id, email: 'origin@example.com' })
    const typed = { cookie, 'content-type': 'application/json', ...headers }
    const init = { method, headers: typed, ...(method !== 'GET' && { body }) }
    return (await fetch(testbed.service.url + path, init)).status
  }
  assert.equal(await ask('PUT', {}), 403)
  assert.equal(await ask('PUT', { 'sec-fetch-site': 'same-origin' }), 403)
  assert.equal(await ask('PUT', { origin: testbed.service.url }), 200)
  assert.equal(await ask('GET', {}), 200)
  assert.equal(await ask('GET', { 'sec-fetch-site': 'same-origin' }), 200)
  assert.equal(await ask('GET', { 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await ask('GET', { 'sec-fetch-site': 'same-site' }), 403)
})

test('the tool endpoint accepts no session', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const headers = { cookie: await cookieOf(own), origin: testbed.service.url }
  const typed = { ...headers, 'content-type': 'application/json' }
  const answer = await fetch(testbed.service.endpoint, { method: 'POST', headers: typed, body })
  assert.equal(answer.status, 401)
})

test('an ended or invalid session gets 401, and a token beside a session takes precedence', async () => {
  const cookie = await cookieOf(own)
  const ask = (headers: Record<string, string>) =>
    fetch(`${testbed.service.url}/v1/businesses`, { headers })
  assert.equal((await ask({ cookie })).status, 200)
  assert.equal((await ask({ cookie, authorization: 'Bearer none' })).status, 401)
  await testbed.db.run(sql`update sessions set expires_at = ${new Date()}`)
  assert.equal((await ask({ cookie })).status, 401)
  assert.equal((await ask({ cookie: 'crier-session=x; other=y' })).status, 401)
})

test('what a user does in the app is audited under their name', async () => {
  const caller = await testbed.appCaller({ businesses: [own.id] })
  const email = 'new-colleague@example.com'
  const { invitation_id } = await caller.get<{ invitation_id: string }>('member.save', {
    email,
    role: 'editor',
  })
  const [entry] = await testbed.db.all(sql`
    select action, user_id is not null as person, connection_id, call_id is not null as call
    from audit_entries where subject = ${invitation_id}
  `)
  assert.deepEqual(entry, {
    action: 'member.invite',
    person: true,
    connection_id: null,
    call: true,
  })
})

async function cookieOf({ id }: Belongings): Promise<string> {
  return `crier-session=${await testbed.newSession({ businesses: [id] })}`
}
