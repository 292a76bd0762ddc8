/**
 * Signing secrets: shown once, sealed at rest, and limited in time. The secrets that sign are
 * chosen when a delivery is signed, so that a late job never uses an expired secret.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import type { Vault } from '../../lib/crypto/vault.ts'

export type Sealer = Pick<Vault, 'seal' | 'open'>

interface SecretName {
  webhookId: Id<'webhook'>
  version: number
}

export interface SealedSecret extends SecretName {
  sealed: Buffer
}

const prefix = 'whsec_'
const secretBytes = 32

/** Creates a secret and seals it at once. Only the response to its caller has it in plain text. */
export function newSecret(vault: Sealer, name: SecretName): SealedSecret {
  const secret = prefix + randomBytes(secretBytes).toString('base64')
  return { ...name, sealed: vault.seal(contextOf(name), Buffer.from(secret)) }
}

/** The secret as receivers have it. All of its bytes, including the prefix, are the HMAC's key. */
export function openSecret(vault: Sealer, { sealed, ...name }: SealedSecret): string {
  return vault.open(contextOf(name), sealed).toString()
}

/** Recently used keys that stay open, because opening one takes longer than the HMAC. */
const keptKeys = 1000

/** The HMAC keys of one secret. */
export interface SigningKeys {
  /** The key of the contract's signature: the bytes of the whole secret, with its prefix. */
  whole: KeyObject
  /**
   * The key of Standard Webhooks: the bytes that the part after the prefix encodes as Base64. Secrets
   * from before they were Base64 have none.
   */
  decoded: KeyObject | undefined
}

/** Returns the HMAC keys of sealed secrets. */
export function createKeyring(vault: Sealer): (secret: SealedSecret) => SigningKeys {
  const keys = new Map<string, SigningKeys>()
  return (secret) => {
    // Keyed by the sealed bytes, because a newly sealed secret is a different secret.
    const name = secret.sealed.toString('base64')
    let key = keys.get(name)
    if (!key) {
      key = keysOf(openSecret(vault, secret))
      setNewest(keys, [name, key], keptKeys)
    }
    return key
  }
}

function keysOf(secret: string): SigningKeys {
  const bytes = Buffer.from(secret.slice(prefix.length), 'base64')
  const isBase64 = secret === prefix + bytes.toString('base64')
  return {
    whole: createSecretKey(Buffer.from(secret)),
    decoded: isBase64 ? createSecretKey(bytes) : undefined,
  }
}

/** Under which a secret is sealed. */
export const contextOf = ({ webhookId, version }: SecretName) =>
  `webhook_secrets ${webhookId} ${version}`
