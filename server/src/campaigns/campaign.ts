/**
 * A campaign: one message to many people. docs/design/campaigns.md draws its states. The files of this
 * folder, in the order in which a reader needs them:
 *
 * A draft: `save.ts`, `draft.ts`, `content.ts`, `utm.ts`, `copy.ts`, `generate.ts` with `writer/`
 * (written from a brief), `audience/` (who gets it), `ab-test/` (variants), `states.ts` (what may be
 * done when), `view.ts`, `get.ts`, `list.ts`, `picture.ts` (how it looks in lists).
 *
 * Before it is sent: `preview.ts` and `sample.ts`, `test.ts`, `preflight/` (the plan and its gates),
 * `deploy.ts`, `send.ts`, `confirmation.ts`, `decide.ts`, `two-people.ts` and `approvals/` (a person's
 * yes), `mandates/` (what an assistant may send without one), `order-issue.ts` (an issue of a feed),
 * `unschedule.ts`.
 *
 * While it is sent: `jobs.ts` lists the jobs, `sending/` has them (`sending/start.ts`,
 * `sending/freeze.ts`, `sending/run.ts`, `sending/transitions.ts`), `campaign-run.ts` is the row of their progress, `pause.ts`, `resume.ts`,
 * `cancel.ts`, `progress.ts`, `providers/` (what each mailbox provider does with it), `restoring/`.
 *
 * Afterwards: `results/`, `why.ts` (recipient by recipient), `resend.ts`, `archive/`.
 */

import type { Filter } from '../contacts/filters/filter.ts'
import { type Id, parseId } from '../core/ids.ts'
import type { Locate } from '../core/operation.ts'
import { highestId, type Page } from '../core/paging.ts'
import type { Utm } from '../core/utm.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import type { RouteFacts } from '../messages/relays/route-facts.ts'

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

/** Finds the business that has the campaign `cmp_…`. */
export const byCampaign: Locate = async (db, businesses, text) => {
  const id = parseId('campaign', text)
  return id && (await findOwner(db, businesses, id))?.businessId
}

interface NewCampaign {
  id: Id<'campaign'>
  name: string
  channel: CampaignChannel
  audience: Audience
  topic: string | null
  audienceWish: string | null
  writtenBy: Writer
  fromTemplate?: Id<'template'> | undefined
  now: Date
}

export function insertCampaign(
  tx: Tx,
  businessId: Id<'business'>,
  campaign: NewCampaign,
): Promise<number> {
  const { now } = campaign
  return tx.run(sql`
    insert into campaigns (business_id, id, name, channel, state, audience, topic, audience_wish, version, written_by,
      from_template, zone_mode, created_at, updated_at)
    values (${businessId}, ${campaign.id}, ${campaign.name}, ${campaign.channel}, 'draft',
      ${JSON.stringify(campaign.audience)}, ${campaign.topic}, ${campaign.audienceWish}, 1, ${campaign.writtenBy}, ${campaign.fromTemplate ?? null}, 'business', ${now}, ${now})
  `)
}

/** The columns of a `Campaign` of this business. */
export const columnsOf = (businessId: Id<'business'>) => sql`
  id, name, channel, state, audience, topic, utm, in_archive as "inArchive", version, written_by as "writtenBy",
  send_at as "sendAt", send_local as "sendLocal", zone_mode as "zoneMode",
  (select time_zone from businesses where id = ${businessId}) as "timeZone",
  throttle_per_minute as "throttlePerMinute", recipients,
  exists (
    select from campaign_runs r
    where r.business_id = ${businessId} and r.campaign_id = campaigns.id and r.taken > 0
  ) as "isUnderWay", pause_reason as "pauseReason",
  approval_reason as "approvalReason", approval, unapproved, ordered_by as "orderedBy", connection_id as "connectionId",
  refusal_reason as "refusalReason",
  audience_wish as "audienceWish", created_at as "createdAt", updated_at as "updatedAt",
  deployed_at as "deployedAt", frozen_at as "frozenAt", completed_at as "completedAt",
  cancelled_at as "cancelledAt", recipients_deleted_at as "recipientsDeletedAt", case when leaves_machine is not null then json_build_object(
    'leavesMachine', leaves_machine, 'deliveryReported', delivery_reported,
    'complaintsReported', complaints_reported) end as route, feed_id as "feedId"
`

export function findCampaign(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
): Promise<Campaign | undefined> {
  return db.maybe(sqlWithin`
    select ${columnsOf(businessId)}
    from campaigns where business_id = ${businessId} and id = ${id}
  `)
}

interface CampaignPage extends Page<'campaign'> {
  state: CampaignState | null
  /** Occurs in the name or a subject, in any case. */
  words: string | null
  /** What of a text keeps it from being found by its words; null for nothing. */
  hidden: string | null
  /** When it goes out or went out: from the first moment up to the second. */
  from: Date | null
  until: Date | null
}

/** What a list shows beside the campaign itself. */
export interface ListedCampaign extends Campaign {
  subject: string | null
  /** Whether a feed filled in some of its content. */
  ofFeed: boolean
  /** What came of it, by the name of the counter; null where nothing was sent. */
  counts: Partial<Record<'sent' | 'opened' | 'clicked', number>> | null
}

/**
 * Whether a feed filled in some of the content, in the issue or in a copy of it: a version keeps its JSON
 * as it was written.
 */
const holdsItems = (campaignId: Sql, businessId: Id<'business'>) => sqlWithin`exists (
  select from campaign_variants v
  join template_versions t on t.business_id = v.business_id and t.id = v.template_version_id
  where v.business_id = ${businessId} and v.campaign_id = ${campaignId}
    and position('"type":"feed"' in t.source::text) > 0
)`

/** Whether a feed filled in some of the campaign's content, which is strangers' text then. */
export async function findOfFeed(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
): Promise<boolean> {
  const { ofFeed } = await db.one<{ ofFeed: boolean }>(
    sqlWithin`select ${holdsItems(sql`${id}::uuid`, businessId)} as "ofFeed"`,
  )
  return ofFeed
}

/** Lists campaigns, newest first. */
export function listCampaigns(
  db: Db,
  businessId: Id<'business'>,
  page: CampaignPage,
): Promise<ListedCampaign[]> {
  const { words, hidden, from, until } = page
  return db.all(sqlWithin`
    select ${columnsOf(businessId)},
      (
        select v.subject from campaign_variants v
        where v.business_id = ${businessId} and v.campaign_id = campaigns.id and v.position = 0
      ) as subject,
      (feed_id is not null or channel = 'email'
        and ${holdsItems(sql`campaigns.id`, businessId)}) as "ofFeed",
      (
        select json_object_agg(metric, amount) from (
          select metric, sum(amount) as amount from campaign_counts c
          where c.business_id = ${businessId} and c.campaign_id = campaigns.id
            and c.metric in ('sent', 'opened', 'clicked')
          group by metric
        ) counts
      ) as counts
    from campaigns
    where business_id = ${businessId} and id < ${page.before ?? highestId}
      and (${page.state}::text is null or state = ${page.state})
      and (${words}::text is null or (position(lower(${words}) in lower(name)) > 0
        and (${hidden}::text is null or name !~ ${hidden})) or exists (
        select from campaign_variants v
        where v.business_id = ${businessId} and v.campaign_id = campaigns.id
          and position(lower(${words}) in lower(v.subject)) > 0
          and (${hidden}::text is null or v.subject !~ ${hidden})
      ))
      and (${from}::timestamptz is null or coalesce(deployed_at, send_at) >= ${from})
      and (${until}::timestamptz is null or coalesce(deployed_at, send_at) < ${until})
    order by id desc limit ${page.limit}
  `)
}

export function insertVariants(
  tx: Tx,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
  variants: readonly Variant[],
): Promise<number> {
  return tx.run(sql`
    insert into campaign_variants (business_id, campaign_id, position, template_id,
      template_version_id, share, subject)
    select ${businessId}, ${campaignId}, position, template_id, version_id, share, (
      select source->>'subject' from template_versions t
      where t.business_id = ${businessId} and t.id = version_id
    )
    from unnest(
      ${variants.map((variant) => variant.position)}::smallint[],
      ${variants.map((variant) => variant.templateId)}::uuid[],
      ${variants.map((variant) => variant.versionId)}::uuid[],
      ${variants.map((variant) => variant.share)}::smallint[]
    ) as new (position, template_id, version_id, share)
  `)
}

/** Lists the variants in their order. */
export function findVariants(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<Variant[]> {
  return db.all(sql`
    select position, template_id as "templateId", template_version_id as "versionId", share
    from campaign_variants
    where business_id = ${businessId} and campaign_id = ${campaignId} order by position
  `)
}

/**
 * Whether an app that may not take data out ordered the campaign, or saved the content of a variant last.
 * A version that nobody saved is the same content in a new look.
 */
export async function isByKeeping(
  db: Db,
  businessId: Id<'business'>,
  { id, connectionId }: Pick<Campaign, 'id' | 'connectionId'>,
): Promise<boolean> {
  const row = await db.maybe(sql`
    select from connections c
    where c.client_id is not null and not c.takes_data_out and (
      c.id = ${connectionId} or c.id in (
        select saved.connection_id
        from campaign_variants v
        join lateral (
          select t.connection_id from template_versions t
          where t.business_id = v.business_id and t.template_id = v.template_id
            and (t.connection_id is not null or t.user_id is not null)
          order by t.version desc limit 1
        ) saved on true
        where v.business_id = ${businessId} and v.campaign_id = ${id}
      )
    )
    limit 1
  `)
  return row !== undefined
}

/** Which of these businesses has the campaign. */
function findOwner(
  db: Db,
  businesses: readonly Id<'business'>[],
  id: Id<'campaign'>,
): Promise<{ businessId: Id<'business'> } | undefined> {
  return db.maybe(sql`
    select business_id as "businessId" from campaigns
    where business_id = any (${businesses}::uuid[]) and id = ${id}
  `)
}

interface DraftChange {
  id: Id<'campaign'>
  name: string
  audience: Audience
  topic: string | null
  utm: Utm | null
  audienceWish: string | null
  version: number
}

export function updateDraft(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name, audience, topic, utm, audienceWish, version }: DraftChange,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns set name = ${name}, audience = ${JSON.stringify(audience)},
      topic = ${topic}, utm = ${utm && JSON.stringify(utm)}, audience_wish = ${audienceWish},
      version = ${version}, updated_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

export function updateFromTemplate(
  tx: Tx,
  businessId: Id<'business'>,
  { id, fromTemplate }: { id: Id<'campaign'>; fromTemplate: Id<'template'> },
): Promise<number> {
  return tx.run(sql`
    update campaigns set from_template = ${fromTemplate}
    where business_id = ${businessId} and id = ${id}
  `)
}

export function updateName(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name, utm }: Pick<Campaign, 'id' | 'name' | 'utm'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns set name = ${name}, utm = ${utm && JSON.stringify(utm)}, updated_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

/** Whether it is in the public archive of the business. */
export function updateArchive(
  tx: Tx,
  businessId: Id<'business'>,
  { id, inArchive }: Pick<Campaign, 'id' | 'inArchive'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns set in_archive = ${inArchive}, updated_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

/** Points the variant to a new version of its content. */
export function updateVariant(
  tx: Tx,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
  { position, versionId }: Pick<Variant, 'position' | 'versionId'>,
): Promise<number> {
  return tx.run(sql`
    update campaign_variants set template_version_id = ${versionId}, subject = (
      select source->>'subject' from template_versions
      where business_id = ${businessId} and id = ${versionId}
    )
    where business_id = ${businessId} and campaign_id = ${campaignId}
      and position = ${position}
  `)
}

/**
 * Campaigns whose audience uses a segment and that are scheduled or deployed without a frozen
 * audience.
 */
export function findNaming(
  db: Db,
  businessId: Id<'business'>,
  segmentId: string,
): Promise<Pick<Campaign, 'id' | 'name'>[]> {
  return db.all(sql`
    select id, name from campaigns
    where business_id = ${businessId} and frozen_at is null
      and state in ('awaiting_approval', 'scheduled', 'deployed', 'paused')
      and position(${segmentId}::text in audience::text) > 0
    order by id
  `)
}

/** Campaigns of a topic that are ordered and not over. */
export function findOfTopic(
  db: Db,
  businessId: Id<'business'>,
  topic: string,
): Promise<Pick<Campaign, 'id' | 'name'>[]> {
  return db.all(sql`
    select id, name from campaigns
    where business_id = ${businessId} and topic = ${topic}
      and state in ('awaiting_approval', 'scheduled', 'deployed', 'paused')
    order by id
  `)
}
