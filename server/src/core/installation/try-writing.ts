import type { Db } from '../../lib/db/types.ts'
import { deleteNothing } from './queries.ts'

/** Changes nothing, and fails where the database accepts no writes. */
export async function tryWriting(db: Db): Promise<void> {
  await deleteNothing(db)
}
