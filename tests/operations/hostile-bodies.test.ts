/** Hostile bodies: endless nesting, odd names, too many bytes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from 'crier-server/config.ts'
import { type ToolCaller, toolCall } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { nastyKeys } from './support/nasty.ts'
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

const depth = 50_000
const nestings = {
  'arrays that are never closed': '['.repeat(depth),
  arrays: '['.repeat(depth) + ']'.repeat(depth),
  objects: `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
}
const places: Record<string, (nested: string) => string> = {
  'as the body': (nested) => nested,
  'as a batch of one': (nested) => `[${nested}]`,
  'as the id': (nested) => `{"jsonrpc":"2.0","id":${nested},"method":"ping"}`,
  'as the method': (nested) => `{"jsonrpc":"2.0","id":1,"method":${nested}}`,
  'as the parameters': (nested) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested}}`,
  'as the name of a tool': (nested) => called(`"name":${nested}`),
  'as the arguments': (nested) => called(`"name":"svc.v1.business.list","arguments":${nested}`),
  'as a version': (nested) =>
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":${nested}}}`,
  'as meta': (nested) => called(`"name":"svc.v1.business.list","_meta":${nested}`),
  'as a version in meta': (nested) =>
    called(`"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":${nested}}`),
}
const called = (params: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}}}`

for (const [what, nested] of Object.entries(nestings)) {
  test(`${depth} nested ${what} cause no server error at any place in a call`, async () => {
    for (const [where, bodyOf] of Object.entries(places)) {
      const answer = await caller.send(bodyOf(nested))
      assert.ok(answer.status < 500, `${where}: ${answer.text}`)
      assertNoFault(answer)
    }
    for (const operation of catalog) {
      for (const key of [...Object.keys(operation.input.properties), 'more']) {
        const params = `"name":"svc.v1.${operation.name}","arguments":{"${key}":${nested}}`
        assertNoFault(await caller.send(called(params)))
      }
    }
  })
}

test('values that override JavaScript’s conversion methods cause no server error', async () => {
  const odd = '{"toString":null,"valueOf":1,"toJSON":{},"length":-1,"then":{}}'
  for (const bodyOf of Object.values(places)) assertNoFault(await caller.send(bodyOf(odd)))
})

test('inherited property names as argument keys are refused and have no effect', async () => {
  const before = await fingerprint(testbed.db)
  for (const { name } of catalog) {
    for (const key of nastyKeys.slice(0, 5)) {
      const odd: [string, unknown] = [key, { isAdmin: true, business_id: 'x' }]
      const sample = Object.entries(lines[name]?.sample(own) ?? {})
      const answer = await caller.call(name, Object.fromEntries([odd, ...sample]))
      assert.deepEqual([answer.kind, answer.body['field']], ['refusal', key], answer.text)
    }
  }
  assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined)
  assert.deepEqual(await fingerprint(testbed.db), before)
})

test('an attribute may have any name except __proto__', async () => {
  const send = (attributes: string) =>
    caller.send(
      called(`"name":"svc.v1.contact.upsert","arguments":{"email":"free@example.com",
        "attributes":${attributes}}`),
    )
  for (const value of ['"x"', '{"admin":true}', 'null']) {
    const { kind, body } = await send(`{"a":1,"__proto__":${value}}`)
    assert.deepEqual([kind, body['field']], ['refusal', 'attributes.__proto__'])
  }
  const saved = await send('{"constructor":"a","toString":"b","hasOwnProperty":"c"}')
  assert.equal(saved.kind, 'answer', saved.text)
  const { contact_id } = saved.body
  const { untrusted } = await caller.get<{ untrusted: object }>('contact.get', { contact_id })
  const attributes = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' }
  assert.deepEqual(untrusted, { name: null, first_name: null, last_name: null, attributes })
})

test('a body over the limit is refused with 413, whether sent whole or in pieces', async () => {
  const before = await fingerprint(testbed.db)
  const call = toolCall('contact.upsert', { email: 'large@example.com' })
  const fill = (bytes: number) => call + ' '.repeat(bytes - call.length)
  const over = fill(limits.toolCallBytes + 1)
  const whole = await caller.send(over)
  assert.deepEqual([whole.status, whole.body['code']], [413, 'too_large'])
  const inPieces = await caller.send(new Blob([over]).stream())
  assert.deepEqual([inPieces.status, inPieces.body['code']], [413, 'too_large'])
  assert.deepEqual(await fingerprint(testbed.db), before)
  const fits = await caller.send(fill(limits.toolCallBytes))
  assert.equal(fits.kind, 'answer')
})
