/** A wished audience that nothing matches never becomes everyone: somebody has to choose first. */
import type { Refusal } from '../../../core/errors.ts'
import { formatId } from '../../../core/ids.ts'
import type { Campaign } from '../../model/campaign.ts'
import type { Gate } from './gate.ts'

/** Undefined if nothing has to be chosen. `unknown`: a segment that the audience uses is gone. */
export function audienceGate(
  { id, audienceWish }: Pick<Campaign, 'id' | 'audienceWish'>,
  unknown?: Refusal,
): Gate | undefined {
  if (unknown) {
    return {
      gate: 'audience',
      result: 'block',
      evidence: unknown.message,
      remedy: 'Choose another audience with campaign.save.',
      fix: { tool: 'campaign.save', arguments: { campaign_id: formatId('campaign', id) } },
    }
  }
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
