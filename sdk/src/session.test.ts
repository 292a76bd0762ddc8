import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestFor } from './calls/rest-request.ts'
import { CrierError, createSessionClient } from './session.ts'

const url = 'https://crier.example'

/** A server that gives these responses in order, and the requests that it received. */
function answering(...answers: Response[]) {
  const asked: { method: string; url: string; body: string | undefined }[] = []
  const fetch = async (to: string | URL | Request, init: RequestInit = {}) => {
    asked.push({
      method: init.method ?? 'GET',
      url: typeof to === 'string' ? to : '',
      body: init.body as string,
    })
    return answers.shift() ?? Response.json({})
  }
  const waits: number[] = []
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  return { client: createSessionClient({ url, fetch, wait }), asked, waits }
}

test('a read operation sends its fields in the query, with objects as JSON', async () => {
  const { client, asked } = answering()
  await client.contact.list({ q: 'ana & co', limit: 100, filter: { tag: 'vip' } })
  const [{ method, url: to } = { method: '', url: '' }] = asked
  const { pathname, searchParams } = new URL(to)
  assert.deepEqual([method, pathname], ['GET', '/v1/contacts'])
  assert.equal(searchParams.get('q'), 'ana & co')
  assert.equal(searchParams.get('filter'), '{"tag":"vip"}')
})

test('a query that is too long is sent as a body where the operation has such a route', async () => {
  const { client, asked } = answering()
  await client.contact.list({ filter: { tag: 'x'.repeat(1_500) } })
  assert.equal(asked[0]?.method, 'POST')
  assert.equal(asked[0]?.url, `${url}/v1/contacts/query`)
})

test('the client uses the route whose path it can fill, and escapes and removes the path’s arguments', async () => {
  const { client, asked } = answering()
  await client.form.save({ name: 'New', fields: [] })
  await client.form.save({ form_id: 'frm_/?1', status: 'published' })
  assert.deepEqual(asked, [
    { method: 'POST', url: `${url}/v1/forms`, body: '{"name":"New","fields":[]}' },
    { method: 'PATCH', url: `${url}/v1/forms/frm_%2F%3F1`, body: '{"status":"published"}' },
  ])
})

test('undefined arguments are left out, and an operation without its id is refused', () => {
  const table = { 'a.b': ['GET /v1/a/:id'] }
  const given = { id: 'x', more: undefined }
  assert.deepEqual(requestFor(table, 'a.b', given), { method: 'GET', url: '/v1/a/x', headers: {} })
  assert.throws(() => requestFor(table, 'a.b', {}), /id is missing: a\.b needs it/)
})

test('an error response throws its code, and 204 gives an empty object', async () => {
  const refusal = { code: 'role_required', message: 'No.', request_id: 'req_1' }
  const { client } = answering(
    Response.json(refusal, { status: 403 }),
    new Response(null, { status: 204 }),
  )
  await assert.rejects(client.meta.usage(), (error) => {
    assert.ok(error instanceof CrierError)
    assert.deepEqual([error.code, error.status, error.requestId], ['role_required', 403, 'req_1'])
    return true
  })
  assert.deepEqual(await client.domain.remove({ domain: 'example.com' }), {})
})

test('a call that got 429 waits for a short Retry-After and throws for a long one', async () => {
  const slow = (seconds: string) =>
    Response.json({ code: 'rate_limited' }, { status: 429, headers: { 'retry-after': seconds } })
  const patient = answering(slow('3'), Response.json({ month: '2026-11-01' }))
  assert.equal((await patient.client.meta.usage()).month, '2026-11-01')
  assert.deepEqual(patient.waits, [3_000])
  const impatient = answering(slow('30'))
  await assert.rejects(impatient.client.meta.usage(), { code: 'rate_limited', retryAfter: 30 })
})

test('a write that got no answer keeps its key when it is made again, and loses it with the answer or in two minutes', async (t) => {
  const keys: (string | undefined)[] = []
  const answer = () => Response.json({})
  const answers = [undefined, answer(), answer(), answer(), undefined, answer()]
  const fetch = async (_to: string | URL | Request, init: RequestInit = {}) => {
    keys.push((init.headers as Record<string, string>)['idempotency-key'])
    const next = answers.shift()
    if (!next) throw new TypeError('no network')
    return next
  }
  const client = createSessionClient({ url, fetch, wait: async () => {} })
  const topic = { topic: 'news', name: 'News' }
  await assert.rejects(client.topic.save(topic), { code: 'network' })
  await client.topic.save(topic)
  await client.topic.save(topic)
  await client.contact.list({})
  t.mock.method(performance, 'now', () => 0)
  await assert.rejects(client.topic.save(topic), { code: 'network' })
  t.mock.method(performance, 'now', () => 120_001)
  await client.topic.save(topic)
  const [lost, again, next, read, stale, anew] = keys
  assert.ok(lost !== undefined && next !== undefined)
  assert.equal(again, lost)
  assert.notEqual(next, lost)
  assert.equal(read, undefined)
  assert.ok(stale !== undefined && anew !== undefined)
  assert.notEqual(anew, stale)
})
