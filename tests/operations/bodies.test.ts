/**
 * Whatever bytes reach the tool endpoint, the answer blames the caller and never the service, and a
 * request that was not understood writes nothing.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type ToolCaller, toolCall } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { fc } from '../support/properties.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { anything } from './support/nasty.ts'
import { assertNoFault } from './support/no-fault.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let own: Belongings
let caller: ToolCaller

before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha')
  caller = await testbed.caller({ businesses: [own.id] })
})
after(() => testbed.close())

const junk = fc.oneof(anything, fc.jsonValue({ maxDepth: 3 }))
const orJunk = (values: readonly unknown[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: junk })
const toolNames = catalog.flatMap(({ name }) => [`svc.v1.${name}`, `svc_v1_${name}`, name])

const message = fc
  .record(
    {
      jsonrpc: orJunk(['2.0', '2.0', '2.0', '1.0']),
      id: orJunk([1, 'one', 0, -1, 1.5, 2 ** 60, null]),
      method: orJunk(['tools/call', 'tools/list', 'initialize', 'ping', 'server/discover', 'x']),
      params: fc.oneof(
        fc.record(
          {
            name: orJunk(toolNames),
            arguments: junk,
            cursor: junk,
            protocolVersion: junk,
            capabilities: junk,
            _meta: fc.oneof(
              junk,
              fc.record({
                'io.modelcontextprotocol/protocolVersion': orJunk(['2026-07-28', '2025-06-18']),
                'io.modelcontextprotocol/clientCapabilities': junk,
              }),
            ),
          },
          { requiredKeys: [] },
        ),
        junk,
      ),
    },
    { requiredKeys: [] },
  )
  .map((parts) => JSON.stringify(parts))

const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2025-03-26', '2025-11-25', '2026-07-28', 'x', '9999'),
    'mcp-method': fc.constantFrom('tools/call', 'tools/list', ''),
    'mcp-name': fc.constantFrom('svc.v1.business.list', '=?base64?eA==?=', '=?base64??='),
    accept: fc.constantFrom('application/json', 'text/event-stream', '*/*', 'text/html', ';'),
    'content-type': fc.constantFrom('application/json', 'application/json; charset=latin1'),
  },
  { requiredKeys: [] },
)

async function assertRefusesAll<T>(
  arbitrary: fc.Arbitrary<T>,
  send: (drawn: T) => Promise<Answer>,
) {
  const { db } = testbed
  const before = await fingerprint(db)
  await fc.assert(
    fc.asyncProperty(arbitrary, async (drawn) => assertNoFault(await send(drawn))),
    { numRuns: 400 },
  )
  assert.deepEqual(await fingerprint(db), before)
}

test('almost valid protocol messages cause no server error and write nothing', async () => {
  const drawn = fc.tuple(message, headers)
  await assertRefusesAll(drawn, ([body, sent]) => caller.send(body, sent))
})

test('batches of almost valid messages cause no server error and write nothing', async () => {
  const drawn = fc.array(message, { maxLength: 4 }).map((some) => `[${some.join(',')}]`)
  await assertRefusesAll(drawn, (body) => caller.send(body))
})

test('arbitrary bytes and texts cause no server error and write nothing', async () => {
  const drawn = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary' }))
  await assertRefusesAll(drawn, (body) => caller.send(body as BodyInit))
})

test('a tool call that is cut, doubled or scrambled anywhere causes no server error', async () => {
  const calls = catalog.map(({ name }) => toolCall(name, lines[name]?.sample(own)))
  const drawn = fc.record({
    call: fc.constantFrom(...calls),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(12),
    instead: fc.oneof(fc.constantFrom('', '"', '}', '\\', '\\u0000', '\\ud800', '0'), fc.string()),
  })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ call, from, length, instead }) => {
      const at = Math.floor(from * call.length)
      const body = call.slice(0, at) + instead + call.slice(at + length)
      assertNoFault(await caller.send(body))
    }),
    { numRuns: 400 },
  )
})
