import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { isRefusal } from '../../core/errors.ts'
import { challengeOf, isChallenge } from './pkce.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'
const verifiers = fc.string({
  unit: fc.constantFrom(...alphabet.split('')),
  minLength: 43,
  maxLength: 128,
})

test('the challenge of RFC 7636 appendix B is computed correctly', () => {
  assert.equal(
    challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('every verifier of the full alphabet has its SHA-256 challenge in base64url', () => {
  fc.assert(
    fc.property(verifiers, (verifier) => {
      const expected = createHash('sha256').update(verifier, 'ascii').digest('base64url')
      assert.equal(challengeOf(verifier), expected)
      assert.ok(isChallenge(expected))
    }),
    { numRuns: 500 },
  )
})

test('a verifier with a character outside the alphabet at any position is malformed', () => {
  const strange = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
  fc.assert(
    fc.property(verifiers, strange, fc.nat(), (verifier, character, at) => {
      fc.pre(!alphabet.includes(character))
      const i = at % (verifier.length + 1)
      const outcome = challengeOf(verifier.slice(0, i) + character + verifier.slice(i))
      assert.ok(isRefusal(outcome))
      assert.equal(outcome.code, 'invalid_request')
    }),
  )
})

test('a verifier of fewer than 43 or more than 128 characters is malformed', () => {
  for (const length of [1, 5, 42, 129, 500]) {
    const outcome = challengeOf('a'.repeat(length))
    assert.ok(isRefusal(outcome), String(length))
    assert.deepEqual([outcome.code, outcome.details.field], ['invalid_request', 'code_verifier'])
  }
  for (const length of [43, 128]) assert.ok(!isRefusal(challengeOf('a'.repeat(length))))
})

test('a challenge is 43 characters of base64url without padding', () => {
  assert.ok(isChallenge('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'))
  for (const text of [
    '',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM\n',
  ]) {
    assert.ok(!isChallenge(text), text)
  }
})
