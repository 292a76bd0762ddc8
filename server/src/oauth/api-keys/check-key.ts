/** Whether an API key is accepted from where it came from, whatever protocol brought it. */

import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { createBatcher } from '../../lib/concurrency/batch.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { keyPattern } from './api-key.ts'
import { type FoundKey, findKeys } from './key-queries.ts'
import { isWithin } from './networks.ts'

/** Returns the key's connection. Whether that was ended since is for the caller to read. */
export type CheckKey = (key: string, address: string) => Promise<Id<'connection'> | Refusal>

export function createKeyCheck({ db, clock }: { db: Db; clock: Clock }): CheckKey {
  const find = createKeyReader(db)
  return async (key, address) => {
    const found = await find(key)
    if (!found) {
      return refuse(
        'unauthorized',
        'There is no such API key. Copy all of it, or create a new one.',
      )
    }
    const { connectionId, networks, expiresAt } = found
    if (expiresAt && expiresAt <= clock.now()) {
      return refuse('unauthorized', 'This API key has expired. Create a new one in the app.')
    }
    if (isWithin(networks, address)) return connectionId
    const text = 'This API key is not accepted from the network that this came from.'
    return refuse('unauthorized', text)
  }
}

/** What is said of a key whose connection was ended. */
export function refuseEndedKey(): Refusal {
  const text = 'This API key was revoked, or its maker left the business. Make another in the app.'
  return refuse('unauthorized', text)
}

/** The most cached keys, some 300 bytes each. */
const mostKept = 10_000

export type { FoundKey }

/**
 * Finds the key that a caller sends. Its cached data never changes, so it is read only once.
 * Whether the key has ended is checked on every call, as for every connection.
 */
function createKeyReader(db: Db) {
  const cache = new Map<string, FoundKey>()
  const read = createBatcher<Buffer, FoundKey | undefined>({
    maxItems: 100,
    eachAlone: false,
    async flush(hashes) {
      const rows = await findKeys(db, hashes)
      const byHash = new Map(rows.map(({ hash, ...key }) => [hash.toString('hex'), key]))
      return hashes.map((hash) => byHash.get(hash.toString('hex')))
    },
  })

  return async (secret: string): Promise<FoundKey | undefined> => {
    if (!keyPattern.test(secret)) return undefined
    const hash = sha256(secret)
    const name = hash.toString('hex')
    const cached = cache.get(name)
    if (cached) return cached
    const found = await read(hash)
    if (found) setNewest(cache, [name, found], mostKept)
    return found
  }
}
