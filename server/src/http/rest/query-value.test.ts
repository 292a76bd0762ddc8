import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../../tests/support/refused.ts'
import { type TSchema, Type } from '../../lib/schema/schema.ts'
import { queryValue } from './read-input.ts'

const read = (schema: TSchema, ...texts: string[]) => queryValue('field', schema, texts)

function fault(schema: TSchema, ...texts: string[]): string {
  const { code, message, details } = refusedBy(() => read(schema, ...texts))
  assert.deepEqual([code, details.field], ['invalid_request', 'field'])
  return message
}

test('a query value is parsed by the type of its schema', () => {
  assert.equal(read(Type.String(), '12'), '12')
  assert.equal(read(Type.Enum(['a', 'b']), 'a'), 'a')
  assert.equal(read(Type.Integer(), '12'), 12)
  assert.equal(read(Type.Number(), '-1.5e3'), -1500)
  assert.equal(read(Type.Boolean(), 'true'), true)
  assert.equal(read(Type.Boolean(), 'false'), false)
  assert.deepEqual(read(Type.Array(Type.String()), 'a', 'b,c'), ['a', 'b,c'])
  assert.deepEqual(read(Type.Array(Type.Enum(['a'])), 'a'), ['a'])
  assert.deepEqual(read(Type.Object({}), '{"a":[1]}'), { a: [1] })
  assert.deepEqual(read(Type.Optional(Type.Integer()), '7'), 7)
})

test('a query value of the wrong type is refused with its field', () => {
  for (const text of ['', 'ten', '1_0', ' 1', '0x10', '1.', '.5', 'NaN', 'Infinity', '01']) {
    assert.match(fault(Type.Integer(), text), /field must be a number/)
  }
  for (const text of ['', '1', 'yes', 'TRUE']) assert.match(fault(Type.Boolean(), text), /true or/)
  assert.match(fault(Type.Object({}), '{"a":'), /is not JSON: line 1/)
  for (const schema of [Type.String(), Type.Integer(), Type.Boolean()]) {
    assert.match(fault(schema, 'true', 'true'), /more than once/)
  }
})
