/**
 * Challenges of passkeys (WebAuthn, section 13.4.3): each is answered once, within five minutes, by
 * the browser that it was made for. It is random bytes, the time and a MAC over both, so that a
 * stranger who loads the sign-in page makes nothing be stored; what is stored is that one was
 * answered.
 */
import { randomBytes } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import { sameBytes, sha256, type Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { later, minutes } from '../../lib/time/clock.ts'

/** How long a challenge can be answered. */
export const challengeLifetime = minutes(5)

const randomLength = 16
const timeLength = 8
const macLength = 32

/** What a challenge may be answered for: an answer for one purpose is none for another. */
export interface ChallengeUse {
  purpose: 'add' | 'confirm' | 'sign-in'
  /** The session's id, or before a sign-in the value of the browser's cookie. */
  holder: string
}

type Hmac = Pick<Vault, 'hmac'>

export function newChallenge(vault: Hmac, use: ChallengeUse, now: Date): string {
  const time = Buffer.alloc(timeLength)
  time.writeBigUInt64BE(BigInt(now.getTime()))
  const head = Buffer.concat([randomBytes(randomLength), time])
  return Buffer.concat([head, macOf(vault, use, head)]).toString('base64url')
}

function macOf(vault: Hmac, { purpose, holder }: ChallengeUse, head: Buffer): Buffer {
  return vault.hmac('passkey-challenge', `${purpose} ${holder} ${head.toString('base64url')}`)
}

/** Throws a refusal unless the challenge was made for this use and is not too old. */
export function checkChallenge(
  vault: Hmac,
  use: ChallengeUse,
  { challenge, now }: { challenge: string; now: Date },
): void {
  const bytes = Buffer.from(challenge, 'base64url')
  const head = bytes.subarray(0, randomLength + timeLength)
  const isOurs =
    bytes.length === randomLength + timeLength + macLength &&
    sameBytes(macOf(vault, use, head), bytes.subarray(head.length))
  if (!isOurs) {
    const text =
      "This passkey response doesn't match this page's request. Load the page again, and use it there."
    throw refuse('access_denied', text, { data: { reason: 'passkey_not_accepted' } })
  }
  const madeAt = new Date(Number(head.readBigUInt64BE(randomLength)))
  if (later(madeAt, challengeLifetime) <= now) throw tookTooLong()
}

const tookTooLong = () =>
  refuse(
    'gone',
    'The passkey was used later than five minutes after it was asked for. Try again.',
    {
      data: { reason: 'passkey_late' },
    },
  )

/** Takes the challenge as answered; throws a refusal if it was answered before. */
export async function answerChallenge(tx: Tx, challenge: string, now: Date): Promise<void> {
  const answered = await tx.run(sql`
    insert into answered_challenges (hash, expires_at)
    values (${sha256(challenge)}, ${later(now, challengeLifetime)})
    on conflict (hash) do nothing
  `)
  if (answered === 1) return
  throw refuse('gone', 'This answer of the passkey was already used. Use the passkey again.', {
    data: { reason: 'passkey_late' },
  })
}

export function deleteAnsweredChallenges(db: Db, now: Date): Promise<number> {
  return db.run(sql`delete from answered_challenges where expires_at < ${now}`)
}
