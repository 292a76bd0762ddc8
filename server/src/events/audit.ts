/**
 * The audit log: who did what, for actions that must be answered for later (sends, imports,
 * deploys, erasure and settings). Everything else has its provenance on its event.
 */

import { type Id, newId, parseId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { queueOwnerNotices } from './owner-notices.ts'

export interface AuditEntry {
  businessId: Id<'business'>
  /** The operation's name, such as `contact.import`. */
  action: string
  /** The public id of what the action was done to, such as `cmp_…`. */
  subject?: string
  /**
   * Numbers and names that say what exactly was done. They hold no personal data, because erasure
   * does not reach the audit log.
   */
  details?: Record<string, string | number | boolean | null>
  /** The person, for an action without a call; a call provides its own person. */
  userId?: Id<'user'>
  origin?: Origin | undefined
}

/** Records entries in the transaction of the actions that they are about. */
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
  await queueOwnerNotices(tx, entries, now)
}

interface AuditRow {
  businessId: Id<'business'>
  id: Id<'audit'>
  action: string
  subject: string | null
  /** JSON text. */
  details: string
  userId: Id<'user'> | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

function insertAudit(db: Db, rows: AuditRow[], now: Date): Promise<number> {
  return db.run(sql`
    insert into audit_entries (business_id, id, action, subject, details, user_id,
      connection_id, call_id, created_at)
    select *, ${now} from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.action)}::text[],
      ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.details)}::jsonb[],
      ${rows.map((row) => row.userId)}::uuid[],
      ${rows.map((row) => row.connectionId)}::uuid[],
      ${rows.map((row) => row.callId)}::uuid[]
    )
  `)
}
