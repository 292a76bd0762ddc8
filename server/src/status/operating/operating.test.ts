import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { formatId, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { days, hours, later } from '../../lib/time/clock.ts'
import { queueMessages } from '../../messages/queue.ts'

const operatorEmail = 'operator@example.com'
let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true, settings: { OPERATOR_EMAIL: operatorEmail } })
})
after(() => testbed.close())

async function operator() {
  const person = await testbed.appCaller({ businesses: [await testbed.newBusiness()] })
  await testbed.db.run(sql`
    update users set email = 'former-' || id where email = ${operatorEmail}
  `)
  await testbed.db.run(sql`update users set email = ${operatorEmail} where id = ${person.userId}`)
  return person
}

const calls = [
  ['operator.businesses', {}],
  ['operator.set_tier', { of_business: formatId('business', newId('business')), tier: 'scale' }],
  ['operator.tiers', {}],
  ['operator.jobs', {}],
  ['operator.retry_jobs', { kind: 'message.email' }],
  ['operator.mail', {}],
  [
    'operator.lift_pause',
    { relay: 'inbox', domain: 'a.example', kind: 'marketing', provider: 'google.com' },
  ],
  ['operator.volumes', {}],
  ['operator.answer_volume', { domain: 'a.example' }],
] as const

test('an owner who does not run the installation gets 404 on each of the operator’s operations', async () => {
  const owner = await testbed.appCaller({ businesses: [await testbed.newBusiness()] })
  for (const [name, input] of calls) {
    const { status, body } = await owner.call(name, input)
    assert.deepEqual([status, body['code']], [404, 'not_found'], name)
  }
})

interface Businesses {
  businesses: { business_id: string; name: string; owners: string[]; contacts: number }[]
  next_cursor: string | null
}

test('the operator finds businesses by name, member and tier, page by page', async () => {
  const me = await operator()
  const ids = await Promise.all(
    ['free', 'scale', 'scale'].map((tier) => testbed.newBusiness(tier as 'free')),
  )
  const [first, second, third] = ids
  assert.ok(first && second && third)
  for (const [id, name] of [
    [first, 'Findme bakery'],
    [second, 'Findme florist'],
    [third, 'Findme 100%_'],
  ] as const) {
    await testbed.db.run(sql`update businesses set name = ${name} where id = ${id}`)
  }
  const member = await testbed.appCaller({ businesses: [second] })
  const namesOf = async (input: object) => {
    const answer = await me.get<Businesses>('operator.businesses', input)
    return answer.businesses.map(({ name }) => name)
  }
  const sorted = [...ids].sort().toReversed()
  const one = await me.get<Businesses>('operator.businesses', { search: 'FINDME', limit: 2 })
  const two = await me.get<Businesses>('operator.businesses', {
    search: 'findme',
    limit: 2,
    ...(one.next_cursor !== null && { cursor: one.next_cursor }),
  })
  assert.deepEqual(
    [...one.businesses, ...two.businesses].map(({ business_id }) => business_id),
    sorted.map((id) => formatId('business', id)),
  )
  assert.equal(two.next_cursor, null)
  assert.deepEqual(await namesOf({ search: '%_' }), ['Findme 100%_'])
  assert.deepEqual(await namesOf({ search: 'findme', tier: 'free' }), ['Findme bakery'])
  assert.deepEqual(await namesOf({ search: `${member.userId}@example` }), ['Findme florist'])
  const [florist] = (await me.get<Businesses>('operator.businesses', { search: 'florist' }))
    .businesses
  assert.deepEqual([florist?.owners, florist?.contacts], [[`${member.userId}@example.com`], 0])
})

test('a tier changes from the next call on, after a fresh sign-in, and the audit log of the business says so', async () => {
  const me = await operator()
  const businessId = await testbed.newBusiness('free')
  const of_business = formatId('business', businessId)
  await me.get('operator.set_tier', { of_business, tier: 'growth' })
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const { tier } = await owner.get<{ tier: string }>('meta.usage', { business_id: of_business })
  assert.equal(tier, 'growth')
  const entries = await testbed.db.all(sql`
    select action, user_id as "userId", details from audit_entries where business_id = ${businessId}
  `)
  assert.deepEqual(entries, [
    { action: 'operator.set_tier', userId: me.userId, details: { tier: 'growth' } },
  ])
  const unknown = formatId('business', newId('business'))
  const missing = await me.call('operator.set_tier', { of_business: unknown, tier: 'free' })
  assert.deepEqual([missing.status, missing.body['field']], [404, 'of_business'])
  await testbed.db.run(sql`
    update sessions set created_at = created_at - interval '16 minutes' where user_id = ${me.userId}
  `)
  const stale = await me.call('operator.set_tier', { of_business, tier: 'free' })
  assert.deepEqual([stale.status, stale.body['code']], [401, 'unauthorized'])
})

test('tiers are shown with their limits and the number of their businesses', async () => {
  const me = await operator()
  const { tiers } = await me.get<{
    tiers: { tier: string; businesses: number; limits: { contacts: number | null } }[]
  }>('operator.tiers', {})
  assert.deepEqual(
    tiers.map(({ tier, limits }) => [tier, limits.contacts]),
    [
      ['free', 500],
      ['growth', 25_000],
      ['scale', null],
    ],
  )
  const counted = await testbed.db.all(sql`
    select tier, count(*)::integer as businesses from businesses group by tier order by tier
  `)
  assert.deepEqual(
    tiers
      .filter(({ businesses }) => businesses > 0)
      .map(({ tier, businesses }) => ({ tier, businesses })),
    counted,
  )
})

test('failed jobs are shown by kind and error, and are due again once retried', async () => {
  const me = await operator()
  const now = new Date()
  for (const fault of ['Error ECONNREFUSED', 'Error ECONNREFUSED', 'TypeError']) {
    await testbed.db.run(sql`
      insert into jobs (shard, id, lane, kind, payload, due_at, parked_at, fault, created_at)
      values (1, gen_random_uuid(), gen_random_uuid(), 'test.broken', '{}', ${now}, ${now},
        ${fault}, ${now})
    `)
  }
  const read = () =>
    me.get<{ failed: { kind: string; fault: string; jobs: number }[] }>('operator.jobs', {})
  const own = async () => (await read()).failed.filter(({ kind }) => kind === 'test.broken')
  assert.partialDeepStrictEqual(await own(), [
    { fault: 'Error ECONNREFUSED', jobs: 2 },
    { fault: 'TypeError', jobs: 1 },
  ])
  const retry = () => me.get('operator.retry_jobs', { kind: 'test.broken' })
  assert.deepEqual(await retry(), { kind: 'test.broken', retried: 3 })
  assert.deepEqual(await own(), [])
  assert.deepEqual(await retry(), { kind: 'test.broken', retried: 0 })
  await testbed.db.run(sql`delete from jobs where kind = 'test.broken'`)
})

interface Mail {
  waiting: { channel: string; due: number; later: number }[]
  deferred: { provider: string; messages: number; words?: string }[]
  paused: { domain: string }[]
}

test('a paused stream is shown with what waits for it, and lifting it makes exactly that due', async () => {
  const me = await operator()
  const { db } = testbed
  const businessId = await testbed.newBusiness()
  const now = new Date()
  const [until, other] = [later(now, hours(1)), later(now, days(1))]
  const ids = [until, until, other].map((dueAt) => ({ id: newId('message'), dueAt }))
  const key = { relay: 'relay.example:25', domain: 'shop.example', provider: 'google.com' }
  await db.run(sql`
    insert into send_throttles (route, domain, kind, provider, tokens, filled_at, in_flight,
      paused_until, first_day, day, sent_that_day)
    values (${key.relay}, ${key.domain}, 'marketing', ${key.provider}, 0, ${now}, 1, ${until},
      ${now}, ${now}, 0)
  `)
  for (const { id, dueAt } of ids) {
    await db.run(sql`
      insert into messages (business_id, id, kind, recipient, state, attempts, due_at, queued_at,
        route, sender_domain, created_at, updated_at, provider)
      values (${businessId}, ${id}, 'marketing', 'a@example.com', 'deferred', 1, ${dueAt}, ${now},
        ${key.relay}, ${key.domain}, ${now}, ${now}, ${key.provider})
    `)
    await db.run(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, words, created_at)
      values (${businessId}, ${id}, gen_random_uuid(), 'deferred', ${now}, '421 too fast', ${now})
    `)
  }
  const common = { businessId, channel: 'email', kind: 'marketing', isReply: false } as const
  await db.tx((tx) =>
    queueMessages(
      tx,
      ids.map((one) => ({ ...common, ...one })),
      now,
    ),
  )
  const before = await me.get<Mail>('operator.mail', {})
  assert.partialDeepStrictEqual(before, {
    waiting: [{ channel: 'email', due: 0, later: 3 }],
    deferred: [{ provider: 'google.com', messages: 3, words: '421 too fast' }],
    paused: [{ domain: 'shop.example' }],
  })
  const lift = () => me.get('operator.lift_pause', { ...key, kind: 'marketing' })
  assert.deepEqual(await lift(), { was_paused: true, messages: 2 })
  assert.deepEqual(await lift(), { was_paused: false, messages: 0 })
  const due = await db.all<{ id: string; due: Date }>(sql`
    select id, due_at as due from messages where business_id = ${businessId} order by id
  `)
  const soon = later(now, hours(1) - 1)
  assert.deepEqual(
    due.map(({ due: at }) => at < soon),
    [true, true, false],
  )
  const jobs = await db.all<{ due: Date }>(sql`
    select due_at as due from jobs where payload ->> 'business_id' = ${businessId} order by due_at
  `)
  assert.deepEqual(
    jobs.map(({ due: at }) => at < soon),
    [true, false],
  )
  assert.deepEqual((await me.get<Mail>('operator.mail', {})).paused, [])
  await db.run(sql`delete from jobs where payload ->> 'business_id' = ${businessId}`)
})
