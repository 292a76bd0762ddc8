/** An authenticator app: it is set up by a QR code and its first code, and removed. */
import { randomBytes } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { emailOf } from '../members/user.ts'
import { lockUser } from '../members/user-queries.ts'
import { proveSession } from '../sign-in/session.ts'
import {
  arrayOf,
  type CodeDeps,
  digits,
  limitGuesses,
  longestCode,
  makeRecoveryCodes,
  period,
  sealContext,
  stepOf,
} from './codes.ts'
import { findApp, hasFactor, ownFactors, recoveryCodesLeft } from './factor.ts'
import { checkFactorLeft, checkOwnFactor, recordOfPerson } from './own-factor.ts'

/** 160 bits, the length of SHA-1 (RFC 4226, section 4). */
const secretBytes = 20
/** How long an app may take to be set up. */
const setUpFor = minutes(30)

export interface FactorDeps extends CodeDeps {
  /** Whether the operator requires a second factor of everybody. */
  isRequired: boolean
}

export const codeInput = Type.String({
  minLength: 1,
  maxLength: longestCode,
  description: 'Six digits of the authenticator app, or a recovery code.',
})

const recoveryCodes = Type.Optional(
  Type.Array(Type.String(), { description: 'Ten recovery codes, which are shown this once.' }),
)

export function factorStart({ vault }: Pick<FactorDeps, 'vault'>) {
  return operation({
    name: 'factor.start',
    title: 'Set up an authenticator app',
    summary:
      'Makes a secret for an authenticator app of the person. It counts once the first code of the app has been sent, within 30 minutes.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/factors/app',
    input: {},
    output: Type.Object({
      secret: Type.String({ description: 'Base32, to be typed where no camera is.' }),
      uri: Type.String({ description: 'otpauth://…' }),
      qr: Type.String({ description: 'The address as the SVG of a QR code.' }),
    }),

    async run(context) {
      const { db, principal, write, now } = context
      await checkOwnFactor(context)
      const { userId } = principal
      const email = (await emailOf(db, userId)) ?? ''
      const secret = await write((tx) => startApp(tx, vault, { userId, now }))
      return shownSecret(Buffer.from(secret, 'base64url'), email)
    },
  })
}

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

export function factorAdd(deps: FactorDeps) {
  return operation({
    name: 'factor.add',
    title: 'Add an authenticator app',
    summary:
      'Adds the authenticator app that was set up, by its first code. With the first factor the person gets ten recovery codes. They are told by mail.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'An authenticator app is added',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/factors/app/add',
    status: 201,
    input: { code: codeInput },
    output: Type.Object({ recovery_codes: recoveryCodes }),

    async run(context, { code }) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId, sessionId } = principal
      return limitGuesses(deps, { userId, now }, () =>
        write(async (tx) => {
          const codes = await addApp(tx, deps, { userId, code, now })
          if (sessionId) await proveSession(tx, sessionId, { by: 'code', now })
          await recordOfPerson(tx, { userId, action: 'factor.add', origin }, now)
          return codes ? { recovery_codes: codes } : {}
        }),
      )
    },
  })
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

export function factorRemove({ notices, isRequired }: Pick<FactorDeps, 'notices' | 'isRequired'>) {
  return operation({
    name: 'factor.remove',
    title: 'Remove the authenticator app',
    summary:
      'The codes of the person’s authenticator app no longer count. They are told by mail. The last factor stays where one is required.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'An authenticator app is removed',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'DELETE /v1/factors/app',
    input: {},
    output: Type.Object({}),

    async run(context) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId } = principal
      return write(async (tx) => {
        await lockUser(tx, userId)
        if ((await deleteApp(tx, userId)) === 0) return {}
        await checkFactorLeft(tx, { userId, isRequired })
        await notices.queue(tx, { userId, event: 'app_removed', now })
        await recordOfPerson(tx, { userId, action: 'factor.remove', origin }, now)
        return {}
      })
    },
  })
}

const deleteApp = (db: Db, userId: Id<'user'>) =>
  db.run(sql`delete from authenticator_apps where user_id = ${userId}`)

export function factorCodes({ vault, notices }: Pick<FactorDeps, 'vault' | 'notices'>) {
  return operation({
    name: 'factor.codes',
    title: 'Make recovery codes',
    summary:
      'Makes ten new recovery codes in place of those before, and shows them this once. The person is told by mail.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'Recovery codes are made',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    rest: 'POST /v1/factors/codes',
    status: 201,
    input: {},
    output: Type.Object({ recovery_codes: Type.Array(Type.String()) }),

    async run(context) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId } = principal
      return write(async (tx) => {
        await lockUser(tx, userId)
        if (!hasFactor(await ownFactors(tx, userId))) throw noFactorYet()
        const recovery_codes = await makeRecoveryCodes(tx, vault, { userId, now })
        await notices.queue(tx, { userId, event: 'codes_made', now })
        await recordOfPerson(tx, { userId, action: 'factor.codes', origin }, now)
        return { recovery_codes }
      })
    },
  })
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

const noFactorYet = () =>
  refuse('conflict', 'Add a passkey or an authenticator app first.', {
    data: { reason: 'no_factor' },
  })
