import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { byCampaign } from './campaign.ts'
import { type DeployParts, orderCampaign, orderedFields } from './deploy.ts'
import { campaignIdInput } from './view.ts'

/**
 * The order of the app's button "Send". It is not an argument of `campaign.deploy`, since programs
 * start at once and have nobody who would press "Undo".
 */
export function campaignSend(parts: DeployParts) {
  return operation({
    name: 'campaign.send',
    title: 'Send a campaign from the app',
    summary:
      'Sends a draft like campaign.deploy, and starts so much later that a person can undo it. Where a person must approve it, it starts with the approval.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/campaigns/:campaign_id/send',
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      plan_hash: Type.Optional(Type.String({ maxLength: 100, description: 'Of the preview.' })),
    },
    output: Type.Object(orderedFields),

    run(context, { campaign_id, plan_hash }) {
      return orderCampaign(context, parts, {
        campaign_id,
        ...(plan_hash !== undefined && { plan_hash }),
        undoMs: parts.undoMs,
      })
    },
  })
}
