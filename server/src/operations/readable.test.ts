import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReadable } from './call.ts'

function faultIn(json: string): [string | undefined, string] | undefined {
  const refusal = checkReadable(JSON.parse(json))
  return refusal && [refusal.details.field, refusal.message]
}

test('text in any script is accepted, including surrogate pairs', () => {
  assert.equal(
    faultIn('{"a":["\\ud83d\\ude00","日本","",null,1,true],"b":{"c":"\\u0001"}}'),
    undefined,
  )
})

test('a NUL character in a value or a name is refused with its path', () => {
  assert.deepEqual(faultIn('{"a":{"b":["x","\\u0000"]}}')?.[0], 'a.b[1]')
  assert.deepEqual(faultIn('{"a":{"b\\u0000":1}}'), [
    'a.b␀',
    'a.b␀ as a name must not contain a NUL character.',
  ])
})

test('a lone surrogate is refused in values and in names', () => {
  assert.deepEqual(faultIn('{"a":"\\ud83d"}')?.[0], 'a')
  const [field] = faultIn('{"\\ude00":1}') ?? []
  assert.equal(field, '\ufffd')
})

test('the name __proto__ is refused at any depth', () => {
  assert.deepEqual(
    faultIn('{"attributes":{"__proto__":{"admin":true}}}')?.[0],
    'attributes.__proto__',
  )
})

test('the first fault is the one that is reported', () => {
  assert.equal(faultIn('{"a":"\\u0000","b":"\\u0000"}')?.[0], 'a')
})

test('50,000 nested brackets are refused without a crash', () => {
  const [field = '', message = ''] =
    faultIn(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) ?? []
  assert.match(message, /nested deeper than 32 levels/)
  assert.ok(field.length < 200)
})
