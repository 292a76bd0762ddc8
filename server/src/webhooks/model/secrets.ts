/**
 * Signing secrets: shown once, sealed at rest, expired by time. Which secrets sign is decided when
 * a delivery is signed, so that a late job never uses an expired one.
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

/** Creates a secret and seals it at once: only the answer to its caller holds it in the clear. */
export function newSecret(vault: Sealer, name: SecretName): SealedSecret {
  const secret = `whsec_${randomToken()}`
  return { ...name, sealed: vault.seal(contextOf(name), Buffer.from(secret)) }
}

/** The secret as receivers have it; the HMAC's key is all of its bytes, including the prefix. */
export function openSecret(vault: Sealer, { sealed, ...name }: SealedSecret): string {
  return vault.open(contextOf(name), sealed).toString()
}

/** Recently used keys that are kept open: opening one per delivery takes longer than the HMAC. */
const keptKeys = 1000

/** Gives the HMAC keys of sealed secrets. */
export function createKeyring(vault: Sealer): (secret: SealedSecret) => KeyObject {
  const keys = new Map<string, KeyObject>()
  return (secret) => {
    // Keyed by the sealed bytes: a newly sealed secret is a different one.
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
