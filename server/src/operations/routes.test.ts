import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { routesOf } from './routes.ts'

function thing(rest: Operation['rest'], more: { output?: ReturnType<typeof Type.Object> } = {}) {
  return operation({
    name: 'thing.save',
    title: 'Save a thing',
    summary: 'For tests.',
    reach: 'business',
    scope: 'meta:read',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest,
    status: 201,
    input: { thing_id: Type.Optional(Type.String()), word: Type.Optional(Type.String()) },
    output: more.output ?? Type.Object({ thing_id: Type.String() }),
    run: async () => ({}),
  })
}

const shared = ['business_id', 'idempotency_key']

test('a route takes the fields that its path does not contain from the body or the query', () => {
  const [make, change] = routesOf(thing(['POST /v1/things', 'PATCH /v1/things/:thing_id']))
  assert.deepEqual(make?.fields, [...shared, 'word'])
  assert.deepEqual([make?.fieldsIn, make?.inPath], ['body', []])
  assert.deepEqual(change?.fields, [...shared, 'word'])
  assert.deepEqual([change?.fieldsIn, change?.inPath], ['body', ['thing_id']])
  const [read, ...none] = routesOf(thing('GET /v1/things/:thing_id'))
  assert.deepEqual([read?.fieldsIn, read?.path, none], ['query', '/v1/things/:thing_id', []])
})

test('of two routes with different path fields, each takes the other’s field as a parameter', () => {
  const [by, other] = routesOf(thing(['GET /v1/things/:thing_id', 'GET /v1/words/:word/things']))
  assert.deepEqual(by?.fields, [...shared, 'word'])
  assert.deepEqual(other?.fields, [...shared, 'thing_id'])
})

test('only POST has the status 201, and a DELETE without output has 204', () => {
  const statuses = (rest: string[], output?: ReturnType<typeof Type.Object>) =>
    routesOf(thing(rest, output ? { output } : {})).map(({ status }) => status)
  assert.deepEqual(statuses(['POST /v1/things', 'PUT /v1/things']), [201, 200])
  assert.deepEqual(statuses(['DELETE /v1/things/:thing_id']), [200])
  assert.deepEqual(statuses(['DELETE /v1/things/:thing_id'], Type.Object({})), [204])
})

test('an invalid route stops the start', () => {
  for (const rest of ['things', 'GET things', 'LIST /v1/things', 'GET /things', 'GET /v1/:other']) {
    assert.throws(() => routesOf(thing(rest)), /thing\.save has the route/, rest)
  }
})
