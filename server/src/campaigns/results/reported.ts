/** A campaign as reports see it: its state and its contents. */
import { type Id, parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { versionContent } from '../../templates/owned.ts'
import type { Campaign } from '../campaign.ts'
import { findCampaign, findVariants } from '../campaign.ts'

export async function reportedCampaign(
  db: Db,
  businessId: Id<'business'>,
  campaignId: string,
): Promise<Campaign | undefined> {
  const id = parseId('campaign', campaignId)
  return id && (await findCampaign(db, businessId, id))
}

/** Whether opens can be seen: a mail of text alone has no picture that could be loaded. */
export async function hasPicture(
  db: Db,
  businessId: Id<'business'>,
  { id, channel }: Pick<Campaign, 'id' | 'channel'>,
): Promise<boolean> {
  if (channel !== 'email') return false
  const variants = await findVariants(db, businessId, id)
  const contents = await Promise.all(
    variants.map(({ versionId }) => versionContent(db, businessId, versionId)),
  )
  return contents.some((content) => {
    const source: object = content?.source ?? {}
    return ['html', 'mjml', 'blocks'].some((name) => name in source)
  })
}
