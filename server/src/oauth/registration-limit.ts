import { limits } from '../config.ts'
import { countAttempt, networkOf } from '../platform/attempts.ts'
import { hours } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import type { Refusal } from '../platform/errors.ts'
import type { Vault } from '../platform/vault.ts'

export type LimitRegistrations = (address: string, now: Date) => Promise<Refusal | undefined>

/** Clients that register from one network: anyone may, so many an hour. */
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
