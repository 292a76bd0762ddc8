import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { CrierError } from './error.ts'
import { errorFrom, errorFromTool, saysOurCode } from './problem.ts'

const from = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  errorFrom({ status, body, headers: new Headers(headers) }, 0)

test('the code of an error is read from either key', () => {
  assert.equal(from(400, { error: 'invalid_grant' }).code, 'invalid_grant')
  assert.equal(from(400, { code: 'invalid_grant' }).code, 'invalid_grant')
  assert.equal(from(403, { code: 'ERR', error: 'tier_required' }).code, 'tier_required')
})

test('the message of an error is read from either spelling, and from error_description of RFC 6749', () => {
  assert.equal(from(400, { message: 'right' }).message, 'right')
  assert.equal(from(400, { messsage: 'misspelt' }).message, 'misspelt')
  assert.equal(from(400, { message: '', messsage: 'misspelt' }).message, 'misspelt')
  assert.equal(from(400, { error_description: 'described' }).message, 'described')
})

test('an error body without a code or message gets both from its HTTP status', () => {
  for (const body of [undefined, null, [], 'text', {}, { error: 'Not Found' }]) {
    const error = from(404, body)
    assert.equal(error.code, 'not_found')
    assert.equal(error.message, 'The server answered 404 without saying why.')
  }
  assert.equal(from(418, {}).code, 'bad_response')
})

test('an error code that this SDK version does not know is passed on', () => {
  assert.equal(from(409, { code: 'cursor_expired' }).code, 'cursor_expired')
})

test('an error contains field, fix, request id and all further members of its body', () => {
  const error = from(403, {
    code: 'tier_required',
    message: 'Needs growth.',
    field: 'a.b',
    fix: { url: 'https://example.com' },
    request_id: 'req_1',
    tier: 'growth',
  })
  assert.deepEqual(error.toJSON(), {
    code: 'tier_required',
    message: 'Needs growth.',
    status: 403,
    field: 'a.b',
    fix: { url: 'https://example.com' },
    request_id: 'req_1',
    tier: 'growth',
  })
})

test('the retry time and the request id of an error are also read from headers', () => {
  const error = from(429, {}, { 'retry-after': '9', 'x-request-id': 'req_2' })
  assert.equal(error.retryAfter, 9)
  assert.equal(error.requestId, 'req_2')
  assert.equal(from(429, { retry_after: 4 }).retryAfter, 4)
})

test('a JSON-RPC error is read by its number, or by the code in its data', () => {
  const unknown = from(200, { jsonrpc: '2.0', error: { code: -32602, message: 'No such tool.' } })
  assert.equal(unknown.code, 'invalid_request')
  assert.equal(unknown.message, 'No such tool.')
  const data = { code: 'conflict', field: 'key' }
  const told = from(200, { error: { code: -32000, message: 'No.', data } })
  assert.equal(told.code, 'conflict')
  assert.equal(told.field, 'key')
  assert.equal(told.message, 'No.')
})

test('a refused tool result is read from its structured content, or else from its text', () => {
  const structured = errorFromTool(200, {
    isError: true,
    content: [{ type: 'text', text: 'unread' }],
    structuredContent: { code: 'conflict', messsage: 'Two contacts.' },
  })
  assert.equal(structured.code, 'conflict')
  assert.equal(structured.message, 'Two contacts.')
  const json = errorFromTool(200, { content: [{ type: 'text', text: '{"error":"gone"}' }] })
  assert.equal(json.code, 'gone')
  const prose = errorFromTool(200, { content: [{ type: 'text', text: 'Name is too long.' }] })
  assert.equal(prose.code, 'invalid_request')
  assert.equal(prose.message, 'Name is too long.')
})

test('only a body with a code of the product’s own table counts as the server’s error', () => {
  assert.equal(saysOurCode({ error: 'not_found' }), true)
  assert.equal(saysOurCode({ code: 'not_found' }), true)
  assert.equal(saysOurCode({ error: { code: -32601 } }), true)
  for (const body of [undefined, {}, { error: 'Not Found' }, { code: 'NoSuchBucket' }]) {
    assert.equal(saysOurCode(body), false)
  }
})

test('a token in a server’s message appears neither in the message, the JSON nor the inspected error', () => {
  const access = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
  const error = from(400, { message: `rt_Abc-123_x and Bearer abc.def and ${access} are over` })
  assert.equal(error.message, 'rt_… and Bearer … and eyJ… are over')
  for (const text of [inspect(error), JSON.stringify(error), String(error.stack)]) {
    assert.doesNotMatch(text, /Abc-123|abc\.def|c2lnbmF0dXJl/)
  }
})

test('an error says whether signing in again would help', () => {
  const needs = (code: string) => new CrierError({ code, message: '' }).needsSignIn
  for (const code of ['unauthorized', 'invalid_grant', 'severed', 'signed_out']) {
    assert.equal(needs(code), true)
  }
  for (const code of ['network', 'scope_required', 'conflict']) assert.equal(needs(code), false)
})
