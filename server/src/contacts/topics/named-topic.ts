/** The topic that a call names. */
import type { Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { topicOf } from '../model/find.ts'
import { isArchived, noSuchTopic } from '../model/topic.ts'

/** The key, null for "", undefined if none is named; or the refusal if nothing can be sent. */
export async function readTopic(
  db: Db,
  businessId: Id<'business'>,
  key: string | undefined,
): Promise<string | null | undefined | Refusal> {
  if (key === undefined) return undefined
  if (key === '') return null
  const topic = await topicOf(db, businessId, key)
  if (!topic) return noSuchTopic(key)
  return topic.archivedAt === null ? key : isArchived(key)
}
