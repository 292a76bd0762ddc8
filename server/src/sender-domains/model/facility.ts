/** What the operations and jobs of this domain are given; `composition/` fills it from the settings. */

import type { Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Resolver } from '../../lib/dns/resolver.ts'
import { type Attempt, countAttempt } from '../../lib/rate-limit/attempts.ts'
import { hours } from '../../lib/time/clock.ts'
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
