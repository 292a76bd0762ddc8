/**
 * An API key: the bearer token of a program that cannot sign a person in. Each key is a connection
 * of its own, of one business and without a client, so that provenance, last use, revocation and
 * the rights of webhooks work for it as for every connection.
 */

import type { Id } from '../../core/ids.ts'
import type { Role, Scope } from '../../core/operation.ts'
import { randomToken, sha256 } from '../../lib/crypto/vault.ts'

/** The prefix of every key, by which scanners for leaked secrets find it. */
export const keyPrefix = 'crk_'

/** `crk_` and 32 random bytes in base64url. The guides publish it for secret scanners. */
export const keyPattern = /^crk_[A-Za-z0-9_-]{43}$/

export const keyLimits = {
  nameLength: 100,
  networks: 20,
  /** The most keys of one business, not counting ended ones. */
  perBusiness: 100,
  defaultRecipientsPerDay: 1_000,
}

export interface ApiKey {
  id: Id<'connection'>
  name: string
  /** The email address of the key's maker. */
  madeBy: string
  scopes: Scope[]
  /** Scopes that it was given, and that it does not have as long as it only reads. */
  withheldScopes: Scope[]
  role: Role
  networks: string[]
  recipientsPerDay: number
  /** Null for a key that is older than this limit, or whose limit was lifted. */
  transactionalPerDay: number | null
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  isTest: boolean
  /** Whether its maker's keys are held. */
  isHeld: boolean
  madeById: Id<'user'>
}

export interface NewKey {
  /** Shown only once. */
  secret: string
  hash: Buffer
}

export function newKey(): NewKey {
  const secret = `${keyPrefix}${randomToken()}`
  return { secret, hash: sha256(secret) }
}
