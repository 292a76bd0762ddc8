/** A campaign: one message to many people. docs/design/campaigns.md draws its states. */
import type { Filter } from '../../contacts/filters/filter.ts'
import type { Id } from '../../core/ids.ts'
import type { Utm } from '../../core/utm.ts'
import type { RouteFacts } from '../../messages/relays/route-facts.ts'

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

/** The author of the content. */
export const writers = ['caller', 'model', 'built_in'] as const
export type Writer = (typeof writers)[number]

export const campaignLimits = {
  nameLength: 200,
  /** Characters of the reason that a person gives for refusing it. */
  reasonLength: 500,
  /** Characters of the description of a wished audience. */
  wishLength: 500,
  /** Tags of an audience. */
  tags: 20,
  /** The most days for which other marketing can exclude recipients. */
  quietDays: 90,
  /** Messages per minute. */
  throttle: 1_000_000,
  /** The number of segments up to which a text causes no warning. */
  segments: 3,
} as const

/** Why a campaign waits for a person, where it is not for how many get it. */
export const approvalReasons = ['changed_by_app'] as const
export type ApprovalReason = (typeof approvalReasons)[number]

/** The audience: all contacts who consented to the channel, or a part of them. */
export interface Audience {
  /** Contacts with one of these tags. */
  tags?: string[]
  /** Contacts who were sent no marketing for so many days. */
  not_sent_within_days?: number
  /** Contacts in this segment, in addition to the other conditions. */
  segment_id?: string
  /** Contacts whom this filter matches, in addition to the other conditions. */
  filter?: Filter
}

export interface Variant {
  position: number
  templateId: Id<'template'>
  versionId: Id<'templateVersion'>
  share: number
}

/** Whether the hour is one moment for all, or a local hour of each recipient. */
export type ZoneMode = 'business' | 'recipient'

export interface Campaign {
  id: Id<'campaign'>
  name: string
  channel: CampaignChannel
  state: CampaignState
  audience: Audience
  /** The key of the topic; null for none. */
  topic: string | null
  /** UTM parameters of its links; {} for none, null for the business's. */
  utm: Utm | null
  /** Whether it is in the public archive of the business, once it is sent. */
  inArchive: boolean
  version: number
  writtenBy: Writer
  sendAt: Date | null
  sendLocal: string | null
  zoneMode: ZoneMode
  /** The zone of the business. */
  timeZone: string
  throttlePerMinute: number | null
  recipients: number | null
  /** Whether its first recipient was taken: from then on it cannot be a draft again. */
  isUnderWay: boolean
  pauseReason: string | null
  /** Set where connected apps changed who gets it since a person said yes. */
  approvalReason: ApprovalReason | null
  approval: 'asked' | 'approved' | 'refused' | null
  /** Recipients who count against the approval limit and have not been sent to yet. */
  unapproved: number
  orderedBy: Id<'user'> | null
  /** The connection that ordered it; null if a person did, or nobody yet. */
  connectionId: Id<'connection'> | null
  /** Why a person refused it; null if nobody did. */
  refusalReason: string | null
  /** The description of a wished audience that matched no tag: somebody has to choose a tag. */
  audienceWish: string | null
  createdAt: Date
  updatedAt: Date
  deployedAt: Date | null
  frozenAt: Date | null
  completedAt: Date | null
  cancelledAt: Date | null
  /** When retention had deleted who got it; its totals stay. */
  recipientsDeletedAt: Date | null
  /** What was true of its route when its recipients were fixed; null before. */
  route: RouteFacts | null
  /** The feed that it is an issue of; null for none. */
  feedId: Id<'feed'> | null
}

/** What its recipients' caps take it for. */
export const sourceOf = ({ feedId }: Pick<Campaign, 'feedId'>) =>
  feedId === null ? ('campaign' as const) : ('feed' as const)
