/**
 * The code that the first browser shows and another one must type, for links that end at a hosted
 * callback. Without it a stranger could mail someone a link that connects that person's businesses
 * to the stranger's own assistant.
 */

import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sameBytes, type Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { MagicLink } from './magic-link.ts'
import { countShortCodeTry } from './magic-link-queries.ts'

/** A guess is right once in a million, so five tries succeed once in 200,000. */
export const shortCodeTries = 5

/** Hashes the code with a key: a million plain hashes could be searched in a moment. */
export function shortCodeHash(vault: Vault, id: Id<'link'>, code: string): Buffer {
  return vault.hmac('short-code', `${id}:${code}`)
}

export async function checkShortCode(
  deps: { db: Db; vault: Vault },
  link: MagicLink,
  typed: string,
): Promise<Refusal | undefined> {
  if (!link.shortCodeHash) return undefined
  const code = typed.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) {
    const text = 'Type the six digits that the first tab shows.'
    return refuse('invalid_request', text, { field: 'code', data: { reason: 'wrong_code' } })
  }
  const counted = await countShortCodeTry(deps.db, link.id, shortCodeTries)
  if (!counted) {
    return refuse(
      'gone',
      'Too many wrong codes: this link no longer works. Start again in the app.',
      { data: { reason: 'too_many_codes' } },
    )
  }
  const right = sameBytes(shortCodeHash(deps.vault, link.id, code), counted.shortCodeHash)
  return right
    ? undefined
    : refuse(
        'invalid_request',
        'That is not the code shown in the first tab. Check it and try again.',
        {
          field: 'code',
          data: { reason: 'wrong_code' },
        },
      )
}
