/** Many messages in one call: one outcome for each, and the same ones when the call is repeated. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Sent {
  queued: number
  refused: number
  warnings?: string[] | null
  results: {
    message_id?: string
    status?: string
    duplicate?: boolean
    segments?: number
    send_at?: string
    error?: { code: string; field?: string; message: string }
  }[]
}

const mailTo = (to: string) => ({ to, subject: 'Hello', text: `For ${to}` })

async function messagesOf(businessId: Id<'business'>): Promise<number> {
  const { found } = await testbed.db.one<{ found: number }>(sql`
    select count(*) as found from messages where business_id = ${businessId}
  `)
  return found
}

test('each mail of a batch has its own result, and an invalid mail is refused alone', async () => {
  const businessId = await testbed.newBusiness()
  for (const caller of [
    await testbed.caller({ businesses: [businessId] }),
    await testbed.restCaller({ businesses: [businessId] }),
  ]) {
    const before = await messagesOf(businessId)
    const own = `${crypto.randomUUID()}@example.com`
    const { queued, refused, warnings, results } = await caller.get<Sent>('email.send_batch', {
      messages: [
        { ...mailTo(own), tags: ['first'], metadata: { n: '1' }, allow_duplicate: false },
        { ...mailTo('no address') },
        { ...mailTo('a@example.com'), subjet: 'A slip' },
        { ...mailTo('b@example.com'), text: 'Dear {{ nobody_knows }}', variables: {} },
        { ...mailTo(own), tags: ['first'], metadata: { n: '1' }, allow_duplicate: false },
        { to: 'c@example.com', template_id: formatId('template', businessId as never) },
        { ...mailTo(own), text: 'Dear {{ name }}', variables: { name: 'Ana' } },
        {},
      ],
    })
    assert.deepEqual([queued, refused, results.length], [2, 5, 8])
    assert.ok(
      warnings && warnings.length < 5 && warnings[0]?.includes('the first of them results['),
    )
    assert.deepEqual(
      results.map(({ error, duplicate }) => error?.field ?? error?.code ?? duplicate ?? 'queued'),
      ['queued', 'to', 'subjet', 'text', true, 'template_id', 'queued', 'to'],
    )
    assert.match(results[3]?.error?.message ?? '', /nobody_knows/)
    assert.equal(results[4]?.message_id, results[0]?.message_id)
    assert.equal(await messagesOf(businessId), before + 2)
  }
})

test('a message of a batch whose time is past or does not exist is refused alone', async () => {
  const owner = await testbed.restCaller({ businesses: [await testbed.newBusiness()] })
  const send_at = new Date(Date.now() + 86_400_000).toISOString()
  const times = ['2020-01-01T09:00:00Z', '2026-11-31T09:00:00Z', send_at]
  for (const [operation, message] of [
    ['email.send_batch', mailTo('ana@example.com')],
    ['sms.send_batch', { to: '+33612345678', text: 'Hello' }],
  ] as const) {
    const { results } = await owner.get<Sent>(operation, {
      messages: times.map((time) => ({ ...message, send_at: time })),
    })
    assert.deepEqual(
      results.map(({ error, ...queued }) => error?.field ?? queued.send_at),
      ['send_at', 'send_at', send_at],
    )
  }
})

test('the results of a batch of texts give the number of segments of each', async () => {
  const owner = await testbed.restCaller({ businesses: [await testbed.newBusiness()] })
  const { queued, results } = await owner.get<Sent>('sms.send_batch', {
    messages: [
      { to: '+33612345678', text: 'Hello' },
      { to: '+33612345679', text: 'x'.repeat(161) },
      { to: '12', text: 'Hello' },
    ],
  })
  assert.equal(queued, 2)
  assert.deepEqual(
    results.map(({ segments, error }) => segments ?? error?.field),
    [1, 2, 'to'],
  )
})

test('a batch holds 1 to 500 messages', async () => {
  const owner = await testbed.restCaller({ businesses: [await testbed.newBusiness()] })
  const many = (n: number) => Array.from({ length: n }, (_, i) => mailTo(`n${i}@example.com`))
  for (const n of [0, 501]) {
    const { status, body } = await owner.call('email.send_batch', { messages: many(n) })
    assert.deepEqual([status, body['field']], [400, 'messages'], String(n))
  }
  assert.equal((await owner.get<Sent>('email.send_batch', { messages: many(500) })).queued, 500)
})

test('a batch that exceeds the recipients allowed to its key queues those that fit', async () => {
  const businessId = await testbed.newBusiness()
  const { secret } = await newApiKey(testbed.db, { businessId, recipientsPerDay: 3 })
  const caller = restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
  const messages = [1, 2, 3, 4, 5].map((n) => mailTo(`n${n}@example.com`))
  const { status, text, body } = await caller.call('email.send_batch', { messages })
  const { queued, refused, results, ...more } = body as unknown as Sent
  const warnings = more.warnings ?? []
  assert.deepEqual([status, queued, refused, warnings.length], [202, 3, 2, 1])
  assert.match(
    warnings[0] ?? '',
    /^2 of 5 messages were refused with rate_limited, the first of them results\[3\]: This API key/,
  )
  // Whoever reads only the beginning reads this.
  assert.match(text, /^\{"refused":2,"warnings":\[/)
  assert.deepEqual(
    results.map(({ error }) => error?.code ?? 'queued'),
    ['queued', 'queued', 'queued', 'rate_limited', 'rate_limited'],
  )
})

test('10,000 mails in 20 repeated keyed calls give one result and one message each', async (t) => {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.restCaller({ businesses: [businessId] })
  const calls = Array.from({ length: 20 }, (_, call) => ({
    idempotency_key: `batch-${call}`,
    messages: Array.from({ length: 500 }, (_, i) => mailTo(`n${call}-${i}@example.com`)),
  }))
  const sendAll = async () => {
    const answers: Sent[] = []
    for (const call of calls) answers.push(await owner.get<Sent>('email.send_batch', call))
    return answers
  }
  const started = performance.now()
  const first = await sendAll()
  const seconds = (performance.now() - started) / 1000
  t.diagnostic(`${Math.round(10_000 / seconds)} mails a second, one call at a time`)
  const ids = first.flatMap(({ results }) => results.map(({ message_id }) => message_id))
  assert.equal(new Set(ids).size, 10_000)
  assert.ok(first.every(({ queued, refused }) => queued === 500 && refused === 0))
  assert.deepEqual(await sendAll(), first)
  assert.equal(await messagesOf(businessId), 10_000)
})
