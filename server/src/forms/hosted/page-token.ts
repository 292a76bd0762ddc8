/**
 * A hosted page carries a token that records when the page was made. It identifies posts that no
 * page preceded, and posts that arrive sooner than a person can write.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { guardLimits } from '../guard/limits.ts'
import { hostedFormLimits } from './hosted-form.ts'

type Hmac = Pick<Vault, 'hmac'>

export function makePageToken(vault: Hmac, formId: Id<'form'>, now: Date): string {
  const issued = now.getTime().toString(36)
  return `${issued}.${seal(vault, formId, issued).toString('base64url')}`
}

/** `early` and `late`: the page was made less than two seconds or more than a day ago. */
export type PageTokenState = 'valid' | 'early' | 'late' | 'forged'

export function readPageToken(
  vault: Hmac,
  formId: Id<'form'>,
  token: string,
  now: Date,
): PageTokenState {
  const [issued = '', sealed = '', ...rest] = token.slice(0, 100).split('.', 3)
  if (rest.length > 0) return 'forged'
  const received = Buffer.from(sealed)
  const expected = Buffer.from(seal(vault, formId, issued).toString('base64url'))
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 'forged'
  const age = now.getTime() - Number.parseInt(issued, 36)
  if (age < hostedFormLimits.pageAgeMs.least) return 'early'
  return age > hostedFormLimits.pageAgeMs.most ? 'late' : 'valid'
}

function seal(vault: Hmac, formId: Id<'form'>, issued: string): Buffer {
  return vault.hmac('form-page', `${formId} ${issued}`).subarray(0, 16)
}

/** The most digits of a proof, which is a decimal number; longer ones are not checked. */
const proofLength = 20

/**
 * Whether the visitor's browser did the work that a guarded form requires: a number that, after the
 * page's token, gives a hash that begins with zero bits. A person does not notice it, but it makes
 * many posts costly.
 */
export function isProof(token: string, proof: string): boolean {
  if (proof === '' || proof.length > proofLength) return false
  const hash = createHash('sha256').update(`${token} ${proof}`).digest()
  return Math.clz32(hash.readUInt32BE(0)) >= guardLimits.proofBits
}
