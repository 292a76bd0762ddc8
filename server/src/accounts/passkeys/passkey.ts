/**
 * A person's passkeys (WebAuthn, Level 3): what is stored of each, and the statements about them.
 *
 * Reading order: challenge.ts, start.ts (what a browser needs), answer.ts (what it answers is
 * verified), add.ts, confirm.ts, sign-in.ts, list.ts, save.ts, remove.ts, notice.ts.
 */
import { refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'

export const passkeyLimits = {
  /** The most passkeys of one person. */
  count: 10,
  nameLength: 100,
  /** Characters of what a browser answers, as JSON: with a large key and its chain about 8,000. */
  answerLength: 20_000,
} as const

/** Signature algorithms of passkeys (RFC 9053; IANA COSE): EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257]

/** What a person is told by mail. `copied`: its counter went back, as if a copy were in use. */
export type PasskeyEvent = 'added' | 'removed' | 'copied'

export interface Passkey {
  id: Id<'passkey'>
  userId: Id<'user'>
  /** The authenticator's name for it. */
  credentialId: Buffer
  /** A COSE_Key (RFC 9052, section 7). */
  publicKey: Buffer
  /** How often it was used, as the authenticator counts; 0 where it does not. */
  counter: number
  transports: string[]
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** The person's passkeys, oldest first. */
export function passkeysOf(db: Db, userId: Id<'user'>): Promise<Passkey[]> {
  return db.all(sql`
    select id, user_id as "userId", credential as "credentialId", public_key as "publicKey",
      counter::float8 as counter, transports, name, created_at as "createdAt",
      last_used_at as "lastUsedAt"
    from passkeys
    where user_id = ${userId} order by id
    limit ${passkeyLimits.count}
  `)
}

export function findPasskey(db: Db, credentialId: Buffer): Promise<Passkey | undefined> {
  return db.maybe(sql`
    select id, user_id as "userId", credential as "credentialId", public_key as "publicKey",
      counter::float8 as counter, transports, name, created_at as "createdAt",
      last_used_at as "lastUsedAt"
    from passkeys
    where credential = ${credentialId}
  `)
}

/** Whether the person has a passkey. */
export async function hasPasskey(db: Db, userId: Id<'user'>): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (select from passkeys where user_id = ${userId}) as found
  `)
  return found
}

export interface NewPasskey extends Omit<Passkey, 'createdAt' | 'lastUsedAt'> {
  now: Date
}

/** Returns 0 if the credential is registered already. */
export function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<number> {
  return tx.run(sql`
    insert into passkeys
      (id, user_id, credential, public_key, counter, transports, name, created_at)
    values (${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.counter}, ${passkey.transports}, ${passkey.name}, ${passkey.now})
    on conflict (credential) do nothing
  `)
}

/** Returns 0 if it was used or removed since it was read. */
export function countPasskeyUse(
  tx: Tx,
  { id, counter }: Pick<Passkey, 'id' | 'counter'>,
  use: { counter: number; now: Date },
): Promise<number> {
  return tx.run(sql`
    update passkeys set counter = ${use.counter}, last_used_at = ${use.now}
    where id = ${id} and counter = ${counter}
  `)
}

export function namePasskey(
  tx: Tx,
  userId: Id<'user'>,
  { id, name }: Pick<Passkey, 'id' | 'name'>,
): Promise<number> {
  return tx.run(sql`update passkeys set name = ${name} where user_id = ${userId} and id = ${id}`)
}

export function deletePasskey(
  tx: Tx,
  userId: Id<'user'>,
  id: Id<'passkey'>,
): Promise<{ name: string } | undefined> {
  return tx.maybe(sql`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name
  `)
}

export const passkeyIdInput = Type.String({ maxLength: 40, description: 'pky_…' })

export const passkeyName = Type.String({
  minLength: 1,
  maxLength: passkeyLimits.nameLength,
  pattern: '\\S',
  description: 'By which the person knows it, such as “My phone”.',
})

export function passkeyIdIn(text: string): Id<'passkey'> {
  const id = parseId('passkey', text)
  if (id) return id
  throw noSuchPasskey(text)
}

export const noSuchPasskey = (id: string) =>
  refuse('not_found', `You have no passkey ${id}. It may have been removed already.`, {
    field: 'passkey_id',
  })
