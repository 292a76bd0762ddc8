/** Exports the recipients of a campaign with the outcome of each, page by page. */

import { type Id, parseId } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import type { Db } from '../../lib/db/types.ts'
import { findCampaign } from '../model/queries.ts'
import { noSuchCampaign } from '../model/view.ts'
import { listRecipients, type ShownRecipient } from './result-queries.ts'

const perPage = 1_000

export async function* exportRecipients(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): AsyncGenerator<ShownRecipient[]> {
  for (let before = highestId as Id<'contact'>; ; ) {
    const page = await listRecipients(db, businessId, {
      campaignId,
      state: null,
      marks: 0,
      link: null,
      before,
      limit: perPage,
    })
    if (page.length === 0) return
    yield page
    before = page.at(-1)?.contactId ?? before
  }
}

export async function campaignNamed(
  db: Db,
  businessId: Id<'business'>,
  campaignId: string,
): Promise<Id<'campaign'>> {
  const id = parseId('campaign', campaignId)
  const campaign = id && (await findCampaign(db, businessId, id))
  if (campaign) return campaign.id
  throw noSuchCampaign(campaignId)
}
