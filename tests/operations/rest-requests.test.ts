/**
 * Whatever request reaches the gateway gets an answer, or a refusal from the error table. Never a
 * fault of the service, and a request that was not understood writes nothing.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { statusOf } from 'crier-server/core/errors.ts'
import { allRoutes } from 'crier-server/operations/routes.ts'
import { type RestCaller, requestFor, routeOf } from '../support/clients/rest-caller.ts'
import type { Answer } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { fc } from '../support/properties.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { anything, nastyKeys } from './support/nasty.ts'
import { assertNoFault } from './support/no-fault.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let own: Belongings
let caller: RestCaller

before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha')
  caller = await testbed.restCaller({ businesses: [own.id] })
})
after(() => testbed.close())

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const routes = allRoutes(catalog)
const fieldNames = catalog.flatMap(({ input }) => Object.keys(input.properties))

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map(encodeURIComponent),
  fc.constantFrom('frm_1', '%00', '%ff', '%', '..%2f', ';', ':form_id', 'a'.repeat(700), '%2e'),
)
const path = fc
  .tuple(fc.constantFrom(...routes.map((route) => route.path)), fc.array(piece, { maxLength: 3 }))
  .map(([pattern, pieces]) => {
    let next = 0
    const filled = pattern.replace(/:[a-z_]+/g, () => pieces[next++] ?? own.form_id)
    return [filled, ...pieces.slice(next)].join('/')
  })
const query = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...fieldNames, ...nastyKeys), fc.string({ unit: 'grapheme' })),
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('1', 'true', '-1', '1e400', '{}', '%00', '\0', '[]', 'null'),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''))
const rawQuery = fc.oneof(
  query,
  fc.constantFrom('?', '?&&==', '?%zz=%', '?limit', '?limit=1&limit=2'),
)
const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: anything.map((value) => JSON.stringify(value)) },
  fc.constantFrom('{', '[]', 'null', '""', '{"__proto__":{}}', '\0', '{"business_id":1}'),
)
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json;charset=x'),
    'idempotency-key': fc.constantFrom('', 'k', 'k'.repeat(300), 'a, b', '""'),
    accept: fc.constantFrom('text/html', 'application/xml', ';'),
  },
  { requiredKeys: [] },
)

/** Asserts that a refusal is in the error table, with its status. */
function assertFair(answer: Answer): void {
  assertNoFault(answer)
  if (answer.status < 400 || answer.text === '') return
  const { code, error, message, request_id } = answer.body
  assert.equal(statusOf[String(code) as keyof typeof statusOf], answer.status, answer.text)
  assert.equal(error, code)
  assert.ok(typeof message === 'string' && message !== '')
  assert.match(String(request_id), /^req_/)
}

test('almost valid requests to a route cause no server error', async () => {
  const drawn = fc.record({ method: fc.constantFrom(...methods), path, rawQuery, body, headers })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ method, path, rawQuery, body, headers }) => {
      const bodiless = body === undefined || method === 'GET' || method === 'HEAD'
      const more = bodiless ? { headers } : { body, headers }
      assertFair(await caller.send(method, path + rawQuery, more))
    }),
    { numRuns: 800 },
  )
})

// An empty body is a call without fields, which may be valid.
test('bodies of arbitrary bytes cause no server error and write nothing', async () => {
  const before = await fingerprint(testbed.db)
  const writing = routes.filter(({ fieldsIn }) => fieldsIn === 'body')
  const drawn = fc.tuple(
    fc.constantFrom(...writing),
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.string({ unit: 'binary', minLength: 1 }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(drawn, async ([route, bytes]) => {
      const { method, path } = requestFor(route, { ...own })
      assertFair(await caller.send(method, path, { body: bytes as BodyInit }))
    }),
    { numRuns: 300 },
  )
  assert.deepEqual(await fingerprint(testbed.db), before)
})

test('a request that is cut, doubled or scrambled anywhere causes no server error', async () => {
  const calls = catalog.map(({ name }) => {
    const input = lines[name]?.sample(own) ?? {}
    return requestFor(routeOf(catalog, name, input), input)
  })
  const drawn = fc.record({
    call: fc.constantFrom(...calls),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(12),
    instead: fc.constantFrom('', '"', '}', '\\', '\\u0000', '\\ud800', '0', '%', '&', '=', '/'),
  })
  const scrambled = (
    text: string,
    { from, length, instead }: { from: number; length: number; instead: string },
  ) => {
    const at = Math.floor(from * text.length)
    return text.slice(0, at) + instead + text.slice(at + length)
  }
  await fc.assert(
    fc.asyncProperty(drawn, async ({ call, ...how }) => {
      const { method, path, body } = call
      const answer =
        body === undefined
          ? await caller.send(method, `/v1/${scrambled(path.slice(4), how)}`)
          : await caller.send(method, path, { body: scrambled(body, how) })
      assertFair(answer)
    }),
    { numRuns: 400 },
  )
})

test('endless nesting in any field causes no server error', async () => {
  const deep = 50_000
  for (const nested of ['['.repeat(deep), `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`]) {
    for (const route of routes.filter(({ fieldsIn }) => fieldsIn === 'body')) {
      const { method, path } = requestFor(route, { ...own })
      for (const key of [...route.fields, 'more']) {
        assertFair(await caller.send(method, path, { body: `{"${key}":${nested}}` }))
      }
    }
  }
})
