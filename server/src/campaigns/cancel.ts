import { recordAudit } from '../events/audit.ts'
import { isRefusal } from '../platform/errors.ts'
import { parseId } from '../platform/ids.ts'
import { operation } from '../platform/operation.ts'
import { Type } from '../platform/schema.ts'
import { cancelCampaign } from './transitions.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

export const campaignCancel = operation({
  name: 'campaign.cancel',
  title: 'Cancel a campaign',
  summary: 'End it for good: what was not sent stays unsent.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  rest: 'POST /v1/campaigns/:campaign_id/cancel',
  input: { campaign_id: campaignIdInput },
  output: Type.Object(campaignFields),

  run({ business, now, origin, write }, { campaign_id }) {
    return write(async (tx) => {
      const id = parseId('campaign', campaign_id)
      if (!id) return noSuchCampaign(campaign_id)
      const cancelled = await cancelCampaign(tx, { businessId: business.id, id, origin }, now)
      if (isRefusal(cancelled)) return cancelled
      const entry = { businessId: business.id, action: 'campaign.cancel', subject: campaign_id }
      await recordAudit(tx, [{ ...entry, origin }], now)
      return fieldsOf(cancelled)
    })
  },
})
