/** Statements about who saved an object last. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export interface SavedObject {
  businessId: Id<'business'>
  /** The object's own id, of whatever kind. */
  objectId: string
}

export interface LastSaveRow {
  at: Date
  userId: Id<'user'> | null
  email: string | null
  connectionId: Id<'connection'> | null
}

export function upsertLastSave(
  tx: Tx,
  { businessId, objectId }: SavedObject,
  save: Omit<LastSaveRow, 'email'>,
): Promise<number> {
  return tx.run(sql`
    insert into last_saves (business_id, object_id, user_id, connection_id, saved_at)
    values (${businessId}, ${objectId}, ${save.userId}, ${save.connectionId}, ${save.at})
    on conflict (business_id, object_id) do update set user_id = excluded.user_id,
      connection_id = excluded.connection_id, saved_at = excluded.saved_at
  `)
}

export function selectLastSave(
  db: Db,
  { businessId, objectId }: SavedObject,
): Promise<LastSaveRow | undefined> {
  return db.maybe(sql`
    select s.saved_at as at, s.user_id as "userId", u.email, s.connection_id as "connectionId"
    from last_saves s left join users u on u.id = s.user_id
    where s.business_id = ${businessId} and s.object_id = ${objectId}
  `)
}
