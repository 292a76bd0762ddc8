/**
 * One-time codes (TOTP, RFC 6238) and recovery codes: each counts once, and five wrong ones in a
 * quarter of an hour make the person wait.
 */
import { randomBytes } from 'node:crypto'
import { isRefusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sha256, type Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { countAttempt, takeBackAttempt } from '../../lib/rate-limit/attempts.ts'
import { days, minutes, seconds } from '../../lib/time/clock.ts'
import { findApp, recoveryCodeCount } from './factor.ts'
import type { FactorNotices } from './notice.ts'

/** Seconds of one code (RFC 6238, section 4). */
export const period = 30
export const digits = 6
/** The periods before and after the present one whose codes count, as clocks differ (section 5.2). */
const tolerance = 1
const wrongCodes = 5
const windowMs = minutes(15)
/** Characters of a recovery code: 16 of 32 letters are 80 bits. */
const recoveryLength = 16
/** The longest text that is read as a code. */
export const longestCode = 64

export type CodeKind = 'code' | 'recovery_code'

export interface CodeDeps {
  db: Database
  vault: Vault
  notices: FactorNotices
}

interface CodeUse {
  userId: Id<'user'>
  /** As it was typed. */
  code: string
  now: Date
}

/**
 * Runs `work`, which takes a code, unless the person has had five wrong ones in a quarter of an
 * hour. A right one does not count.
 */
export async function limitGuesses<T>(
  { db, vault, notices }: CodeDeps,
  { userId, now }: Pick<CodeUse, 'userId' | 'now'>,
  work: () => Promise<T>,
): Promise<T> {
  const attempt = { purpose: 'second-factor', subject: userId, limit: wrongCodes, windowMs, now }
  const tooMany = await countAttempt(db, vault, attempt)
  if (tooMany) {
    const notice = {
      purpose: 'second-factor-told',
      subject: userId,
      limit: 1,
      windowMs: days(1),
      now,
    }
    await db.tx(async (tx) => {
      if (await countAttempt(tx, vault, notice)) return
      await notices.queue(tx, { userId, event: 'guessed', now })
    })
    throw tooMany
  }
  try {
    const outcome = await work()
    await takeBackAttempt(db, vault, attempt)
    return outcome
  } catch (error) {
    const isWrong = isRefusal(error) && error.details.data?.['reason'] === 'wrong_factor_code'
    if (!isWrong) await takeBackAttempt(db, vault, attempt)
    throw error
  }
}

/** Takes the code in this transaction, and throws a refusal if it is wrong or was used before. */
export async function takeCode(
  tx: Tx,
  { vault, notices }: Pick<CodeDeps, 'vault' | 'notices'>,
  { userId, code, now }: CodeUse,
): Promise<CodeKind> {
  const typed = code.slice(0, longestCode).replace(/[\s-]/g, '').toUpperCase()
  if (typed.length === digits && (await takeOneTimeCode(tx, vault, { userId, code: typed, now }))) {
    return 'code'
  }
  if (typed.length === recoveryLength) {
    const used = await tx.run(sql`
      update recovery_codes set used_at = ${now}
      where user_id = ${userId} and hash = ${recoveryHash(vault, userId, typed)} and used_at is null
    `)
    if (used === 1) {
      await notices.queue(tx, { userId, event: 'recovery_code_used', now })
      return 'recovery_code'
    }
  }
  throw wrongCode()
}

async function takeOneTimeCode(
  tx: Tx,
  vault: Pick<Vault, 'open'>,
  { userId, code, now }: CodeUse,
): Promise<boolean> {
  const app = await findApp(tx, userId)
  if (!app?.secret) return false
  const step = await stepOf(vault.open(sealContext(userId), app.secret), code, now)
  if (step === undefined) return false
  const taken = await tx.run(sql`
    update authenticator_apps set last_step = ${step}, last_used_at = ${now}
    where user_id = ${userId} and last_step < ${step}
  `)
  return taken === 1
}

/** The time step of which it is the code, undefined if of none that counts now. */
export async function stepOf(secret: Buffer, code: string, now: Date): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: new Secret({ buffer: arrayOf(secret) }), digits, period })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: tolerance })
  if (delta === null) return undefined
  return Math.floor(timestamp / seconds(period)) + delta
}

export const arrayOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

export const sealContext = (userId: Id<'user'>): string => `authenticator_apps ${userId}`

/** Makes ten new codes in place of those before, and returns them as they are shown, once. */
export async function makeRecoveryCodes(
  tx: Tx,
  vault: Pick<Vault, 'hmac'>,
  { userId, now }: { userId: Id<'user'>; now: Date },
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`
    insert into recovery_codes (user_id, hash, made_at)
    select ${userId}, hash, ${now}
    from unnest(${codes.map((code) => recoveryHash(vault, userId, code))}::bytea[]) as hash
  `)
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'))
}

/** The letters of base32 (RFC 4648, section 6), which are hard to misread. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function newRecoveryCode(): string {
  return [...randomBytes(recoveryLength)].map((byte) => letters[byte % letters.length]).join('')
}

function recoveryHash(vault: Pick<Vault, 'hmac'>, userId: Id<'user'>, code: string): Buffer {
  return sha256(vault.hmac('recovery-code', `${userId} ${code}`))
}

const wrongCode = () =>
  refuse(
    'access_denied',
    'That code is wrong, or was used before. Wait for the next code of your authenticator app, or use a recovery code.',
    { field: 'code', data: { reason: 'wrong_factor_code' } },
  )
