/**
 * An API key at the entry points of operations: looked up by its hash, and taken alone, before
 * its end and from its own networks.
 */

import { fastifyCookie as cookies } from '@fastify/cookie'
import { refuse } from '../core/errors.ts'
import type { Database } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createKeyReader } from '../oauth/api-keys/find-key.ts'
import { isWithin } from '../oauth/api-keys/networks.ts'
import type { AuthenticateDeps } from './authenticate.ts'
import { type CookieConfig, sessionCookie } from './pages/shared/cookies.ts'

export interface KeyEntryDeps {
  db: Database
  clock: Clock
  config: CookieConfig
}

export function admitKeys({ db, clock, config }: KeyEntryDeps): AuthenticateDeps['admitKey'] {
  const { name } = sessionCookie(config)
  const find = createKeyReader(db)

  return async (key, { headers, callerAddress }) => {
    // A program holds no session: this is a browser, where a key has no business to be.
    if (headers.cookie !== undefined && cookies.parse(headers.cookie)[name] !== undefined) {
      const text = 'An API key and a session of the app came together. Send one of the two.'
      return refuse('invalid_request', text, { field: 'authorization' })
    }
    const found = await find(key)
    if (!found) {
      return refuse('unauthorized', 'There is no such API key. Copy it whole, or make another.')
    }
    const { connectionId, networks, expiresAt } = found
    if (expiresAt && expiresAt <= clock.now()) {
      return refuse('unauthorized', 'This API key has expired. Make another in the app.')
    }
    if (!isWithin(networks, callerAddress)) {
      return refuse(
        'unauthorized',
        'This API key is not taken from the network that this came from.',
      )
    }
    return connectionId
  }
}
