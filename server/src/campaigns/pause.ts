import { isRefusal } from '../platform/errors.ts'
import { parseId } from '../platform/ids.ts'
import { operation } from '../platform/operation.ts'
import { Type } from '../platform/schema.ts'
import { pauseCampaign } from './transitions.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

export const campaignPause = operation({
  name: 'campaign.pause',
  aliases: ['pause_campaign'],
  title: 'Pause a campaign',
  summary: 'Stop it within a second; nobody is lost.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/campaigns/:campaign_id/pause',
  input: { campaign_id: campaignIdInput },
  output: Type.Object(campaignFields),

  run({ business, now, origin, write }, { campaign_id }) {
    return write(async (tx) => {
      const id = parseId('campaign', campaign_id)
      if (!id) return noSuchCampaign(campaign_id)
      const asked = { businessId: business.id, id, origin }
      const paused = await pauseCampaign(tx, asked, 'requested', now)
      return isRefusal(paused) ? paused : fieldsOf(paused)
    })
  },
})
