/** An API key at the entry points of operations: accepted alone, never beside a session of the app. */

import { fastifyCookie as cookies } from '@fastify/cookie'
import { orThrow, refuse } from '../core/errors.ts'
import type { CheckKey } from '../oauth/api-keys/check-key.ts'
import type { AuthenticateDeps } from './operation-entry.ts'
import { type CookieConfig, sessionCookie } from './pages/shared/cookies.ts'

export function admitKeys(check: CheckKey, config: CookieConfig): AuthenticateDeps['admitKey'] {
  const { name } = sessionCookie(config)

  return async (key, { headers, callerAddress }) => {
    // A program has no session, so this is a browser, which must not use a key.
    if (headers.cookie !== undefined && cookies.parse(headers.cookie)[name] !== undefined) {
      const text = 'An API key and a session of the app came together. Send one of the two.'
      throw refuse('invalid_request', text, { field: 'authorization' })
    }
    return orThrow(await check(key, callerAddress))
  }
}
