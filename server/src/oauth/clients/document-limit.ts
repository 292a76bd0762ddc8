import { limits } from '../../config.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { hours } from '../../lib/time/clock.ts'
import type { ClientDocumentsDeps } from './client-documents.ts'

/**
 * Limits how many metadata documents one network can have fetched per hour, because anyone may name
 * any URL.
 */
export function documentLimit(db: Db, vault: Vault): ClientDocumentsDeps['limitFetches'] {
  return (address, now) =>
    countAttempt(db, vault, {
      purpose: 'oauth.document',
      subject: networkOf(address),
      limit: limits.documentFetchesPerHour,
      windowMs: hours(1),
      now,
    })
}
