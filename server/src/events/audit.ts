/**
 * Who did what, where that must be answerable later: sends, imports, deploys, erasure
 * and settings. Everything else has its provenance on its event.
 */

import { type Id, newId, parseId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import type { Tx } from '../lib/db/types.ts'
import { insertAudit } from './audit-queries.ts'

export interface AuditEntry {
  businessId: Id<'business'>
  /** The operation's name, such as `contact.import`. */
  action: string
  /** What it was done to, as callers see it, such as `cmp_…`. */
  subject?: string
  /** Numbers and names that answer "what exactly"; no personal data, since erasure does not reach it. */
  details?: Record<string, string | number | boolean | null>
  /** Where no call caused it: the call knows its person. */
  userId?: Id<'user'>
  origin?: Origin
}

/** Written in the transaction of what it tells of. */
export async function recordAudit(tx: Tx, entries: AuditEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ businessId, action, subject, details, userId, origin }) => ({
    businessId,
    id: newId('audit'),
    action,
    subject: subject ?? null,
    details: JSON.stringify(details ?? {}),
    userId: userId ?? origin?.userId ?? null,
    connectionId: origin?.connectionId ?? null,
    callId: origin ? (parseId('request', origin.callId) ?? null) : null,
  }))
  await insertAudit(tx, rows, now)
}
