import { formatId } from '../../core/ids.ts'
import type { NewEvent } from '../../events/emit.ts'
import type { RunKey, RunningCampaign } from '../model/run-queries.ts'
import type { HeldShare } from './hold.ts'

/** Tells that one provider's share of the campaign waits. */
export function heldEvent(
  { businessId, campaignId }: RunKey,
  { name, channel }: RunningCampaign,
  { provider, reason, until, sent, refusedByPolicy, complained }: HeldShare,
): NewEvent {
  const data = {
    campaign_id: formatId('campaign', campaignId),
    name,
    channel,
    provider,
    reason,
    held_until: until.toISOString(),
    sent,
    refused: refusedByPolicy,
    complained,
  }
  return { businessId, type: 'campaign.provider_held', data }
}
