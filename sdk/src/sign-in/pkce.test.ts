import assert from 'node:assert/strict'
import { test } from 'node:test'
import { challengeOf, newPkce, randomText, sameText } from './pkce.ts'

test('the PKCE challenge equals the example of RFC 7636 appendix B', async () => {
  const challenge = await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')
  assert.equal(challenge, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
})

test('a PKCE verifier is 32 random bytes in base64url without padding', async () => {
  const { verifier, challenge } = await newPkce()
  assert.match(verifier, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(Buffer.from(verifier, 'base64url').length, 32)
  assert.equal(challenge, await challengeOf(verifier))
  assert.notEqual((await newPkce()).verifier, verifier)
})

test('two random texts differ', () => {
  assert.notEqual(randomText(), randomText())
})

test('two texts compare equal only if every character is equal', () => {
  assert.equal(sameText('abc', 'abc'), true)
  for (const other of ['', 'ab', 'abcd', 'abd', 'xbc']) {
    assert.equal(sameText(other, 'abc'), false, other)
    assert.equal(sameText('abc', other), false, other)
  }
})
