import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../../tests/support/businesses/campaign-drafts.ts'
import { draftTo, type Running } from '../../../../tests/support/businesses/campaign-runs.ts'
import { newGrant, tokenMint } from '../../../../tests/support/clients/grants.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

async function ask(
  { name, businessId }: Running,
  headers: Record<string, string> = {},
  query = '',
) {
  const grant = await newGrant(testbed.db, { businesses: [businessId] })
  const token = await tokenMint(testbed.service)(grant)
  const url = `${testbed.service.config.gatewayUrl}/v1/campaigns/${name}/progress${query}`
  return fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers } })
}

const events = { accept: 'text/event-stream' }

/** The events of a stream, as `[id, type, data]`. */
function parsed(text: string) {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data:'))
    .map((block) => {
      const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(block)?.[1]
      return { id: field('id'), type: field('event'), data: JSON.parse(field('data') ?? '{}') }
    })
}

test('a progress stream reports a campaign until it is completed, and then ends', async () => {
  const running = await draftTo(testbed, 60)
  await sendOff(running)
  const answer = await ask(running, events)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const told = parsed(await answer.text())
  const last = told.at(-2)
  assert.equal(told.at(-1)?.type, 'end')
  assert.equal(last?.type, 'progress')
  assert.deepEqual(
    [last?.data.status, last?.data.done, last?.data.recipients],
    ['completed', 60, 60],
  )
  assert.equal(last?.data.counts.sent, 60)
  // A client that saw the last event gets nothing twice.
  const again = parsed(
    await (await ask(running, { ...events, 'last-event-id': last?.id ?? '' })).text(),
  )
  assert.deepEqual(
    again.map(({ type }) => type),
    ['end'],
  )
})

test('a polling client gets one response, with Retry-After', async () => {
  const running = await draftTo(testbed, 5)
  const answer = await ask(running)
  assert.equal(answer.headers.get('retry-after'), '2')
  const { status, done, seconds_left } = (await answer.json()) as Record<string, unknown>
  assert.deepEqual([status, done, seconds_left], ['draft', 0, null])
})

test('another business’s campaign is not found, and a request without a token is refused', async () => {
  const [running, other] = [await draftTo(testbed, 0), await draftTo(testbed, 0)]
  const refused = await ask({ ...running, businessId: other.businessId }, events)
  assert.equal(refused.status, 404)
  const url = `${testbed.service.config.gatewayUrl}/v1/campaigns/${running.name}/progress`
  assert.equal((await fetch(url, { headers: events })).status, 401)
})

test('an unknown field is refused, as on other routes', async () => {
  const running = await draftTo(testbed, 0)
  const id = running.businessId
  for (const [query, field] of [
    ['?nope=1', 'nope'],
    ['?campaign_id=cmp_1', 'campaign_id'],
    ['?__proto__=1', '__proto__'],
    [`?business_id=${id}&business_id=${id}`, 'business_id'],
  ] as const) {
    for (const headers of [{}, events]) {
      const answer = await ask(running, headers, query)
      const body = (await answer.json()) as { code: string; field: string }
      assert.deepEqual([answer.status, body.code], [400, 'invalid_request'], query)
      assert.ok(body.field.includes(field), body.field)
    }
  }
})

test('a service that shuts down ends its progress streams', { timeout: 120_000 }, async () => {
  const own = await openTestbed({ idle: true })
  const running = await draftTo(own, 1)
  const grant = await newGrant(own.db, { businesses: [running.businessId] })
  const token = await tokenMint(own.service)(grant)
  const url = `${own.service.config.gatewayUrl}/v1/campaigns/${running.name}/progress`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...events } })
  const reader = answer.body?.getReader()
  assert.ok(reader)
  await reader.read()
  await own.close()
  let ended = false
  while (!ended) ended = (await reader.read()).done
})
