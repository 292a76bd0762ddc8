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
  assert.deepEqual([named.status, named.body], [200, { forms: [], next_cursor: null, more: false }])
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

test('an ETag of a version is taken back as If-Match', async () => {
  const words = { name: 'Tagged', subject: 'One', text: 'One.' }
  const made = await caller.send('POST', '/v1/templates', json(words))
  const path = `/v1/templates/${String(made.body['template_id'])}`
  const etag = (await caller.send('GET', path)).headers.get('etag') ?? ''
  assert.deepEqual([made.headers.get('etag'), etag], ['"1"', '"1"'])
  const change = (text: string, ifMatch: string, more: object = {}) =>
    caller.send('PATCH', path, { ...json({ text, ...more }), headers: { 'if-match': ifMatch } })
  const changed = await change('Two.', etag)
  assert.deepEqual([changed.status, changed.headers.get('etag')], [200, '"2"'])
  assert.deepEqual(code(await change('Three.', etag)), [409, 'conflict'])
  assert.deepEqual(code(await change('Three.', '*')), [400, 'invalid_request'])
  assert.deepEqual(code(await change('Three.', '"2"', { if_version: 1 })), [400, 'invalid_request'])
  assert.equal((await change('Three.', '"2"', { if_version: 2 })).status, 200)
})

test('a contact is found by its address or the business’s own id in the path', async () => {
  const person = { email: 'by+path@example.com', external_id: 'shop/42 ä' }
  const saved = await caller.send('PUT', '/v1/contacts', json(person))
  for (const path of [
    `/v1/contacts/by-email/${encodeURIComponent(person.email)}`,
    `/v1/contacts/by-external-id/${encodeURIComponent(person.external_id)}`,
  ]) {
    const { status, body } = await caller.send('GET', path)
    assert.deepEqual([status, body['contact_id']], [200, saved.body['contact_id']], path)
  }
  const listed = await caller.send('GET', '/v1/contacts?email=by%2Bpath%40example.com')
  assert.equal((listed.body['contacts'] as object[]).length, 1)
  const nobody = await caller.send('GET', '/v1/contacts/by-external-id/nobody')
  assert.deepEqual(code(nobody), [404, 'not_found'])
})

test('a template is read, changed and deleted at its own address, and its key is free then', async () => {
  const words = { name: 'Receipt', key: 'deleted-key', subject: 'Thanks', text: 'Thank you.' }
  const made = await caller.send('POST', '/v1/templates', json(words))
  const path = `/v1/templates/${String(made.body['template_id'])}`
  const changed = await caller.send('PATCH', path, json({ text: 'Many thanks.', if_version: 1 }))
  assert.deepEqual([changed.status, changed.body['version']], [200, 2])
  const again = { template_id: made.body['template_id'], text: 'Thanks a lot.' }
  assert.equal((await caller.send('POST', '/v1/templates', json(again))).body['version'], 3)
  assert.equal((await caller.send('GET', path)).body['source'], null)
  const read = await caller.send('GET', `${path}?content=true`)
  assert.deepEqual([read.body['key'], read.body['version']], ['deleted-key', 3])
  assert.equal((read.body['source'] as { text: string }).text, 'Thanks a lot.')
  const mail = { to: 'ana@example.com', template_key: 'deleted-key' }
  const later = { ...mail, send_at: new Date(Date.now() + 86_400_000).toISOString() }
  const waiting = await caller.send('POST', '/v1/emails', json(later))
  for (let n = 0; n < 2; n++) assert.equal((await caller.send('DELETE', path)).status, 200)
  assert.deepEqual(code(await caller.send('GET', path)), [404, 'not_found'])
  assert.deepEqual(code(await caller.send('PATCH', path, json({ text: 'x' }))), [404, 'not_found'])
  assert.deepEqual(code(await caller.send('POST', '/v1/emails', json(mail))), [404, 'not_found'])
  const { templates } = (await caller.send('GET', '/v1/templates?q=deleted-key')).body
  assert.deepEqual(templates, [])
  const heir = await caller.send('POST', '/v1/templates', json(words))
  assert.notEqual(heir.body['template_id'], made.body['template_id'])
  // What was queued before says what it said.
  const at = `/v1/emails/${String(waiting.body['message_id'])}?content=true`
  const { content } = (await caller.send('GET', at)).body as { content: { text: string } }
  assert.match(content.text, /Thanks a lot\./)
})

test('what a mail said is read by those who may send one, and its time is moved', async () => {
  const words = {
    to: 'Ana <ana@example.com>',
    cc: ['Bo <bo@example.com>'],
    reply_to: 'desk@example.com',
    subject: 'Table for two',
    html: '<p>At <a href="https://example.com/table">eight</a></p>',
    headers: { 'X-Order': '7' },
    send_at: new Date(Date.now() + 86_400_000).toISOString(),
  }
  const sent = await caller.send('POST', '/v1/emails', json(words))
  const at = `/v1/emails/${String(sent.body['message_id'])}`
  assert.equal((await caller.send('GET', at)).body['content'], null)
  const { content } = (await caller.send('GET', `${at}?content=true`)).body as {
    content: Record<string, unknown>
  }
  const { from, text, ...others } = content
  assert.match(String(from), /@/)
  assert.match(String(text), /eight/)
  assert.deepEqual(others, {
    to: ['"Ana" <ana@example.com>'],
    cc: ['Bo <bo@example.com>'],
    reply_to: ['desk@example.com'],
    subject: 'Table for two',
    html: words.html,
    headers: [{ name: 'X-Order', value: '7' }],
  })
  const viewer = await testbed.restCaller({ businesses: [business], role: 'viewer' })
  assert.equal((await viewer.send('GET', at)).status, 200)
  const refused = await viewer.send('GET', `${at}?content=true`)
  assert.deepEqual(code(refused), [403, 'role_required'])

  const send_at = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const moved = await caller.send('PATCH', at, json({ send_at }))
  assert.deepEqual([moved.status, moved.body['send_at']], [200, send_at])
  assert.equal((await caller.send('GET', at)).body['due_at'], send_at)
  const past = { send_at: '2020-01-01T00:00:00Z' }
  assert.deepEqual(code(await caller.send('PATCH', at, json(past))), [400, 'invalid_request'])
  await caller.send('POST', `/v1/messages/${String(sent.body['message_id'])}/cancel`, json({}))
  assert.deepEqual(code(await caller.send('PATCH', at, json({ send_at }))), [409, 'conflict'])
})

test('messages are found by a part of their subject and by their metadata', async () => {
  const send = async (subject: string, metadata: object) => {
    const mail = { to: 'found@example.com', subject, text: 'x', metadata }
    return (await caller.send('POST', '/v1/emails', json(mail))).body['message_id']
  }
  const first = await send('Your 100% order', { order: 'a=1' })
  const second = await send('Something else', { order: 'a' })
  const found = async (query: string) => {
    const { body } = await caller.send('GET', `/v1/messages?${query}`)
    return (body['messages'] as { message_id: string }[]).map(({ message_id }) => message_id)
  }
  assert.deepEqual(await found('subject=100%25%20ORDER'), [first])
  assert.deepEqual(await found('metadata=order%3Da%3D1'), [first])
  assert.deepEqual(await found('metadata=order%3Da&to=found@example.com'), [second])
  assert.deepEqual(await found('metadata=other%3Da'), [])
  assert.deepEqual(code(await caller.send('GET', '/v1/messages?metadata=order')), [
    400,
    'invalid_request',
  ])
})
