import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import { byCampaign } from './campaign.ts'
import { cancelCampaign } from './sending/transitions.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

export const campaignCancel = operation({
  name: 'campaign.cancel',
  title: 'Cancel a campaign',
  area: 'campaigns',
  summary: 'End it for good: what was not sent stays unsent.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  rest: 'POST /v1/campaigns/:campaign_id/cancel',
  locate: { campaign_id: byCampaign },
  input: { campaign_id: campaignIdInput },
  output: Type.Object(campaignFields),

  run({ business, now, origin, write }, { campaign_id }) {
    return write(async (tx) => {
      const id = parseId('campaign', campaign_id)
      if (!id) throw noSuchCampaign(campaign_id)
      const cancelled = await cancelCampaign(tx, { businessId: business.id, id, origin }, now)
      const entry = { businessId: business.id, action: 'campaign.cancel', subject: campaign_id }
      await recordAudit(tx, [{ ...entry, origin }], now)
      return fieldsOf(cancelled)
    })
  },
})
