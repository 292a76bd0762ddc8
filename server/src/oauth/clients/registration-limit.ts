import { limits } from '../../config.ts'
import type { Refusal } from '../../core/errors.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { hours } from '../../lib/time/clock.ts'

export type LimitRegistrations = (address: string, now: Date) => Promise<Refusal | undefined>

/** Limits registrations per network and hour, because anyone may register. */
export function registrationLimit(db: Db, vault: Vault): LimitRegistrations {
  return (address, now) =>
    countAttempt(db, vault, {
      purpose: 'oauth.register',
      subject: networkOf(address),
      limit: limits.registrationsPerHour,
      windowMs: hours(1),
      now,
    })
}
