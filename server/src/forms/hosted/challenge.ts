/**
 * A guarded form asks a visitor's browser for work: a number that, behind the page's token, gives a
 * hash that begins with zero bits. A person does not notice it; thousands of posts are costly.
 */
import { createHash } from 'node:crypto'
import { guardLimits } from '../guard/limits.ts'

/** A number in decimal; longer ones are not looked at. */
const proofLength = 20

export function isProof(token: string, proof: string): boolean {
  if (proof === '' || proof.length > proofLength) return false
  const hash = createHash('sha256').update(`${token} ${proof}`).digest()
  return Math.clz32(hash.readUInt32BE(0)) >= guardLimits.proofBits
}
