/**
 * A hosted page carries a token that records when the page was made. It identifies posts that no
 * page preceded, and posts that arrive sooner than a person can write.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { hostedFormLimits } from './limits.ts'

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
