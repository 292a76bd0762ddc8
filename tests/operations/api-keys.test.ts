/** API keys at both entry points of the service: who may make one, its rights, and its end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { createLog } from 'crier-server/lib/process/log.ts'
import { minutes } from 'crier-server/lib/time/clock.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newMember } from '../support/clients/grants.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { type EntryCaller, toolCaller } from '../support/clients/tool-caller.ts'
import { eventually } from '../support/time/eventually.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
const logged: string[] = []
before(async () => {
  const log = createLog('debug', { write: (line: string) => void logged.push(line) })
  testbed = await openTestbed({ log })
})
after(() => testbed.close())

/** Callers for both entry points, with the same key. */
function callersWith(secret: string): EntryCaller[] {
  const { endpoint, config } = testbed.service
  const key = async () => secret
  return [toolCaller(endpoint, key), restCaller(config.gatewayUrl, catalog, key)]
}

async function keyOf(options: Omit<Parameters<typeof newApiKey>[1], 'businessId'> = {}) {
  const businessId = await testbed.newBusiness()
  const made = await newApiKey(testbed.db, { businessId, ...options })
  return { ...made, businessId, callers: callersWith(made.secret) }
}

test('an API key is a bearer token at both entry points and reaches only its own business', async () => {
  const { callers, businessId } = await keyOf()
  await testbed.newBusiness()
  for (const caller of callers) {
    const { businesses } = await caller.get<{ businesses: object[] }>('business.list')
    const ids = businesses.map((business) => (business as { business_id: string }).business_id)
    assert.deepEqual(ids, [formatId('business', businessId)])
    await caller.get('contact.upsert', { email: 'a-key@example.com' })
  }
})

test('an API key cannot distinguish another business from one that does not exist', async () => {
  const { callers } = await keyOf()
  const other = await testbed.newBusiness()
  const { secret: _other, key } = await newApiKey(testbed.db, { businessId: other })
  for (const caller of callers) {
    const answers = await Promise.all(
      [other, newId('business')].map(async (id) => {
        const business_id = formatId('business', id)
        const { status, body } = await caller.call('contact.list', { business_id })
        const { request_id: _own, ...said } = body
        return JSON.stringify([status, said]).replaceAll(business_id, 'bus_…')
      }),
    )
    assert.equal(answers[0], answers[1])
    assert.match(answers[0] ?? '', /"not_found"/)
  }
  const admin = await testbed.appCaller({ businesses: [await testbed.newBusiness()] })
  for (const id of [key.id, newId('connection')]) {
    const refused = await admin.call('key.revoke', { key_id: formatId('connection', id) })
    assert.equal(refused.status, 404)
  }
})

test('a revoked API key is refused at the next call, at both entry points', async () => {
  const { callers, businessId, key } = await keyOf()
  for (const caller of callers) await caller.get('business.list')
  const owner = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  await owner.get('key.revoke', { key_id: formatId('connection', key.id) })
  for (const caller of callers) {
    const { status, body } = await caller.call('business.list')
    assert.deepEqual([status, body['code']], [401, 'unauthorized'])
  }
  const { keys } = await owner.get<{ keys: object[] }>('key.list')
  assert.deepEqual(keys, [])
})

test('an API key has its own role and scopes, and never more rights than its maker', async () => {
  const businessId = await testbed.newBusiness()
  const userId = await newMember(testbed.db, { businesses: [businessId], role: 'admin' })
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const { secret } = await newApiKey(testbed.db, { businessId, userId, role: 'editor' })
  const few = await newApiKey(testbed.db, { businessId, userId, scopes: ['meta:read'] })
  const [caller] = callersWith(secret) as [EntryCaller]
  const form = { name: 'Newsletter', fields: [{ key: 'email', label: 'Email', type: 'email' }] }
  const roleNow = async () => {
    const { businesses } = await caller.get<{ businesses: { role: string }[] }>('business.list')
    return businesses[0]?.role
  }
  assert.equal(await roleNow(), 'editor')
  await caller.get('form.save', form)
  assert.equal((await caller.call('domain.add', { domain: 'shop.example' })).body['role'], 'admin')
  const [lacking] = callersWith(few.secret) as [EntryCaller]
  const refused = await lacking.call('form.list')
  assert.deepEqual([refused.status, refused.body['code']], [403, 'scope_required'])
  assert.match(refused.text, /API key/)
  const email = `${userId}@example.com`
  await owner.get('member.save', { email, role: 'viewer' })
  assert.equal(await roleNow(), 'viewer', 'at the next call')
  assert.equal((await caller.call('form.save', form)).body['code'], 'role_required')
})

test('an API key ends when its maker leaves or is removed, and the owners get a mail naming it', async () => {
  for (const way of ['leave', 'remove'] as const) {
    const businessId = await testbed.newBusiness()
    const owner = await testbed.appCaller({ businesses: [businessId] })
    const ownerEmail = (await member(businessId, 'owner')).email
    const maker = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
    const { id: userId } = await member(businessId, 'admin')
    const name = `Till ${businessId}`
    const { secret } = await newApiKey(testbed.db, { businessId, userId, name })
    const callers = callersWith(secret)
    for (const caller of callers) await caller.get('business.list')
    // The mail is in the language of the business.
    const isGerman = way === 'remove'
    if (isGerman) {
      await testbed.db.run(sql`update businesses set language = 'de-AT' where id = ${businessId}`)
    }
    if (way === 'remove') await owner.get('member.remove', { user_id: formatId('user', userId) })
    else await maker.get('member.leave')
    for (const caller of callers) {
      assert.equal((await caller.call('business.list')).status, 401, way)
    }
    const mail = await eventually(
      () => mailTo(ownerEmail),
      (found) => found !== undefined,
    )
    assert.match(
      mail?.text ?? '',
      new RegExp(`${userId}.*${isGerman ? 'kein Mitglied von' : 'no longer a member'}`, 's'),
    )
    assert.ok(mail?.text.includes(name))
    assert.match(mail?.text ?? '', new RegExp(`${formatId('business', businessId)}/keys`))
    // A member who comes back does not get the key back.
    await testbed.db.run(sql`
      insert into memberships (business_id, user_id, role, created_at)
      values (${businessId}, ${userId}, 'owner', ${new Date()})
    `)
    assert.equal((await callers[0]?.call('business.list'))?.status, 401)
  }
})

test('an API key is refused after it expires and outside its networks', async () => {
  const expired = await keyOf({ expiresAt: new Date(Date.now() - 1000) })
  const elsewhere = await keyOf({ networks: ['203.0.113.0/24', '2001:db8::/32'] })
  const here = await keyOf({ networks: ['203.0.113.0/24', '127.0.0.0/8'] })
  for (const [{ callers }, words] of [
    [expired, /expired/],
    [elsewhere, /network/],
  ] as const) {
    for (const caller of callers) {
      const { status, body } = await caller.call('business.list')
      assert.deepEqual([status, body['code']], [401, 'unauthorized'])
      assert.match(String(body['message']), words)
    }
  }
  for (const caller of here.callers) await caller.get('business.list')
})

test('an API key sent with a session cookie gets 400, and no web page may read its responses', async () => {
  const { secret, businessId } = await keyOf()
  const session = await testbed.newSession({ businesses: [businessId] })
  const { url, endpoint } = testbed.service
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const ask = (headers: Record<string, string>) => {
    const all = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      ...headers,
    }
    return Promise.all([
      fetch(`${url}/v1/businesses`, { headers: all }),
      fetch(endpoint, { method: 'POST', headers: all, body: list }),
    ])
  }
  for (const answer of await ask({ cookie: `crier-session=${session}` })) {
    assert.equal(answer.status, 400)
    assert.equal(((await answer.json()) as { code: string }).code, 'invalid_request')
  }
  for (const answer of await ask({ cookie: 'other=1' })) assert.equal(answer.status, 200)
  for (const answer of await ask({ origin: url })) {
    assert.equal(answer.status, 200)
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))
    assert.deepEqual(names, [])
  }
})

test('an API key is created only after a fresh sign-in, with at most its maker’s rights', async () => {
  const businessId = await testbed.newBusiness()
  const admin = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  const [first, above] = await Promise.all([
    admin.call('key.create', { name: 'Shop' }),
    admin.call('key.create', { name: 'Shop', role: 'owner' }),
  ])
  assert.equal(first.status, 201)
  assert.match(String(first.body['key']), /^crk_[\w-]{43}$/)
  assert.deepEqual(first.body['scopes'], ['meta:read', 'forms:read', 'audience:read'])
  assert.deepEqual([first.body['may_send'], first.body['recipients_per_day']], [false, 1000])
  assert.deepEqual([above.status, above.body['role']], [403, 'admin'])
  for (const [allowed_networks, status] of [
    [['203.0.113.7', '2001:db8::/32'], 201],
    [['nowhere'], 400],
    [['203.0.113.0/33'], 400],
  ] as const) {
    const made = await admin.call('key.create', { name: 'Shop', allowed_networks })
    assert.equal(made.status, status, allowed_networks[0])
  }
  const past = { name: 'Shop', expires_at: '2020-01-01T00:00:00Z' }
  assert.equal((await admin.call('key.create', past)).body['field'], 'expires_at')
  const ago = (ms: number) => new Date(Date.now() - ms)
  await testbed.db.run(sql`update sessions set created_at = ${ago(minutes(14))}`)
  assert.equal((await admin.call('key.create', { name: 'Shop' })).status, 201)
  await testbed.db.run(sql`update sessions set created_at = ${ago(minutes(15))}`)
  const stale = await admin.call('key.create', { name: 'Shop' })
  assert.deepEqual([stale.status, stale.body['code']], [401, 'unauthorized'])
  assert.match(stale.text, /Sign in again/)
})

test('no log, table or error contains an API key', async () => {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const input = { name: 'Shop', scopes: ['messaging:send'], idempotency_key: 'make-one' }
  const made = await owner.get<{ key: string; key_id: string }>('key.create', input)
  const again = await owner.call('key.create', input)
  assert.equal(again.status, 409)
  const texts = [again.text]
  for (const caller of callersWith(made.key)) {
    await caller.get('email.send', { to: `${made.key_id}@example.com`, subject: 'A', text: 'B' })
    texts.push((await caller.call('contact.list')).text)
    texts.push((await caller.call('email.send', { to: 1 })).text)
  }
  for (const caller of callersWith(`${made.key.slice(0, -1)}x`)) {
    const unknown = await caller.call('business.list')
    assert.equal(unknown.status, 401)
    texts.push(unknown.text)
  }
  const tables = await testbed.db.all<{ name: string }>(sql`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
  `)
  for (const { name } of tables) {
    const text = `select coalesce(string_agg(t::text, ' '), '') as rows from ${name} t`
    const { rows } = await testbed.db.one<{ rows: string }>({ name: '', text, values: [] })
    texts.push(rows)
  }
  const secret = made.key.slice('crk_'.length)
  const hex = Buffer.from(secret).toString('hex')
  for (const text of [...texts, ...logged]) {
    assert.ok(!text.includes(secret) && !text.includes(hex), text.slice(0, 200))
  }
  assert.ok(logged.length > 0)
})

function member(businessId: Id<'business'>, role: string) {
  return testbed.db.one<{ id: Id<'user'>; email: string }>(sql`
    select u.id, u.email from memberships m join users u on u.id = m.user_id
    where m.business_id = ${businessId} and m.role = ${role}
  `)
}

function mailTo(email: string): Promise<{ text: string } | undefined> {
  return testbed.db.maybe(sql`
    select body_text as text from inbox_messages where recipient = ${email}
  `)
}

test('a revoked key’s webhook goes on with whom it is handed to, and names holders without members’ addresses', async () => {
  const { secret, key, businessId } = await keyOf({ name: 'Old shop' })
  const [caller] = callersWith(secret) as [EntryCaller]
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const admin = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  const { webhook_id } = await caller.get<{ webhook_id: string }>('webhook.save', {
    url: 'https://shop.example/hook',
    events: ['contact.created'],
  })
  type Seen = { status: string; holder: Record<string, string | null> }
  const seen = (by: EntryCaller | typeof owner) => by.get<Seen>('webhook.get', { webhook_id })
  const key_id = formatId('connection', key.id)
  assert.deepEqual((await seen(owner)).holder, {
    kind: 'key',
    holder_id: key_id,
    name: 'Old shop',
    email: null,
  })
  await owner.get('key.revoke', { key_id })
  assert.equal((await seen(owner)).status, 'paused')

  const key2 = await newApiKey(testbed.db, { businessId, name: 'New shop' })
  const handOver = (holder_id: string) => owner.call('webhook.hand_over', { webhook_id, holder_id })
  const idOf = ({ key }: { key: { id: Id<'connection'> } }) => formatId('connection', key.id)
  const elsewhere = await keyOf()
  const viewer = await newMember(testbed.db, { businesses: [businessId], role: 'viewer' })
  const sightless = await newApiKey(testbed.db, { businessId, scopes: ['provisioning:write'] })
  const unfit = await newApiKey(testbed.db, { businessId, scopes: ['audience:read'] })
  for (const [id, status, reason] of [
    [key_id, 404, 'no_such_holder'],
    [idOf(elsewhere), 404, 'no_such_holder'],
    [idOf(await newApiKey(testbed.db, { businessId, isTest: true })), 404, 'no_such_holder'],
    [formatId('user', newId('user')), 404, 'no_such_holder'],
    [formatId('user', viewer), 400, 'holder_role'],
    [idOf(await newApiKey(testbed.db, { businessId, role: 'editor' })), 400, 'holder_role'],
    [idOf(sightless), 400, 'holder_scopes'],
    [idOf(unfit), 400, 'holder_scopes'],
  ] as const) {
    const { status: answered, body } = await handOver(id)
    const told = body['reason'] ?? JSON.stringify(body)
    assert.deepEqual([answered, told], [status, reason], id)
  }
  const taken = (await handOver(idOf(key2))).body as unknown as Seen
  assert.deepEqual([taken.status, taken.holder['name']], ['active', 'New shop'])

  // A person keeps it going, and no program learns their address.
  const { members } = await admin.get<{
    members: { user_id: string; is_you: boolean; email: string }[]
  }>('member.list')
  const me = members.find(({ is_you }) => is_you)
  assert.ok(me)
  await owner.get('webhook.hand_over', { webhook_id, holder_id: me.user_id })
  const person = { kind: 'person', holder_id: me.user_id }
  assert.deepEqual((await seen(owner)).holder, { ...person, name: null, email: me.email })
  for (const program of callersWith(key2.secret)) {
    const answer = await program.get<{ webhooks: Seen[] }>('webhook.list', {
      view: 'full',
    })
    const { name, email, ...holder } = answer.webhooks[0]?.holder ?? {}
    assert.deepEqual([holder, name ?? null, email ?? null], [person, null, null])
    assert.ok(!JSON.stringify(answer).includes(me.email))
  }
  // No program hands one over.
  const refused = await fetch(`${testbed.service.url}/v1/webhooks/${webhook_id}/hand-over`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key2.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ holder_id: idOf(key2) }),
  })
  assert.equal(refused.status, 403)
  assert.deepEqual((await seen(owner)).holder, { ...person, name: null, email: me.email })
})
