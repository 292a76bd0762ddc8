/** Who saved an object last, for a person who edits it at the same time. */

import type { Origin, Principal } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type SavedObject, selectLastSave, upsertLastSave } from './last-save-queries.ts'

export const lastSaveView = Type.Object({
  at: Type.String({ description: 'ISO 8601, UTC.' }),
  by_you: Type.Boolean(),
  by: Type.Optional(Type.String()),
  through_connection: Type.Boolean(),
})

export type LastSave = Static<typeof lastSaveView>

/** Records who saved the object, in the transaction of the save. */
export async function recordSave(
  tx: Tx,
  object: SavedObject,
  { origin, now }: { origin: Origin; now: Date },
): Promise<void> {
  const { connectionId, userId = null } = origin
  await upsertLastSave(tx, object, { at: now, userId, connectionId })
}

/** The object's last save as this caller may see it. */
export async function lastSaveOf(
  db: Db,
  { userId, connectionId }: Pick<Principal, 'userId' | 'connectionId'>,
  object: SavedObject,
): Promise<LastSave | undefined> {
  const save = await selectLastSave(db, object)
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
