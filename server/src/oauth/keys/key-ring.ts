/** One node's copy of the signing keys, read from the database and cached for minutes. */

import { type CryptoKey, importJWK, type JWK } from 'jose'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'
import { listKeys, type StoredKey } from './key-queries.ts'
import { rotateSigningKeys, sealContext } from './keys.ts'

export interface SigningKey {
  kid: string
  key: CryptoKey
}

export interface KeyRing {
  /** The key that signs now. The first key is created if there is none. */
  signing(now: Date): Promise<SigningKey>
  /** The public key with this id. Undefined if no valid token can have it. */
  verifying(kid: string, now: Date): Promise<CryptoKey | undefined>
  /** The key set to publish (RFC 7517 section 5). */
  published(now: Date): Promise<{ keys: JWK[] }>
}

/** Much shorter than the hour for which a key is published before it signs. */
const keptFor = minutes(5)
/**
 * An unknown key id reads the table again, but at most this often, because strangers can send any
 * number of them.
 */
const unknownEvery = seconds(10)

interface LoadedKeys {
  at: number
  keys: StoredKey[]
  verifying: Map<string, CryptoKey>
  signing: Map<string, CryptoKey>
}

export function createKeyRing(db: Db, vault: Vault): KeyRing {
  let loadedKeys: LoadedKeys | undefined
  let loading: Promise<LoadedKeys> | undefined

  async function load(now: Date): Promise<LoadedKeys> {
    let keys = await listKeys(db)
    if (keys.length === 0) {
      await rotateSigningKeys(db, vault, now)
      keys = await listKeys(db)
    }
    const verifying = new Map<string, CryptoKey>()
    for (const { kid, publicJwk } of keys) {
      verifying.set(kid, (await importJWK(publicJwk, 'ES256')) as CryptoKey)
    }
    loadedKeys = { at: now.getTime(), keys, verifying, signing: new Map() }
    return loadedKeys
  }

  /** The cached keys, read again if they are older than `maxAge`. Only one read runs at a time. */
  async function ring(now: Date, maxAge: number): Promise<LoadedKeys> {
    if (loadedKeys && Math.abs(now.getTime() - loadedKeys.at) < maxAge) return loadedKeys
    loading ??= load(now).finally(() => {
      loading = undefined
    })
    return loading
  }

  return {
    async signing(now) {
      const current = await ring(now, keptFor)
      // The first key also works on a node whose clock is behind the clock of its creator.
      const stored =
        current.keys.findLast((key) => key.signsFrom <= now) ?? (current.keys[0] as StoredKey)
      const key = current.signing.get(stored.kid) ?? (await openKey(vault, stored))
      current.signing.set(stored.kid, key)
      return { kid: stored.kid, key }
    },
    async verifying(kid, now) {
      const cached = (await ring(now, keptFor)).verifying.get(kid)
      return cached ?? (await ring(now, unknownEvery)).verifying.get(kid)
    },
    async published(now) {
      const { keys } = await ring(now, keptFor)
      return { keys: keys.map((key) => key.publicJwk) }
    },
  }
}

async function openKey(vault: Vault, stored: StoredKey): Promise<CryptoKey> {
  let jwk: JWK
  try {
    jwk = JSON.parse(vault.open(sealContext(stored.kid), stored.sealedPrivate).toString())
  } catch (cause) {
    const text =
      'The signing key cannot be opened: CRIER_SECRET is not the one this database was started with.'
    throw new Error(text, { cause })
  }
  return (await importJWK(jwk, 'ES256')) as CryptoKey
}
