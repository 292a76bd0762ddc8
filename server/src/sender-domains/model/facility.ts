/**
 * Dependencies of the operations and jobs of sender domains. `composition/` provides them from the
 * settings.
 */

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

/** Limits checks, because each makes a dozen DNS queries to servers that a caller chose. */
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
