import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

export interface AuditRow {
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

export function insertAudit(db: Db, rows: AuditRow[], now: Date): Promise<number> {
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
