/** A grant, and the token response for it (contract 4.1). */

import type { Id } from '../../core/ids.ts'
import type { Scope } from '../../core/operation.ts'
import { randomToken, sha256 } from '../../lib/crypto/vault.ts'
import { days, later } from '../../lib/time/clock.ts'

export interface Grant {
  connectionId: Id<'connection'>
  userId: Id<'user'>
  clientId: string
  scopes: Scope[]
}

/** Both grant types return the same fields. Clients fail without `token_type` and `scope`. */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** Counted from the last use, because each use creates a new token. */
export const refreshLifetime = days(30)

export interface NewRefreshToken {
  token: string
  hash: Buffer
  expiresAt: Date
}

export function newRefreshToken(now: Date): NewRefreshToken {
  const token = `rt_${randomToken()}`
  return { token, hash: sha256(token), expiresAt: later(now, refreshLifetime) }
}
