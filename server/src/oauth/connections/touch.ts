/** Writes the last use of many connections in one statement per flush. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { updateLastUse } from './connection-queries.ts'

export interface ConnectionUse {
  connectionId: Id<'connection'>
  at: Date
}

/** A connection may occur more than once. Its latest use counts. */
export async function touchConnections(db: Db, uses: readonly ConnectionUse[]): Promise<void> {
  const latest = new Map<Id<'connection'>, Date>()
  for (const { connectionId, at } of uses) {
    const cached = latest.get(connectionId)
    if (!cached || cached < at) latest.set(connectionId, at)
  }
  if (latest.size === 0) return
  await updateLastUse(db, { ids: [...latest.keys()], times: [...latest.values()] })
}
