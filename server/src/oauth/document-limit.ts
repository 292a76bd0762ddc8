import { limits } from '../config.ts'
import { countAttempt, networkOf } from '../platform/attempts.ts'
import { hours } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import type { Vault } from '../platform/vault.ts'
import type { ClientDocumentsDeps } from './client-documents.ts'

/** Metadata documents that one network has us fetch: anyone may name any, so many an hour. */
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
