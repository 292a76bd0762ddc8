import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { type Envelope, metaKey, readEnvelope } from './protocol.ts'

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: {} } }
const modernMeta = {
  [metaKey('protocolVersion')]: '2026-07-28',
  [metaKey('clientCapabilities')]: {},
}
const modernCall = { ...call, params: { ...call.params, _meta: modernMeta } }
const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'a',
}

function read(message: unknown, headers: Record<string, string> = {}): Envelope {
  return readEnvelope(JSON.stringify(message), headers)
}

function errorOf(envelope: Envelope): { status: number; code: number; id: unknown } {
  assert.equal(envelope.kind, 'answer')
  const { status, json = '' } = envelope.kind === 'answer' ? envelope.answer : { status: 0 }
  const { error, ...rest } = JSON.parse(json) as { error: { code: number }; id?: unknown }
  return { status, code: error.code, id: 'id' in rest ? rest.id : 'absent' }
}

test('the bare call of the contract is read as a legacy request', () => {
  const envelope = read(call)
  assert.equal(envelope.kind, 'one')
  assert.equal(envelope.kind === 'one' && envelope.era, 'legacy')
})

test('a request with the modern version, repeated in its headers, is read as modern', () => {
  const envelope = read(modernCall, modernHeaders)
  assert.equal(envelope.kind === 'one' && envelope.era, 'modern')
})

test('a name beyond ASCII is compared after decoding its header', () => {
  const name = 'prüfen'
  const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`
  const message = { ...modernCall, params: { ...modernCall.params, name } }
  assert.equal(read(message, { ...modernHeaders, 'mcp-name': encoded }).kind, 'one')
  const other = `=?base64?${Buffer.from('andere').toString('base64')}?=`
  assert.equal(errorOf(read(message, { ...modernHeaders, 'mcp-name': other })).code, -32020)
})

test('each error of a modern request has its own code and echoes the id', () => {
  const faults: [unknown, Record<string, string>, number][] = [
    [call, modernHeaders, -32602],
    [modernCall, {}, -32020],
    [modernCall, { ...modernHeaders, 'mcp-protocol-version': '2027-01-01' }, -32020],
    [modernCall, { ...modernHeaders, 'mcp-method': 'ping' }, -32020],
    [modernCall, { ...modernHeaders, 'mcp-name': 'b' }, -32020],
  ]
  for (const [message, headers, code] of faults) {
    assert.deepEqual(errorOf(read(message, headers)), { status: 400, code, id: 1 })
  }
  const meta = { ...modernMeta, [metaKey('protocolVersion')]: '2027-01-01' }
  const unknown = { ...call, params: { ...call.params, _meta: meta } }
  const headers = { ...modernHeaders, 'mcp-protocol-version': '2027-01-01' }
  assert.deepEqual(errorOf(read(unknown, headers)), { status: 400, code: -32022, id: 1 })
})

test('a legacy request with an unknown version is refused, except initialize', () => {
  const headers = { 'mcp-protocol-version': '2024-01-01' }
  assert.deepEqual(errorOf(read(call, headers)), { status: 400, code: -32000, id: 1 })
  assert.equal(read({ ...call, method: 'initialize' }, headers).kind, 'one')
})

test('notifications and responses are accepted without an answer', () => {
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
  ]) {
    const envelope = read(message)
    assert.deepEqual(envelope, { kind: 'answer', answer: { status: 202 } })
  }
})

test('batches are accepted only in version 2025-03-26, with 1 to 50 messages', () => {
  assert.equal(read([call, call]).kind, 'batch')
  assert.equal(read([call], { 'mcp-protocol-version': '2025-03-26' }).kind, 'batch')
  assert.equal(read(Array(50).fill(call)).kind, 'batch')
  assert.equal(errorOf(read(Array(51).fill(call))).code, -32600)
  assert.equal(errorOf(read([])).code, -32600)
  assert.equal(errorOf(read([call], { 'mcp-protocol-version': '2025-06-18' })).code, -32600)
})

test('the id is omitted from an error if it is unknown', () => {
  for (const text of ['{', '1', 'null', '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":{}}']) {
    assert.equal(errorOf(readEnvelope(text, {})).id, 'absent')
  }
})

test('a progress token is a text or a number of _meta', () => {
  const tokenOf = (meta: unknown) => {
    const envelope = read({ ...call, params: { ...call.params, _meta: meta } })
    return envelope.kind === 'one' ? envelope.request.progressToken : 'no request'
  }
  assert.equal(tokenOf({ progressToken: 'a' }), 'a')
  assert.equal(tokenOf({ progressToken: 0 }), 0)
  for (const meta of [undefined, null, {}, { progressToken: {} }]) {
    assert.equal(tokenOf(meta), undefined)
  }
})

test('no request body makes the parser throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (text, version) => {
      const envelope = readEnvelope(text, { 'mcp-protocol-version': version })
      assert.ok(['one', 'batch', 'answer'].includes(envelope.kind))
    }),
    { numRuns: 500 },
  )
})
