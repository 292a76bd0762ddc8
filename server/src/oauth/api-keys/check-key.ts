/** Whether an API key is accepted from where it came from, whatever protocol brought it. */

import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { createKeyReader } from './find-key.ts'
import { isWithin } from './networks.ts'

/** Returns the key's connection. Whether that was ended since is for the caller to read. */
export type CheckKey = (key: string, address: string) => Promise<Id<'connection'> | Refusal>

export function createKeyCheck({ db, clock }: { db: Db; clock: Clock }): CheckKey {
  const find = createKeyReader(db)
  return async (key, address) => {
    const found = await find(key)
    if (!found) {
      return refuse('unauthorized', 'There is no such API key. Copy it whole, or make another.')
    }
    const { connectionId, networks, expiresAt } = found
    if (expiresAt && expiresAt <= clock.now()) {
      return refuse('unauthorized', 'This API key has expired. Make another in the app.')
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
