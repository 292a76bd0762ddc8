/** Every statement that touches the timeline. */

import type { Id } from '../../core/ids.ts'
import { newest, type Page } from '../../core/paging.ts'
import { ids, longTexts, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export interface ActivityRow {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  id: Id<'activity'>
  type: string
  /** JSON text. */
  details: string
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export function insertActivity(tx: Tx, rows: ActivityRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into contact_activity (business_id, contact_id, id, type, details, connection_id,
      call_id, created_at)
    select business_id, contact_id, id, type, details::json, connection_id, call_id, ${now}
    from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${ids(rows.map((row) => row.contactId))}::uuid[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${texts(rows.map((row) => row.type))}::text[],
      ${longTexts(rows.map((row) => row.details))}::text[],
      ${ids(rows.map((row) => row.connectionId))}::uuid[],
      ${ids(rows.map((row) => row.callId))}::uuid[]
    ) as new (business_id, contact_id, id, type, details, connection_id, call_id)
  `)
}

export interface Activity {
  id: Id<'activity'>
  type: string
  details: Record<string, unknown>
  createdAt: Date
}

/** Newest first. */
export function listActivity(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
  { before, limit }: Page<'activity'>,
): Promise<Activity[]> {
  return db.all(sql`
    select id, type, details, created_at as "createdAt" from contact_activity
    where business_id = ${businessId} and contact_id = ${contactId} and id < ${before ?? newest}
    order by id desc limit ${limit}
  `)
}
