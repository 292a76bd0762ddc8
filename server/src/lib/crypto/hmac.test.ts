import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyedHash } from './vault.ts'

test('keyedHash is HMAC-SHA-256 for any length of key and data', () => {
  for (const keyLength of [0, 1, 20, 32, 63, 64]) {
    const key = randomBytes(keyLength)
    const hashOf = keyedHash(key)
    // Longer and shorter data alternate: nothing of one may remain for the next.
    for (const length of [0, 1, 49, 55, 56, 64, 255, 256, 257, 5_000, 256, 49, 0]) {
      const data = randomBytes(length)
      const expected = createHmac('sha256', key).update(data).digest('hex')
      assert.equal(hashOf(data).toString('hex'), expected, `${keyLength} and ${length} bytes`)
    }
  }
})

test('keyedHash matches the test vectors of RFC 4231', () => {
  const vectors = [
    [
      '0b'.repeat(20),
      Buffer.from('Hi There'),
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      Buffer.from('Jefe').toString('hex'),
      Buffer.from('what do ya want for nothing?'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      'aa'.repeat(20),
      Buffer.alloc(50, 0xdd),
      '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    ],
  ] as const
  for (const [key, data, expected] of vectors) {
    assert.equal(keyedHash(Buffer.from(key, 'hex'))(data).toString('hex'), expected)
  }
})

test('a text is hashed as UTF-8', () => {
  const key = randomBytes(32)
  const text = 'größer ☃ 🦊'
  assert.deepEqual(keyedHash(key)(text), createHmac('sha256', key).update(text).digest())
})

test('a returned hash is not changed by the next call', () => {
  const hashOf = keyedHash(randomBytes(32))
  const first = hashOf('one')
  const before = first.toString('hex')
  hashOf('two')
  assert.equal(first.toString('hex'), before)
})

test('a key longer than a block is refused instead of shortened', () => {
  assert.throws(() => keyedHash(randomBytes(65)), RangeError)
})
