/** What a campaign is about, as callers say it. */
import { topicOf } from '../../contacts/model/find.ts'
import { isArchived, noSuchTopic, topicLimits } from '../../contacts/model/topic.ts'
import type { Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'

export const campaignTopicInput = Type.Optional(
  Type.String({
    maxLength: topicLimits.keyLength,
    description: 'What it is about (topic.list): only people who chose that, or no topic, get it.',
  }),
)

/** The key, null for "", undefined where nothing is said; or why no campaign can be about it. */
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
