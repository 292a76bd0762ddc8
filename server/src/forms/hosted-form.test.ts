import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { guardLimits } from './guard/limits.ts'
import { isProof } from './hosted-form.ts'

function solve(token: string, isGood: (zeros: number) => boolean): string {
  for (let n = 0; ; n++) {
    const hash = createHash('sha256').update(`${token} ${n}`).digest()
    if (isGood(Math.clz32(hash.readUInt32BE(0)))) return String(n)
  }
}

test('a proof of work needs enough leading zero bits, and is valid for its own token only', () => {
  const proof = solve('token', (zeros) => zeros >= guardLimits.proofBits)
  assert.equal(isProof('token', proof), true)
  assert.equal(isProof('other', proof), false)
  const almost = solve('token', (zeros) => zeros === guardLimits.proofBits - 1)
  assert.equal(isProof('token', almost), false)
  assert.equal(isProof('token', ''), false)
  assert.equal(isProof('token', '0'.repeat(21)), false)
})
