import { recordSave } from '../accounts/saves/last-save.ts'
import type { Id } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import type { Tx } from '../lib/db/types.ts'
import { type CheckedContent, saveOwned } from '../templates/owned.ts'
import type { Audience, Campaign, Writer } from './campaign.ts'
import { findCampaign, insertCampaign, insertVariants } from './campaign.ts'

export interface NewDraft {
  id: Id<'campaign'>
  audience: Audience
  /** The topic; null for none. */
  topic?: string | null
  /**
   * The description of a wished audience that matched nothing. The campaign is not sent before
   * somebody chooses.
   */
  audienceWish?: string | undefined
  content: CheckedContent
  /** The key of the mail in the gallery that it was made of. */
  gallery?: string | undefined
  writtenBy: Writer
  /** The template that the content was taken from. */
  fromTemplate?: Id<'template'> | undefined
  origin: Origin
  now: Date
}

/** Saves a new campaign with one variant and its content. */
export async function saveDraft(
  tx: Tx,
  businessId: Id<'business'>,
  {
    id,
    audience,
    topic = null,
    audienceWish,
    content,
    gallery,
    writtenBy,
    fromTemplate,
    origin,
    now,
  }: NewDraft,
): Promise<Campaign> {
  const { name, channel } = content
  await insertCampaign(tx, businessId, {
    id,
    name,
    channel,
    audience,
    topic,
    audienceWish: audienceWish ?? null,
    writtenBy,
    fromTemplate,
    now,
  })
  const saved = await saveOwned(tx, businessId, { campaignId: id, content, gallery, origin, now })
  await recordSave(tx, { businessId, objectId: id }, { origin, now })
  await insertVariants(tx, businessId, id, [{ position: 0, share: 1, ...saved }])
  const campaign = await findCampaign(tx, businessId, id)
  if (!campaign) throw new Error('a campaign that was written is not there')
  return campaign
}
