import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { byCampaign } from '../campaign.ts'
import { campaignIdInput, noSuchCampaign } from '../view.ts'

export const campaignLiftHold = operation({
  name: 'campaign.lift_hold',
  title: 'Send to a provider again',
  summary:
    'Ends early what a campaign waits for at one mailbox provider. The provider refused the sender or people complained: both count against the domain there, and the campaign may be held again.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/campaigns/:campaign_id/lift-hold',
  locate: { campaign_id: byCampaign },
  input: {
    campaign_id: campaignIdInput,
    provider: Type.String({ minLength: 1, maxLength: 300 }),
  },
  output: Type.Object({
    was_held: Type.Boolean(),
    messages: Type.Integer({ description: 'How many go earlier.' }),
  }),

  async run({ business, now, origin, write }, { campaign_id, provider }) {
    const campaignId = parseId('campaign', campaign_id)
    if (!campaignId) throw noSuchCampaign(campaign_id)
    const { liftHold } = await import('../../messages/waiting/lift.ts')
    const businessId = business.id
    return write(async (tx) => {
      const messages = await liftHold(tx, { businessId, campaignId }, { provider, now })
      if (messages === undefined) return { was_held: false, messages: 0 }
      const entry = { businessId, action: 'campaign.lift_hold', subject: campaign_id, origin }
      await recordAudit(tx, [{ ...entry, details: { provider } }], now)
      return { was_held: true, messages }
    })
  },
})
