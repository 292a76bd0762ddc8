/** An authenticator app: it is set up by a QR code and its first code, and removed. */
import { randomBytes } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { lockUser } from '../members/user-queries.ts'
import {
  arrayOf,
  type CodeDeps,
  digits,
  longestCode,
  makeRecoveryCodes,
  period,
  sealContext,
  stepOf,
} from './codes.ts'
import { findApp, recoveryCodesLeft } from './factor.ts'

/** 160 bits, the length of SHA-1 (RFC 4226, section 4). */
const secretBytes = 20
/** How long an app may take to be set up. */
const setUpFor = minutes(30)

export interface FactorDeps extends CodeDeps {
  /** Whether the operator requires a second factor of everybody. */
  isRequired: boolean
  /** The provider of the installation, as it names itself; undefined if there is none. */
  issuer: string | undefined
}

export const codeInput = Type.String({
  minLength: 1,
  maxLength: longestCode,
  description: 'Six digits of the authenticator app, or a recovery code.',
})

/** Stores a new secret beside the one in use, and returns it in base64url. */
export async function startApp(
  tx: Tx,
  vault: Pick<Vault, 'seal'>,
  { userId, now }: { userId: Id<'user'>; now: Date },
): Promise<string> {
  const secret = randomBytes(secretBytes)
  const sealed = vault.seal(sealContext(userId), secret)
  await tx.run(sql`
    insert into authenticator_apps (user_id, new_secret, new_secret_at)
    values (${userId}, ${sealed}, ${now})
    on conflict (user_id) do update
    set new_secret = excluded.new_secret, new_secret_at = excluded.new_secret_at
  `)
  return secret.toString('base64url')
}

/** The secret for a camera and for a keyboard. The QR code is made here: nobody else sees it. */
export async function shownSecret(secret: Buffer, email: string) {
  const [{ Secret, TOTP }, { generate }, { toSvgSource }] = await Promise.all([
    import('otpauth'),
    import('lean-qr'),
    import('lean-qr/extras/svg'),
  ])
  const buffer = new Secret({ buffer: arrayOf(secret) })
  const totp = new TOTP({ issuer: 'Crier', label: email, secret: buffer, digits, period })
  const uri = totp.toString()
  return { secret: buffer.base32, uri, qr: toSvgSource(generate(uri)) }
}

/** Takes the first code of the app; returns recovery codes if the person has none. */
export async function addApp(
  tx: Tx,
  { vault, notices }: Pick<FactorDeps, 'vault' | 'notices'>,
  { userId, code, now }: { userId: Id<'user'>; code: string; now: Date },
): Promise<string[] | undefined> {
  await lockUser(tx, userId)
  const app = await findApp(tx, userId)
  if (!app?.newSecret || !app.newSecretAt || later(app.newSecretAt, setUpFor) <= now) {
    throw notStarted()
  }
  const typed = code.replace(/\s/g, '')
  const step = await stepOf(vault.open(sealContext(userId), app.newSecret), typed, now)
  if (step === undefined) throw wrongFirstCode()
  await tx.run(sql`
    update authenticator_apps
    set secret = new_secret, new_secret = null, new_secret_at = null, added_at = ${now},
      last_step = ${step}, last_used_at = ${now}
    where user_id = ${userId}
  `)
  await notices.queue(tx, { userId, event: 'app_added', now })
  return firstRecoveryCodes(tx, vault, { userId, now })
}

/** Recovery codes for a person who has just got a factor and has no codes. */
export async function firstRecoveryCodes(
  tx: Tx,
  vault: Pick<Vault, 'hmac'>,
  person: { userId: Id<'user'>; now: Date },
): Promise<string[] | undefined> {
  if ((await recoveryCodesLeft(tx, person.userId)) > 0) return undefined
  return makeRecoveryCodes(tx, vault, person)
}

const notStarted = () =>
  refuse(
    'conflict',
    'No authenticator app is being set up, or it took longer than 30 minutes. Begin again.',
    { data: { reason: 'app_not_started' } },
  )

const wrongFirstCode = () =>
  refuse('access_denied', 'That is not the code of this app now. Check the phone’s clock.', {
    field: 'code',
    data: { reason: 'wrong_factor_code' },
  })
