/**
 * Signing secrets: shown once, sealed at rest, and limited in time. The secrets that sign are
 * chosen when a delivery is signed, so that a late job never uses an expired secret.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import { randomToken, type Vault } from '../../lib/crypto/vault.ts'

export type Sealer = Pick<Vault, 'seal' | 'open'>

interface SecretName {
  webhookId: Id<'webhook'>
  version: number
}

export interface SealedSecret extends SecretName {
  sealed: Buffer
}

/** Creates a secret and seals it at once. Only the response to its caller has it in plain text. */
export function newSecret(vault: Sealer, name: SecretName): SealedSecret {
  const secret = `whsec_${randomToken()}`
  return { ...name, sealed: vault.seal(contextOf(name), Buffer.from(secret)) }
}

/** The secret as receivers have it. All of its bytes, including the prefix, are the HMAC's key. */
export function openSecret(vault: Sealer, { sealed, ...name }: SealedSecret): string {
  return vault.open(contextOf(name), sealed).toString()
}

/** Recently used keys that stay open, because opening one takes longer than the HMAC. */
const keptKeys = 1000

/** Returns the HMAC keys of sealed secrets. */
export function createKeyring(vault: Sealer): (secret: SealedSecret) => KeyObject {
  const keys = new Map<string, KeyObject>()
  return (secret) => {
    // Keyed by the sealed bytes, because a newly sealed secret is a different secret.
    const name = secret.sealed.toString('base64')
    let key = keys.get(name)
    if (!key) {
      key = createSecretKey(Buffer.from(openSecret(vault, secret)))
      setNewest(keys, [name, key], keptKeys)
    }
    return key
  }
}

const contextOf = ({ webhookId, version }: SecretName) => `webhook_secrets ${webhookId} ${version}`
