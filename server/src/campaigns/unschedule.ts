import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import { byCampaign } from './campaign.ts'
import { releasePeople } from './mandates/mandate.ts'
import { unscheduleCampaign } from './sending/transitions.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

export const campaignUnschedule = operation({
  name: 'campaign.unschedule',
  title: 'Unschedule a campaign',
  area: 'campaigns',
  summary:
    'Make a campaign that was ordered a draft again, while nobody was sent anything: scheduled, awaiting approval, or paused before its first recipient. An approval is void.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/campaigns/:campaign_id/unschedule',
  locate: { campaign_id: byCampaign },
  input: { campaign_id: campaignIdInput },
  output: Type.Object(campaignFields),

  run({ business, now, origin, write }, { campaign_id }) {
    return write(async (tx) => {
      const id = parseId('campaign', campaign_id)
      if (!id) throw noSuchCampaign(campaign_id)
      const draft = await unscheduleCampaign(tx, { businessId: business.id, id, origin }, now)
      await releasePeople(tx, business.id, id)
      const entry = { businessId: business.id, action: 'campaign.unschedule', subject: campaign_id }
      await recordAudit(tx, [{ ...entry, origin }], now)
      return fieldsOf(draft)
    })
  },
})
