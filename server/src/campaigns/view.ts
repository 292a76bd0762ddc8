/** A campaign as callers see it, and how callers refer to one. */

import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { untrustedWarning } from '../core/untrusted.ts'
import { utmView } from '../core/utm.ts'
import { Type } from '../lib/schema/schema.ts'
import { withOffset } from '../lib/time/wall-clock.ts'
import { audienceView } from './audience/audience-input.ts'
import { type Campaign, campaignChannels, campaignStates, writers } from './campaign.ts'
import { possibleIn } from './states.ts'

export const campaignIdInput = Type.String({ pattern: '^cmp_[0-9a-hjkmnp-tv-z]{26}$' })

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** Two fields, so that no reader takes a time for one in UTC, or of their own zone. */
export const scheduleView = Type.Union([
  Type.Object({ at: Type.String(), zone: Type.String() }),
  Type.Null(),
])

/**
 * The time of a campaign as it was understood: what the clocks of the zone show, with their offset.
 * Null if it is sent at once.
 */
export function scheduleOf({
  sendAt,
  sendLocal,
  timeZone,
}: Pick<Campaign, 'sendAt' | 'sendLocal' | 'timeZone'>) {
  if (sendLocal !== null) return { at: sendLocal, zone: 'recipient' }
  return sendAt && { at: withOffset(sendAt, timeZone), zone: timeZone }
}

export const campaignFields = {
  campaign_id: Type.String(),
  name: Type.String(),
  channel: Type.Enum(campaignChannels),
  status: Type.Enum(campaignStates),
  possible: Type.Array(Type.String()),
  audience: audienceView,
  topic: orNull('What it is about: whoever did not choose that gets nothing (topic.list).'),
  utm: utmView,
  archive: Type.Boolean(),
  audience_wish: orNull('Whom it was wished for where no tag matched; campaign.save chooses.'),
  written_by: Type.Enum(writers),
  feed: Type.Optional(
    Type.Object(
      { feed_id: Type.String(), warning: Type.String() },
      {
        description: 'Of an issue of a feed, whose subject, content and links are strangers’ text.',
      },
    ),
  ),
  recipients: Type.Union([Type.Integer(), Type.Null()]),
  send_at: orNull('When it goes out, ISO 8601; null for at once.'),
  schedule: scheduleView,
  throttle_per_minute: Type.Union([Type.Integer(), Type.Null()]),
  pause_reason: orNull('Why it is paused.'),
  refusal_reason: orNull('Why a person refused it, in their words; null where none did or said.'),
  version: Type.Integer(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
  deployed_at: orNull('ISO 8601, UTC.'),
  completed_at: orNull('ISO 8601, UTC.'),
}

export function fieldsOf(campaign: Campaign) {
  return {
    campaign_id: formatId('campaign', campaign.id),
    name: campaign.name,
    channel: campaign.channel,
    status: campaign.state,
    possible: possibleIn(campaign),
    audience: campaign.audience,
    topic: campaign.topic,
    utm: campaign.utm,
    archive: campaign.inArchive,
    audience_wish: campaign.audienceWish,
    written_by: campaign.writtenBy,
    ...(campaign.feedId && {
      feed: {
        feed_id: formatId('feed', campaign.feedId),
        warning: `Subject, content and links are of a feed. ${untrustedWarning}`,
      },
    }),
    recipients: campaign.recipients,
    send_at: campaign.sendLocal ?? campaign.sendAt?.toISOString() ?? null,
    schedule: scheduleOf(campaign),
    throttle_per_minute: campaign.throttlePerMinute,
    pause_reason: campaign.pauseReason,
    refusal_reason: campaign.refusalReason,
    version: campaign.version,
    created_at: campaign.createdAt.toISOString(),
    updated_at: campaign.updatedAt.toISOString(),
    deployed_at: campaign.deployedAt?.toISOString() ?? null,
    completed_at: campaign.completedAt?.toISOString() ?? null,
  }
}

/** Another business's campaign gets the same answer as one that never existed. */
export function noSuchCampaign(id: string): Refusal {
  return refuse('not_found', `This business has no campaign ${id}.`, {
    field: 'campaign_id',
    fix: { tool: 'campaign.list', arguments: {} },
  })
}

/** The page where a signed-in member approves a campaign, watches it and stops it. */
export function approvalUrl(appUrl: string, id: Id<'campaign'>): string {
  return `${appUrl}/campaigns/${formatId('campaign', id)}`
}
