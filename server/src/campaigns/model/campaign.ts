/** A campaign is one message to many. Its states are drawn in docs/design/campaigns.md. */
import type { Filter } from '../../contacts/filters/filter.ts'
import type { Id } from '../../core/ids.ts'

export const campaignStates = [
  'draft',
  'scheduled',
  'awaiting_approval',
  'deployed',
  'paused',
  'completed',
  'cancelled',
] as const
export type CampaignState = (typeof campaignStates)[number]

export const campaignChannels = ['email', 'sms'] as const
export type CampaignChannel = (typeof campaignChannels)[number]

/** Who wrote what it says. */
export const writers = ['caller', 'model', 'built_in'] as const
export type Writer = (typeof writers)[number]

export const campaignLimits = {
  nameLength: 200,
  /** Characters of why a person refuses it. */
  reasonLength: 500,
  /** Characters of whom it is wished for. */
  wishLength: 500,
  /** Tags of an audience. */
  tags: 20,
  /** Days back in which others' marketing counts. */
  quietDays: 90,
  /** Messages a minute. */
  throttle: 1_000_000,
  /** Parts of a text that nobody needs to be warned of. */
  segments: 3,
} as const

/** Whom it is for: of those who agreed to its channel, all or a part. */
export interface Audience {
  /** Has one of these tags. */
  tags?: string[]
  /** Was sent no marketing for so many days. */
  not_sent_within_days?: number
  /** And is in this segment. */
  segment_id?: string
  /** And this fits them. */
  filter?: Filter
}

export interface Variant {
  position: number
  templateId: Id<'template'>
  versionId: Id<'templateVersion'>
  share: number
}

/** Whether the hour is one moment, or comes on everybody's own clock. */
export type ZoneMode = 'business' | 'recipient'

export interface Campaign {
  id: Id<'campaign'>
  name: string
  channel: CampaignChannel
  state: CampaignState
  audience: Audience
  version: number
  writtenBy: Writer
  sendAt: Date | null
  sendLocal: string | null
  zoneMode: ZoneMode
  throttlePerMinute: number | null
  recipients: number | null
  pauseReason: string | null
  approval: 'asked' | 'approved' | 'refused' | null
  /** Recipients that it holds of the approval limit, not yet reached. */
  unapproved: number
  orderedBy: Id<'user'> | null
  /** Why a person refused it; null of one that was not refused. */
  refusalReason: string | null
  /** Whom it was wished for, in words that matched no tag: somebody has to choose. */
  audienceWish: string | null
  createdAt: Date
  updatedAt: Date
  deployedAt: Date | null
  frozenAt: Date | null
  completedAt: Date | null
  cancelledAt: Date | null
}
