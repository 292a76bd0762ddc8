import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../../tests/support/refused.ts'
import { parameterFault, readParameters, requireParameters } from './parameters.ts'

test('a parameter with an empty value counts as missing', () => {
  const read = readParameters({ code: '', client_id: 'c' })
  const refusal = refusedBy(() => requireParameters(read, ['client_id', 'code']))
  assert.equal(refusal.code, 'invalid_request')
  assert.match(refusal.message, /lacks code\.$/)
})

test('all missing parameters are named at once', () => {
  const refusal = refusedBy(() => requireParameters(readParameters({}), ['client_id', 'code']))
  assert.match(refusal.message, /client_id, code/)
})

test('a parameter sent twice is refused, even with the same value', () => {
  const refusal = parameterFault(readParameters({ code: ['a', 'a'] }))
  assert.equal(refusal?.code, 'invalid_request')
  assert.match(refusal.message, /code was sent more than once/)
})

test('a NUL character is refused before it reaches the database', () => {
  assert.match(parameterFault(readParameters({ code: 'a\0' }))?.message ?? '', /NUL/)
})

test('property names inherited by objects are not parameters', () => {
  const read = readParameters({})
  assert.equal(read.values['constructor'], undefined)
  assert.equal(read.values['toString'], undefined)
})
