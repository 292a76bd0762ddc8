/** Who saved an object last, for a person who edits it at the same time. */

import type { Id } from '../../core/ids.ts'
import type { Origin, Principal } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'

export const lastSaveView = Type.Object({
  at: Type.String({ description: 'ISO 8601, UTC.' }),
  by_you: Type.Boolean(),
  by: Type.Optional(Type.String()),
  through_connection: Type.Boolean(),
})

export type LastSave = Static<typeof lastSaveView>

export interface SavedObject {
  businessId: Id<'business'>
  /** The object's own id, of whatever kind. */
  objectId: string
}

/** Records who saved the object, in the transaction of the save. */
export async function recordSave(
  tx: Tx,
  { businessId, objectId }: SavedObject,
  { origin, now }: { origin: Origin; now: Date },
): Promise<void> {
  const { connectionId, userId = null } = origin
  await tx.run(sql`
    insert into last_saves (business_id, object_id, user_id, connection_id, saved_at)
    values (${businessId}, ${objectId}, ${userId}, ${connectionId}, ${now})
    on conflict (business_id, object_id) do update set user_id = excluded.user_id,
      connection_id = excluded.connection_id, saved_at = excluded.saved_at
  `)
}

interface SaveRow {
  at: Date
  userId: Id<'user'> | null
  email: string | null
  connectionId: Id<'connection'> | null
}

/** The object's last save as this caller may see it. */
export async function lastSaveOf(
  db: Db,
  { userId, connectionId }: Pick<Principal, 'userId' | 'connectionId'>,
  { businessId, objectId }: SavedObject,
): Promise<LastSave | undefined> {
  const save = await db.maybe<SaveRow>(sql`
    select s.saved_at as at, s.user_id as "userId", u.email, s.connection_id as "connectionId"
    from last_saves s left join users u on u.id = s.user_id
    where s.business_id = ${businessId} and s.object_id = ${objectId}
  `)
  if (!save) return undefined
  // Programs do not see the members of a business (`member.list`).
  const mayKnow = connectionId === null && save.email !== null
  return {
    at: save.at.toISOString(),
    by_you: save.userId === userId,
    ...(mayKnow && { by: save.email ?? '' }),
    through_connection: save.connectionId !== null,
  }
}
