/**
 * A guarded form requires work of a visitor's browser: a number that, after the page's token, gives
 * a hash that begins with zero bits. A person does not notice it, but it makes many posts costly.
 */
import { createHash } from 'node:crypto'
import { guardLimits } from '../guard/limits.ts'

/** The most digits of a proof, which is a decimal number; longer ones are not checked. */
const proofLength = 20

export function isProof(token: string, proof: string): boolean {
  if (proof === '' || proof.length > proofLength) return false
  const hash = createHash('sha256').update(`${token} ${proof}`).digest()
  return Math.clz32(hash.readUInt32BE(0)) >= guardLimits.proofBits
}
