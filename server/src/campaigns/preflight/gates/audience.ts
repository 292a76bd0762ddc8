/** A wish for an audience that nothing matches never becomes everyone: somebody chooses first. */
import { formatId } from '../../../core/ids.ts'
import type { Campaign } from '../../model/campaign.ts'
import type { Gate } from './gate.ts'

/** Undefined where there is nothing to choose. */
export function audienceGate({
  id,
  audienceWish,
}: Pick<Campaign, 'id' | 'audienceWish'>): Gate | undefined {
  if (audienceWish === null) return undefined
  return {
    gate: 'audience',
    result: 'block',
    evidence: `It was wished for “${audienceWish}”, and no tag of the contacts matches that.`,
    remedy:
      'Ask the person whom it is for, then call campaign.save with audience: {tags: [...]} for contacts with one of these tags, or with audience: {} for everyone who agreed to the channel.',
    fix: {
      tool: 'campaign.save',
      arguments: { campaign_id: formatId('campaign', id) },
    },
  }
}
