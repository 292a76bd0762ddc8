/** Finds the campaigns that use a segment, or are about a topic. */
import type { SegmentUser } from '../../contacts/segments/users.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { findNaming, findOfTopic } from '../campaign.ts'

/** Campaigns that are scheduled or deployed and whose audience is not frozen yet. */
export async function campaignsNaming(
  db: Db,
  businessId: Id<'business'>,
  segmentId: string,
): Promise<SegmentUser[]> {
  return (await findNaming(db, businessId, segmentId)).map(userOf)
}

/** The campaigns of the topic that are ordered and not over. */
export async function campaignsOfTopic(
  db: Db,
  businessId: Id<'business'>,
  key: string,
): Promise<SegmentUser[]> {
  return (await findOfTopic(db, businessId, key)).map(userOf)
}

const userOf = ({ id, name }: { id: Id<'campaign'>; name: string }): SegmentUser => ({
  label: `the campaign “${name}”`,
  id: formatId('campaign', id),
})
