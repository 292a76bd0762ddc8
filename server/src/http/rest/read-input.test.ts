import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../../tests/support/refused.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { type Route, routesOf } from '../../operations/routes.ts'
import { type RequestParts, readInput } from './read-input.ts'

const common = {
  name: 'thing.save',
  title: 'Save a thing',
  summary: 'For tests.',
  reach: 'business',
  scope: 'meta:read',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  output: Type.Object({}),
  run: async () => ({}),
} as const
const thing = operation({
  ...common,
  rest: ['POST /v1/things', 'PATCH /v1/things/:thing_id', 'DELETE /v1/things/:thing_id'],
  input: {
    thing_id: Type.Optional(Type.String()),
    word: Type.Optional(Type.String()),
    count: Type.Optional(Type.Integer()),
  },
})
const [make, change, remove] = routesOf(thing) as [Route, Route, Route]

const sent = (more: Partial<RequestParts>): RequestParts => ({
  path: {},
  query: '',
  body: undefined,
  key: undefined,
  ...more,
})
const path = { thing_id: 'thg_1' }

function fault(
  route: Route,
  more: Partial<RequestParts>,
): [field: string | undefined, text: string] {
  const { code, message, details } = refusedBy(() => readInput(route, sent(more)))
  assert.equal(code, 'invalid_request')
  return [details.field, message]
}

test('a body that is not JSON is refused with its line and column', () => {
  const [field, message] = fault(make, { body: '{\n  "word": "a",\n}' })
  assert.equal(field, 'body')
  assert.equal(
    message,
    'The body is not JSON: line 3, column 1: } stands where JSON has a name in double quotes.',
  )
  assert.match(fault(make, { body: '[1]' })[1], /must be a JSON object/)
})

test('fields are read from the path and the body, or from the path and the query', () => {
  assert.deepEqual(readInput(make, sent({ body: '{"word":"a"}' })), { word: 'a' })
  assert.deepEqual(readInput(change, sent({ path, body: '{"count":1}' })), { ...path, count: 1 })
  const query = 'count=2&business_id=bus_1&word=a%20b'
  const all = { ...path, count: 2, business_id: 'bus_1', word: 'a b' }
  assert.deepEqual(readInput(remove, sent({ path, query })), all)
})

test('a missing or empty body is a call without fields', () => {
  assert.deepEqual(readInput(change, sent({ path })), path)
  assert.deepEqual(readInput(change, sent({ path, body: '' })), path)
})

test('a field in the wrong place is refused with its right place', () => {
  const [field, text] = fault(change, { path, query: 'word=a' })
  assert.equal(field, 'word')
  assert.match(text, /pass the fields of PATCH in the body/)
  assert.equal(fault(remove, { path, body: '{"word":"a"}' })[0], 'body')
})

test('a field of the path is refused anywhere else', () => {
  const twice = fault(change, { path, body: '{"thing_id":"thg_2"}' })
  assert.deepEqual([twice[0], /already/.test(twice[1])], ['thing_id', true])
  assert.match(fault(remove, { path, query: 'thing_id=thg_1' })[1], /already/)
  const elsewhere = fault(make, { body: '{"thing_id":"thg_1"}' })
  assert.match(elsewhere[1], /PATCH \/v1\/things\/:thing_id/)
})

test('a body that is not a JSON object is refused', () => {
  for (const body of ['{', '[]', 'null', '"a"', '1', '[{"word":"a"}]']) {
    assert.equal(fault(make, { body })[0], 'body', body)
  }
})

test('unknown fields are passed on to the check that all entry points share', () => {
  assert.deepEqual(readInput(remove, sent({ path, query: 'other=1' })), { ...path, other: '1' })
  const odd = readInput(remove, sent({ path, query: '__proto__=1&constructor=2' })) as object
  assert.deepEqual(Object.keys(odd), ['thing_id', '__proto__', 'constructor'])
})

test('the header Idempotency-Key is read as idempotency_key, and two different keys are refused', () => {
  const keyed = { idempotency_key: 'k', word: 'a' }
  assert.deepEqual(readInput(make, sent({ body: '{"word":"a"}', key: 'k' })), keyed)
  assert.deepEqual(readInput(make, sent({ body: JSON.stringify(keyed), key: 'k' })), keyed)
  assert.equal(fault(make, { body: JSON.stringify(keyed), key: 'l' })[0], 'idempotency_key')
  const reading = operation({
    ...common,
    rest: 'GET /v1/things',
    hints: { ...common.hints, readOnly: true },
    input: { word: Type.String() },
  })
  const [route] = routesOf(reading) as [Route]
  assert.deepEqual(readInput(route, sent({ query: 'word=a', key: 'k' })), { word: 'a' })
})
