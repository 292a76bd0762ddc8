/** Signing in by a passkey, in place of following a link by mail. */

import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { minutes } from '../../lib/time/clock.ts'
import { type AnswerParts, type PasskeyUse, relyingPartyOf, verifyUse } from './answer.ts'
import { newChallenge } from './challenge.ts'
import { countUse, refuseCopy } from './confirm.ts'
import type { PasskeyNotices } from './notice.ts'
import { requestOptions } from './start.ts'

/** Attempts of one network in a quarter of an hour: each checks a signature. */
const perNetwork = 60
const windowMs = minutes(15)

export interface PasskeySignInParts extends AnswerParts {
  db: Database
  vault: Vault
  notices: PasskeyNotices
}

/**
 * What a browser needs to offer its passkeys: the same for everybody, so that nothing tells which
 * addresses have some. Undefined where browsers offer none.
 */
export function signInOptions(
  { vault, site }: AnswerParts,
  browser: string,
  now: Date,
): Record<string, unknown> | undefined {
  const party = relyingPartyOf(site)
  if (party === undefined) return undefined
  return requestOptions(party, newChallenge(vault, { purpose: 'sign-in', holder: browser }, now))
}

export interface PasskeySignIn {
  credential: string
  /** The value of the browser's cookie. */
  browser: string
  /** The network address of the person. */
  from: string
  now: Date
}

/** Verifies the passkey: of this person, or of whoever it belongs to. The use is still to be counted. */
export async function verifySignIn(
  parts: PasskeySignInParts,
  { credential, browser, from, now }: PasskeySignIn,
  userId?: Id<'user'>,
): Promise<PasskeyUse> {
  const { db, vault } = parts
  const attempt = { purpose: 'passkey-sign-in', subject: networkOf(from), limit: perNetwork }
  const tooMany = await countAttempt(db, vault, { ...attempt, windowMs, now })
  if (tooMany) throw tooMany
  const purpose = { purpose: 'sign-in', holder: browser } as const
  const answer = { credential, use: purpose, now, ...(userId && { userId }) }
  const use = await verifyUse(db, parts, answer)
  await refuseCopy(parts, use, now)
  return use
}

/** Verifies the passkey, and runs `work` for its person in the transaction that takes the answer. */
export async function signInByPasskey<T>(
  parts: PasskeySignInParts,
  query: PasskeySignIn,
  work: (tx: Tx, userId: Id<'user'>, passkeyId: Id<'passkey'>) => Promise<T>,
): Promise<T> {
  const use = await verifySignIn(parts, query)
  return parts.db.tx(async (tx) => {
    await countUse(tx, use, query.now)
    return work(tx, use.passkey.userId, use.passkey.id)
  })
}
