import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addBelongings } from '../../../../tests/operations/support/belongings.ts'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import type { RestCaller } from '../../../../tests/support/clients/rest-caller.ts'
import type { Id } from '../../core/ids.ts'

let testbed: OwnTestbed
let business: Id<'business'>
let caller: RestCaller

before(async () => {
  testbed = await openTestbed({ idle: true })
  business = await testbed.newBusiness()
  caller = await testbed.restCaller({ businesses: [business] })
})
after(() => testbed.close())

const emailField = { key: 'email', label: 'Email', type: 'email', required: true }
const json = (body: object) => ({ body: JSON.stringify(body) })
const code = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
]

test('creating returns 201, and changing or reading returns 200', async () => {
  const form = { name: 'A form', status: 'published', fields: [emailField] }
  const made = await caller.send('POST', '/v1/forms', json(form))
  assert.equal(made.status, 201)
  const path = `/v1/forms/${String(made.body['form_id'])}`
  const changed = await caller.send('PATCH', path, json({ name: 'Another name' }))
  assert.equal(changed.status, 200)
  const read = await caller.send('GET', path)
  assert.deepEqual([read.status, read.body['name']], [200, 'Another name'])
  const answers = { fields: { email: 'ana@example.com' } }
  const submitted = await caller.send('POST', `${path}/submissions`, json(answers))
  assert.equal(submitted.status, 201)
  const saved = await caller.send('PUT', '/v1/contacts', json({ email: 'ana@example.com' }))
  assert.deepEqual([saved.status, saved.body['created']], [200, false])
})

test('HEAD returns the same as GET, without a body', async () => {
  const head = await caller.send('HEAD', '/v1/forms')
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('a caller without a bearer token, or with a body of another type, hears what to send', async () => {
  const at = `${testbed.service.url}/v1/contacts`
  const basic = await fetch(at, { headers: { authorization: 'Basic eDp5', accept: 'text/html' } })
  assert.equal(basic.status, 401)
  const { message } = (await basic.json()) as { message: string }
  assert.match(message, /a bearer token, not Basic: send Authorization: Bearer/)
  const unknown = await fetch(`${testbed.service.url}/api/x`, { headers: { accept: 'text/html' } })
  assert.match(unknown.headers.get('content-type') ?? '', /json/)
  const headers = { 'content-type': 'text/plain' }
  const text = await caller.send('PUT', '/v1/contacts', { body: '{}', headers })
  assert.deepEqual(code(text), [415, 'unsupported_media_type'])
  assert.match(String(text.body['message']), /send Content-Type: application\/json\./)
})

test('what strangers typed stands beside the other fields over REST, and is marked as a tool', async () => {
  const person = { email: 'flat@example.com', name: 'Flo', attributes: { untrusted: 'mine' } }
  const made = await caller.send('PUT', '/v1/contacts', json(person))
  const contact_id = String(made.body['contact_id'])
  const { body } = await caller.send('GET', `/v1/contacts/${contact_id}`)
  assert.deepEqual(
    [body['name'], body['attributes'], body['untrusted']],
    ['Flo', { untrusted: 'mine' }, undefined],
  )
  const { body: listed } = await caller.send('GET', '/v1/contacts?q=flat')
  const [first] = listed['contacts'] as { name: string; untrusted?: object }[]
  assert.deepEqual([first?.name, first?.untrusted], ['Flo', undefined])
  const model = await testbed.caller({ businesses: [business] })
  const marked = await model.get<{ name?: string; untrusted: { name: string } }>('contact.get', {
    contact_id,
  })
  assert.deepEqual([marked.name, marked.untrusted.name], [undefined, 'Flo'])
})

test('an unsupported method is 405 with the allowed ones', async () => {
  for (const [method, path, allowed] of [
    ['DELETE', '/v1/forms', 'GET, HEAD, POST'],
    ['POST', '/v1/contacts', 'GET, HEAD, PUT'],
    ['GET', '/v1/contacts/import', 'POST'],
    ['HEAD', '/v1/contacts/import', 'POST'],
  ] as const) {
    const answer = await caller.send(method, path)
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allowed], path)
    if (method !== 'HEAD') assert.equal(answer.body['code'], 'method_not_allowed')
  }
})

test('an unknown path is 404 and an undecodable one 400, each with a JSON body', async () => {
  const long = `/v1/forms/${'a'.repeat(7_001)}`
  for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/forms/a/b/c', '/v1/FORMS', long]) {
    const answer = await caller.send('GET', path)
    assert.deepEqual(code(answer), [404, 'not_found'], path)
    assert.match(String(answer.body['message']), /\/docs/)
  }
  const odd = await caller.send('GET', '/v1/forms/%zz')
  assert.deepEqual(code(odd), [400, 'invalid_request'])
  assert.match(odd.headers.get('x-request-id') ?? '', /^req_/)
})

test('an error has its code and message in all keys that clients read', async () => {
  const answer = await caller.send('GET', '/v1/forms?limit=999')
  const { code, error, message, field, request_id } = answer.body
  assert.deepEqual([answer.status, code, error], [400, 'invalid_request', 'invalid_request'])
  assert.deepEqual([field, message], ['limit', 'limit must be at most 200.'])
  assert.equal(request_id, answer.headers.get('x-request-id'))
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
})

test('a request without a token is 401 and says where to get one', async () => {
  const { url } = testbed.service
  for (const [method, path] of [
    ['GET', '/v1/forms'],
    ['POST', '/v1/forms'],
    ['DELETE', '/v1/forms'],
    ['GET', '/v1/nothing'],
  ] as const) {
    const answer = await fetch(url + path, { method })
    assert.equal(answer.status, 401)
    const challenge = answer.headers.get('www-authenticate') ?? ''
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    const { resource } = (await (await fetch(metadata)).json()) as { resource: string }
    assert.equal(resource, `${url}/v1`)
    assert.doesNotMatch(challenge, /invalid_token/)
  }
})

test('a body must have the content type JSON', async () => {
  const typed = await caller.send('PUT', '/v1/contacts', {
    body: 'email=a@b.co',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual(code(typed), [415, 'unsupported_media_type'])
})

test('the business is given in the query of GET, and in the body of other methods', async () => {
  const [first, second] = [await testbed.newBusiness(), await testbed.newBusiness()]
  const both = await testbed.restCaller({ businesses: [first, second] })
  const { body } = await both.send('GET', '/v1/businesses')
  const [{ business_id = '' } = {}] = body['businesses'] as { business_id?: string }[]
  const missing = await both.send('GET', '/v1/forms')
  assert.deepEqual([missing.status, missing.body['field']], [400, 'business_id'])
  const named = await both.send('GET', `/v1/forms?business_id=${business_id}`)
  assert.deepEqual([named.status, named.body], [200, { forms: [] }])
  const form = { business_id, name: 'Named', fields: [] }
  assert.equal((await both.send('POST', '/v1/forms', json(form))).status, 201)
  const wrong = await both.send('POST', `/v1/forms?business_id=${business_id}`, json(form))
  assert.deepEqual([wrong.status, wrong.body['field']], [400, 'business_id'])
})

test('list items are typed by their schema, and the next page is read by its cursor', async () => {
  const own = await addBelongings(testbed, 'lists')
  const reader = await testbed.restCaller({ businesses: [own.id] })
  const first = await reader.send('GET', '/v1/contacts?limit=1')
  const cursor = encodeURIComponent(String(first.body['next_cursor']))
  const second = await reader.send('GET', `/v1/contacts?limit=1&cursor=${cursor}`)
  const idsOf = ({ body }: typeof first) =>
    (body['contacts'] as { contact_id: string }[]).map(({ contact_id }) => contact_id)
  assert.equal(new Set([...idsOf(first), ...idsOf(second)]).size, 2)
  const types = 'types=form.submitted&types=contact.created'
  const feed = await reader.send('GET', `/v1/changes?${types}&limit=200`)
  const seen = (feed.body['events'] as { type: string }[]).map(({ type }) => type)
  assert.deepEqual(new Set(seen), new Set(['form.submitted', 'contact.created']))
})

test('a call with an idempotency key runs once, whichever entry point and place the key comes from', async () => {
  const own = await addBelongings(testbed, 'keys')
  const grant = { businesses: [own.id] }
  const [rest, tools] = [await testbed.restCaller(grant), await testbed.caller(grant)]
  const fields = { email: 'keyed@example.com' }
  const path = `/v1/forms/${own.form_id}/submissions`
  const headers = { 'idempotency-key': 'one key' }
  const [first, again, inBody] = [
    await rest.send('POST', path, { ...json({ fields }), headers }),
    await rest.send('POST', path, { ...json({ fields }), headers }),
    await rest.send('POST', path, json({ fields, idempotency_key: 'one key' })),
  ]
  const call = { form_id: own.form_id, fields, idempotency_key: 'one key' }
  const asTool = await tools.get('form.submit', call)
  assert.equal(first.status, 201)
  for (const one of [again.body, inBody.body, asTool]) assert.deepEqual(one, first.body)
  const other = { fields: { email: 'other@example.com' } }
  const taken = await rest.send('POST', path, { ...json(other), headers })
  assert.deepEqual(code(taken), [409, 'conflict'])
  const differ = { ...json({ fields, idempotency_key: 'two' }), headers }
  assert.equal((await rest.send('POST', path, differ)).body['field'], 'idempotency_key')
})
