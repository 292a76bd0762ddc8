/** What connections and API keys may do: recipients a day, a read-only switch, and their calls. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { type EntryCaller, toolCaller } from '../support/clients/tool-caller.ts'
import { eventually } from '../support/time/eventually.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

/** Callers for both entry points, with the same key. */
function callersWith(secret: string): EntryCaller[] {
  const { endpoint, config } = testbed.service
  const key = async () => secret
  return [toolCaller(endpoint, key), restCaller(config.gatewayUrl, catalog, key)]
}

test('an API key beyond its recipients of the day is refused, and other callers are not', async () => {
  const businessId = await testbed.newBusiness()
  const { secret } = await newApiKey(testbed.db, { businessId, recipientsPerDay: 3 })
  const mailTo = (n: number) => ({ to: `n${n}@example.com`, subject: 'Hello', text: `For ${n}` })
  const [tool, rest] = callersWith(secret) as [EntryCaller, EntryCaller]
  await tool.get('email.send', mailTo(1))
  await rest.get('email.send', mailTo(2))
  const last = await Promise.all([3, 4, 5].map((n) => rest.call('email.send', mailTo(n))))
  assert.deepEqual(
    last.map(({ status }) => status).toSorted((a, b) => a - b),
    [202, 429, 429],
  )
  const refused = last.find(({ status }) => status === 429)
  assert.equal(refused?.body['recipients_per_day'], 3)
  const wait = Number(refused?.headers.get('retry-after'))
  assert.ok(wait > 23 * 3600 && wait <= 24.5 * 3600, `${wait} s`)
  const owner = await testbed.restCaller({ businesses: [businessId] })
  await owner.get('email.send', mailTo(6))
  const none = await newApiKey(testbed.db, { businessId, recipientsPerDay: 0 })
  const asTool = await callersWith(none.secret)[0]?.call('email.send', mailTo(7))
  assert.deepEqual([asTool?.status, asTool?.body['code']], [200, 'rate_limited'])
})

test('a connection has a limit of its own if its person sets one, in each business apart', async () => {
  const businesses = [await testbed.newBusiness(), await testbed.newBusiness()]
  const person = await testbed.appCaller({ businesses })
  const { userId } = person
  const grant = { businesses, userId }
  const tool = await testbed.caller(grant)
  const [first = '', second = ''] = businesses.map((id) => formatId('business', id))
  const [{ connectionId } = { connectionId: null }] = await testbed.db.all<{
    connectionId: Id<'connection'>
  }>(sql`select id as "connectionId" from connections where user_id = ${userId}`)
  assert.ok(connectionId)
  const connection_id = formatId('connection', connectionId)
  const mailTo = (n: number, business_id = first) =>
    tool.call('email.send', {
      business_id,
      to: `c${n}@example.com`,
      subject: 'Hello',
      text: `For ${n}`,
    })
  assert.equal((await mailTo(0)).status, 200)
  await person.get('connection.save', { connection_id, recipients_per_day: 2 })
  for (const [n, business_id] of [
    [1, first],
    [2, first],
    [1, second],
    [2, second],
  ] as const) {
    assert.equal((await mailTo(n, business_id)).status, 200)
  }
  const { body } = await mailTo(3)
  assert.deepEqual(
    [body['code'], body['reason'], body['recipients_per_day'], body['recipients_used']],
    ['rate_limited', 'connection_limit', 2, 2],
  )
  assert.match(String(body['message']), /The person who connected it raises the limit in the app/)
  await person.get('connection.save', { connection_id, recipients_per_day: null })
  assert.equal((await mailTo(3)).status, 200)
})

test('an API key is limited and given more in the app, and shows its latest calls with their outcomes', async () => {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const scopes = ['meta:read', 'messaging:send']
  const made = await owner.get<{ key: string; key_id: string }>('key.create', {
    name: 'Shop',
    scopes,
  })
  const { key_id } = made
  const [, rest] = callersWith(made.key) as [EntryCaller, EntryCaller]
  const mailTo = (n: number) =>
    rest.call('email.send', { to: `k${n}@example.com`, subject: 'Hello', text: `For ${n}` })
  await owner.get('key.save', { key_id, recipients_per_day: 1 })
  const statuses = [(await mailTo(1)).status, (await mailTo(2)).status]
  await owner.get('key.save', { key_id, read_only: true })
  statuses.push((await mailTo(3)).status)
  await owner.get('key.save', { key_id, read_only: false, recipients_per_day: 2 })
  statuses.push((await mailTo(4)).status)
  assert.deepEqual(statuses, [202, 429, 403, 202])
  const { keys } = await owner.get<{ keys: Record<string, unknown>[] }>('key.list')
  assert.partialDeepStrictEqual(keys, [
    { key_id, scopes, withheld_scopes: [], recipients_per_day: 2, recipients_last_day: 2 },
  ])
  const read = () =>
    owner.get<{ calls: { outcome: string; operation: string; request_id: string }[] }>(
      'key.activity',
      { key_id },
    )
  const { calls } = await eventually(read, (answer) => answer.calls.length === 4)
  assert.deepEqual(
    calls.map(({ operation, outcome }) => [operation, outcome]),
    [
      ['email.send', 'ok'],
      ['email.send', 'scope_required'],
      ['email.send', 'rate_limited'],
      ['email.send', 'ok'],
    ],
  )
  assert.ok(calls.every(({ request_id }) => request_id.startsWith('req_')))
  const other = await testbed.appCaller({ businesses: [await testbed.newBusiness()] })
  assert.equal((await other.call('key.activity', { key_id })).status, 404)
  assert.equal((await other.call('key.save', { key_id, read_only: true })).status, 404)
})

/** Of `n` addresses: how many messages in the answers were taken, with refusals' bodies. */
async function sendAll(caller: EntryCaller, words: string, n: number) {
  const answers = await Promise.all(
    Array.from({ length: n }, (_, i) =>
      caller.call('email.send', {
        to: `${words}-${i}@example.com`,
        subject: `${words} ${i}`,
        text: `${words} ${'x'.repeat(i)}`,
      }),
    ),
  )
  const refused = answers.filter(({ kind }) => kind === 'refusal').map(({ body }) => body)
  return { taken: n - refused.length, refused }
}

test('a key’s transactional messages of a day hold at once, by to, cc, bcc, text and batch, and marketing does not count', async () => {
  const businessId = await testbed.newBusiness()
  const limit = { recipientsPerDay: 1_000, transactionalPerDay: 6 }
  const { secret } = await newApiKey(testbed.db, { businessId, ...limit })
  const [tool, rest] = callersWith(secret) as [EntryCaller, EntryCaller]
  const owner = await testbed.restCaller({ businesses: [businessId] })
  const consent = { email: { status: 'subscribed', source: 'a test' } }
  await owner.get('contact.upsert', { email: 'fan@example.com', consent })
  const news = { to: 'fan@example.com', subject: 'News', text: 'News', kind: 'marketing' }
  await rest.get('email.send', news)
  const mail = { subject: 'Receipt', text: 'Thank you' }
  const copied = { ...mail, to: 'a@example.com', cc: ['b@example.com'], bcc: ['c@example.com'] }
  await rest.get('email.send', copied)
  await tool.get('sms.send', { to: '+33612345678', text: 'Your code' })
  const { taken, refused } = await sendAll(rest, 'flood', 8)
  assert.equal(taken, 2, 'six together, however many calls come at once')
  const [body] = refused
  assert.deepEqual(
    [
      body?.['code'],
      body?.['reason'],
      body?.['transactional_per_day'],
      body?.['transactional_used'],
    ],
    ['rate_limited', 'transactional_limit', 6, 6],
  )
  const frees = Date.parse(String(body?.['frees_at'])) - Date.now()
  assert.ok(frees > 23 * 3_600_000 && frees < 25 * 3_600_000, String(body?.['frees_at']))
  const url = `${testbed.service.config.appUrl}/b/${formatId('business', businessId)}/keys`
  assert.deepEqual(body?.['fix'], { url })
  assert.ok(
    String(body?.['message']).includes(
      `An admin of the business raises the limit in the app: ${url}`,
    ),
  )
  const { results } = await rest.get<{ results: { error?: { code: string } }[] }>(
    'email.send_batch',
    { messages: [{ ...mail, to: 'z@example.com' }] },
  )
  assert.equal(results[0]?.error?.code, 'rate_limited')
  await rest.get('email.send', { ...news, text: 'More news' })
  await owner.get('email.send', { ...mail, to: 'z@example.com' })
})

test('a new connection sends to 100 people a day, a new key to 1,000, and those that exist without a limit', async () => {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const made = await owner.get<Record<string, unknown>>('key.create', { name: 'Shop' })
  assert.equal(made['transactional_per_day'], 1_000)
  const { key_id } = made
  await owner.get('key.save', { key_id, transactional_per_day: 5 })
  const { keys } = await owner.get<{ keys: Record<string, unknown>[] }>('key.list')
  assert.deepEqual(
    [keys[0]?.['transactional_per_day'], keys[0]?.['transactional_last_day']],
    [5, 0],
  )
  const own = { name: 'Other', transactional_per_day: null }
  assert.equal(
    (await owner.get<Record<string, unknown>>('key.create', own))['transactional_per_day'],
    null,
  )
  const old = await testbed.caller({ businesses: [businessId], userId: owner.userId })
  assert.equal((await sendAll(old, 'old', 3)).taken, 3)
  const [row] = await testbed.db.all<{ id: Id<'connection'> }>(sql`
    select id from connections where user_id = ${owner.userId} and client_id is not null
  `)
  assert.ok(row)
  const connection_id = formatId('connection', row.id)
  await owner.get('connection.save', { connection_id, transactional_per_day: 4 })
  const another = await testbed.restCaller({ businesses: [businessId] })
  const { taken, refused } = await sendAll(old, 'new', 6)
  assert.equal(taken, 4)
  assert.match(String(refused[0]?.['message']), /person who connected it.*\/b\/connections/)
  assert.equal((await sendAll(another, 'other', 6)).taken, 6, 'others have their own')
  await owner.get('connection.save', { connection_id, transactional_per_day: 5 })
  assert.equal((await sendAll(old, 'raised', 3)).taken, 1)
})
