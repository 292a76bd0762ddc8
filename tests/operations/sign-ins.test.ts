/** What people see and end of their own sign-ins: browsers and connected apps. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readSession, startSession } from 'crier-server/accounts/sign-in/session.ts'
import { formatId } from 'crier-server/core/ids.ts'
import { recordAudit } from 'crier-server/events/audit.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { principalsOf } from 'crier-server/oauth/connections/principals.ts'
import { connectApp } from '../support/clients/connected-app.ts'
import { type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

const signedIn = async (names = 1) => {
  const businesses = await Promise.all(Array.from({ length: names }, () => testbed.newBusiness()))
  return { businesses, person: await testbed.appCaller({ businesses }) }
}

const edge =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'

interface SessionsListed {
  sessions: { session_id: string; is_this: boolean; [field: string]: unknown }[]
}

test('a session is listed with the browser, system and address of its sign-in', async () => {
  const { person } = await signedIn()
  await person.get('session.list')
  const at = new Date(Date.now() - 3_600_000)
  await startSession(testbed.db, person.userId, at, { agent: edge, address: '203.0.113.9' })
  const { sessions } = await person.get<SessionsListed>('session.list')
  assert.deepEqual(
    sessions.map(({ is_this, browser, system, address }) => [is_this, browser, system, address]),
    [
      [true, null, null, null],
      [false, 'Edge', 'Windows', '203.0.113.9'],
    ],
  )
  assert.equal(sessions[1]?.['signed_in_at'], at.toISOString())
})

test('only 500 characters of a browser’s own description are stored', async () => {
  const { person } = await signedIn()
  await person.get('session.list')
  const long = { agent: 'x'.repeat(501), address: null }
  const token = await startSession(testbed.db, person.userId, new Date(), long)
  const found = await readSession(testbed.db, token, new Date())
  const row = await testbed.db.one<{ agent: string }>(
    sql`select agent from sessions where id = ${found?.session.id ?? null}`,
  )
  assert.equal(row.agent.length, 500)
})

test('one session is ended, or all others, and never another person’s', async () => {
  const [{ person }, { person: stranger }] = [await signedIn(), await signedIn()]
  const { sessions } = await person.get<SessionsListed>('session.list')
  const [own] = sessions
  assert.ok(own)
  const foreign = await stranger.call('session.end', { session_id: own.session_id })
  assert.deepEqual([foreign.status, foreign.body['code']], [404, 'not_found'])
  const neither = await person.call('session.end', {})
  const both = await person.call('session.end', { session_id: own.session_id, others: true })
  for (const { status, body } of [neither, both]) {
    assert.deepEqual([status, body['code'], body['field']], [400, 'invalid_request', 'session_id'])
  }
  const tokens = [1, 2].map(() => startSession(testbed.db, person.userId, new Date()))
  const [first = '', second = ''] = await Promise.all(tokens)
  const found = await readSession(testbed.db, first, new Date())
  assert.ok(found)
  const session_id = formatId('session', found.session.id)
  assert.deepEqual(await person.get('session.end', { session_id }), { ended: 1 })
  assert.equal((await person.call('session.end', { session_id })).status, 404)
  assert.deepEqual(await person.get('session.end', { others: true }), { ended: 1 })
  assert.equal(await readSession(testbed.db, second, new Date()), undefined)
  assert.equal((await person.get<SessionsListed>('session.list')).sessions.length, 1)
  assert.equal((await stranger.get<SessionsListed>('session.list')).sessions.length, 1)
})

interface ConnectionsListed {
  connections: { connection_id: string; [field: string]: unknown }[]
  next_cursor?: string
}

test('connections are listed page by page, each with its name', async () => {
  const { businesses, person } = await signedIn(2)
  const { userId } = person
  for (const clientName of ['First', 'Second', 'Third']) {
    await connectApp(testbed.db, { userId, businesses, clientName, scopes: ['meta:read'] })
  }
  const page = await person.get<ConnectionsListed>('connection.list', { limit: 2 })
  assert.deepEqual(
    page.connections.map(({ name }) => name),
    ['Third', 'Second'],
  )
  const { next_cursor: cursor } = page
  const rest = await person.get<ConnectionsListed>('connection.list', { limit: 2, cursor })
  assert.equal(rest.next_cursor ?? undefined, undefined)
  const [oldest, ...none] = rest.connections
  assert.equal(none.length, 0)
  assert.ok(oldest)
  const { connection_id: _id, created_at: _at, businesses: reached, ...more } = oldest
  assert.equal((reached as object[]).length, 2)
  assert.deepEqual(more, {
    name: 'First',
    redirect_host: 'claude.ai',
    scopes: ['meta:read'],
    withheld_scopes: [],
    recipients_per_day: null,
    transactional_per_day: null,
    transactional_last_day: 0,
    recipients_last_day: 0,
    sees: 'full',
    takes_data_out: true,
    last_used_at: null,
    late_reuses: { times: 0, last_at: null },
    code_reuses: { times: 0, last_at: null },
  })
})

test('a revocation is audited in each business that the connection reached, and nobody else can revoke', async () => {
  const { businesses, person } = await signedIn(2)
  const { person: stranger } = await signedIn()
  const { userId } = person
  const { connectionId } = await connectApp(testbed.db, { userId, businesses })
  const connection_id = formatId('connection', connectionId)
  const foreign = await stranger.call('connection.revoke', { connection_id })
  assert.deepEqual([foreign.status, foreign.body['code']], [404, 'not_found'])
  assert.equal((await person.call('connection.revoke', { connection_id })).status, 204)
  const again = await person.call('connection.revoke', { connection_id })
  assert.deepEqual([again.status, again.body['field']], [404, 'connection_id'])
  const entries = await testbed.db.all<{ business_id: string; user_id: string }>(sql`
    select business_id, user_id from audit_entries
    where action = 'connection.revoke' and subject = ${connection_id} order by business_id
  `)
  assert.deepEqual(
    entries,
    businesses.toSorted().map((business_id) => ({ business_id, user_id: userId })),
  )
})

test('an operation on a person’s own sign-ins accepts no business', async () => {
  const { businesses, person } = await signedIn()
  const business_id = formatId('business', businesses[0] ?? ('' as never))
  const refused = await person.call('session.list', { business_id })
  assert.deepEqual([refused.status, refused.body['field']], [400, 'business_id'])
})

test('a connection is limited to reading and to some of its businesses, from the next call on', async () => {
  const { businesses, person } = await signedIn(2)
  const { userId } = person
  const grant = await connectApp(testbed.db, { userId, businesses })
  const connection_id = formatId('connection', grant.connectionId)
  const [first = '', second = ''] = businesses.map((id) => formatId('business', id))
  await person.get('connection.save', { connection_id, read_only: true })
  await person.get('connection.save', { connection_id, business_ids: [second] })
  const { connections } = await person.get<ConnectionsListed>('connection.list')
  const [only] = connections
  assert.ok(only)
  assert.deepEqual(only['scopes'], ['meta:read', 'forms:read', 'audience:read'])
  assert.deepEqual(
    (only['businesses'] as { business_id: string }[]).map((entry) => entry.business_id),
    [second],
  )
  const principal = (await principalsOf(testbed.db, [grant.connectionId])).get(grant.connectionId)
  assert.deepEqual([...(principal?.scopes ?? [])], ['meta:read', 'forms:read', 'audience:read'])
  for (const [input, status, field] of [
    [{}, 400, 'read_only'],
    [{ recipients_per_day: -1 }, 400, 'recipients_per_day'],
    [{ recipients_per_day: 1_000_001 }, 400, 'recipients_per_day'],
    [{ business_ids: [first] }, 400, 'business_ids'],
    [{ business_ids: ['bus_x'] }, 400, 'business_ids'],
  ] as const) {
    const refused = await person.call('connection.save', { connection_id, ...input })
    assert.deepEqual([refused.status, refused.body['field']], [status, field])
  }
  const { person: stranger } = await signedIn()
  const foreign = await stranger.call('connection.save', { connection_id, read_only: true })
  assert.deepEqual([foreign.status, foreign.body['field']], [404, 'connection_id'])
  const entries = await testbed.db.all(sql`
    select details from audit_entries where subject = ${connection_id} order by created_at, id
  `)
  assert.equal(entries.length, 4)
})

test('what a connection was limited to is given back soon after a sign-in, and nothing more', async () => {
  const { businesses, person } = await signedIn()
  const { userId } = person
  const scopes = ['meta:read', 'messaging:send'] as const
  const grant = await connectApp(testbed.db, { userId, businesses, scopes: [...scopes] })
  const connection_id = formatId('connection', grant.connectionId)
  const never = await person.call('connection.save', { connection_id, read_only: false })
  assert.deepEqual([never.status, never.body['field']], [400, 'read_only'])
  await person.get('connection.save', { connection_id, read_only: true, recipients_per_day: 5 })
  await person.get('connection.save', { connection_id, read_only: true })
  const [only] = (await person.get<ConnectionsListed>('connection.list')).connections
  assert.deepEqual(
    [only?.['scopes'], only?.['withheld_scopes'], only?.['recipients_per_day']],
    [['meta:read'], ['messaging:send'], 5],
  )
  await testbed.db.run(sql`
    update sessions set created_at = created_at - interval '16 minutes' where user_id = ${userId}
  `)
  for (const more of [
    { read_only: false },
    { recipients_per_day: 6 },
    { recipients_per_day: null },
  ]) {
    const stale = await person.call('connection.save', { connection_id, ...more })
    assert.deepEqual([stale.status, stale.body['code']], [401, 'unauthorized'])
  }
  await person.get('connection.save', { connection_id, recipients_per_day: 4 })
  await testbed.db.run(sql`update sessions set created_at = now() where user_id = ${userId}`)
  await person.get('connection.save', {
    connection_id,
    read_only: false,
    recipients_per_day: 6,
  })
  const principal = (await principalsOf(testbed.db, [grant.connectionId])).get(grant.connectionId)
  assert.deepEqual([...(principal?.scopes ?? [])], [...scopes])
  assert.equal(principal?.recipientsPerDay, 6)
  assert.equal(principal?.isApiKey, undefined)
})

test('what came last through a connection is shown to its person alone', async () => {
  const { businesses, person } = await signedIn(2)
  const { userId } = person
  const { connectionId } = await connectApp(testbed.db, { userId, businesses })
  const connection_id = formatId('connection', connectionId)
  const [first, second] = businesses
  assert.ok(first && second)
  const entry = { action: 'email.send', origin: { connectionId, userId, callId: '' } }
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute))
  for (let minute = 0; minute < 12; minute++) {
    const businessId = minute % 2 ? first : second
    await testbed.db.tx((tx) => recordAudit(tx, [{ ...entry, businessId }], at(minute)))
  }
  await testbed.db.tx((tx) => recordAudit(tx, [{ businessId: first, action: 'x' }], at(20)))
  const { entries } = await person.get<{ entries: { created_at: string; operation: string }[] }>(
    'connection.activity',
    { connection_id },
  )
  assert.deepEqual(
    entries.map(({ created_at }) => created_at),
    Array.from({ length: 10 }, (_, place) => at(11 - place).toISOString()),
  )
  assert.ok(entries.every(({ operation }) => operation === 'email.send'))
  const { person: stranger } = await signedIn()
  assert.equal((await stranger.call('connection.activity', { connection_id })).status, 404)
})
