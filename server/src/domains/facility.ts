/** What the operations and jobs of this room are given; `app.ts` fills it from the settings. */

import { type Attempt, countAttempt } from '../platform/attempts.ts'
import { hours } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import type { Resolver } from '../platform/dns/resolver.ts'
import type { Refusal } from '../platform/errors.ts'
import type { Id } from '../platform/ids.ts'
import type { Vault } from '../platform/vault.ts'
import { checksPerHour, type DomainSettings } from './domain.ts'

export interface DomainFacility {
  resolver: Resolver
  vault: Vault
  settings: DomainSettings
}

/** Each check asks DNS a dozen questions, of servers that a caller names. */
export function countCheck(
  db: Db,
  vault: Vault,
  { businessId, now }: { businessId: Id<'business'>; now: Date },
): Promise<Refusal | undefined> {
  const attempt: Attempt = {
    purpose: 'domain.check',
    subject: businessId,
    limit: checksPerHour,
    windowMs: hours(1),
    now,
  }
  return countAttempt(db, vault, attempt)
}
