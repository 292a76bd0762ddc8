/** JSON that readers understand differently is refused at every entry point, with its place. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { publishedForm } from '../../../tests/support/businesses/forms.ts'
import { callerIn } from '../../../tests/support/clients/calls.ts'
import { systemClock } from '../lib/time/clock.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

const large = '12345678901234567890'
/** Fields of a contact, and where and how a reader could change what they say. */
const bodies: [json: string, field: string, words: RegExp][] = [
  [
    `{"email":"pat@example.com","attributes":{"id":${large}}}`,
    'attributes.id',
    /at \/attributes\/id is beyond ±9007199254740991.*as a string/,
  ],
  [
    '{"email":"pat@example.com","attributes":{"a/b~c":1e400}}',
    'attributes.a/b~c',
    /at \/attributes\/a~1b~0c is larger/,
  ],
  ['{"email":"pat@example.com","tags":["a"],"tags":["b"]}', 'tags', /^\/tags is there twice/],
  [
    '{"email":"pat@example.com","consent":{"email":{"status":"subscribed","source":"x","source":"y"}}}',
    'consent.email.source',
    /^\/consent\/email\/source is there twice/,
  ],
  ['{"email":"pat@example.com","email":"eve@example.com"}', 'email', /^\/email is there twice/],
]

test('the gateway and the tool endpoint refuse it as invalid_request, and nothing is saved', async () => {
  const { businessId, owner } = await testbed.someone()
  const rest = await testbed.restCaller({ businesses: [businessId] })
  for (const [json, field, words] of bodies) {
    const put = await rest.send('PUT', '/v1/contacts', { body: json })
    assert.deepEqual(
      [put.status, put.body['code'], put.body['field']],
      [400, 'invalid_request', field],
    )
    assert.match(String(put.body['message']), words)
    const params = `{"name":"svc.v1.contact.upsert","arguments":${json}}`
    const called = await owner.send(
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`,
    )
    assert.deepEqual([called.status, called.kind], [200, 'refusal'], called.text)
    assert.deepEqual([called.body['code'], called.body['field']], ['invalid_request', field])
    assert.match(String(called.body['message']), words)
    assert.match(called.text, /"id":7.*"isError":true/)
  }
  const { contacts } = await owner.get<{ contacts: unknown[] }>('contact.list')
  assert.deepEqual(contacts, [])
  const fine =
    '{"email":"pat@example.com","attributes":{"a":9007199254740991,"b":1e3,"c":"12345678901234567890"}}'
  assert.equal((await rest.send('PUT', '/v1/contacts', { body: fine })).status, 200)
})

test('a filter in a query is refused with its field', async () => {
  const { businessId } = await testbed.someone()
  const rest = await testbed.restCaller({ businesses: [businessId] })
  const filter = `{"field":"attributes.id","op":"eq","value":${large}}`
  const list = await rest.send('GET', `/v1/contacts?filter=${encodeURIComponent(filter)}`)
  assert.deepEqual([list.status, list.body['field']], [400, 'filter.value'])
  assert.match(String(list.body['message']), /at \/filter\/value is beyond/)
})

test('outside of arguments, and in a batch, it is an invalid message', async () => {
  const { owner } = await testbed.someone()
  const messages: [string, RegExp][] = [
    [`{"jsonrpc":"2.0","id":${large},"method":"ping"}`, /\/id is beyond/],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', /\/id is there twice/],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"b":2}}}', /\/params\/a\/b is/],
    [
      `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc.v1.business.list","arguments":{"x":${large}}}}]`,
      /\/0\/params\/arguments\/x is beyond/,
    ],
  ]
  for (const [message, words] of messages) {
    const { status, kind, body } = await owner.send(message)
    assert.deepEqual([status, kind, body['code']], [400, 'error', -32600])
    assert.match(String(body['message']), words)
  }
})

test('a registration and the post of a form are refused too, and so are bodies that are not UTF-8', async () => {
  const { url, vault: _vault } = testbed.service
  const businessId = await testbed.newBusiness()
  const caller = callerIn({ db: testbed.db, clock: systemClock }, businessId)
  const form = await publishedForm(caller, [], {})
  const targets: [path: string, json: string, words: RegExp][] = [
    [
      '/functions/v1/mcp-oauth/register',
      '{"redirect_uris":["http://localhost/a"],"redirect_uris":["http://localhost/b"]}',
      /\/redirect_uris is there twice/,
    ],
    [
      `/f/${form}`,
      '{"email":"pat@example.com","email":"eve@example.com"}',
      /\/email is there twice/,
    ],
    [`/f/${form}`, `{"email":"pat@example.com","number":${large}}`, /\/number is beyond/],
  ]
  const post = async (path: string, body: BodyInit) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body })
    return { status: answer.status, text: await answer.text() }
  }
  for (const [path, json, words] of targets) {
    const { status, text } = await post(path, json)
    assert.equal(status, 400, text)
    assert.match(text, words)
    const latin1 = Buffer.from('{"email":"pat@example.com","name":"Zo\u00eb"}', 'latin1')
    const torn = await post(path, latin1)
    assert.equal(torn.status, 400)
    assert.match(torn.text, /not UTF-8/)
  }
})
