/**
 * Finds the key that a caller sends. Its cached data never changes, so it is read only once.
 * Whether the key has ended is checked on every call, as for every connection.
 */

import { createBatcher } from '../../lib/concurrency/batch.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { keyPattern } from './api-key.ts'
import { type FoundKey, findKeys } from './key-queries.ts'

/** The most cached keys, some 300 bytes each. */
const mostKept = 10_000

export type { FoundKey }

export function createKeyReader(db: Db) {
  const kept = new Map<string, FoundKey>()
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
    const known = kept.get(name)
    if (known) return known
    const found = await read(hash)
    if (found) setNewest(kept, [name, found], mostKept)
    return found
  }
}
