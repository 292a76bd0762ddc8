import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from '../model/view.ts'
import { pauseCampaign } from '../sending/transitions.ts'

export const campaignPause = operation({
  name: 'campaign.pause',
  aliases: ['pause_campaign'],
  title: 'Pause a campaign',
  area: 'campaigns',
  everyday: true,
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
      if (!id) throw noSuchCampaign(campaign_id)
      const request = { businessId: business.id, id, origin }
      const paused = await pauseCampaign(tx, request, 'requested', now)
      return fieldsOf(paused)
    })
  },
})
