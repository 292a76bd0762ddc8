import { campaignStates } from '../campaigns/campaign.ts'
import { formatId, type Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  byFeed,
  contentView,
  type FeedKey,
  feedFields,
  feedIdInput,
  fieldsOf,
  readFeed,
} from './feed.ts'
import { waitReasons } from './issue.ts'

/** The issues that are shown, the newest. */
const issuesShown = 50

export const feedGet = operation({
  name: 'feed.get',
  title: 'Get a feed',
  area: 'campaigns',
  summary:
    'A feed with its content, and its newest 50 issues with their results. Each issue is a campaign: campaign.get, .why and .pause take its campaign_id.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/feeds/:feed_id',
  locate: { feed_id: byFeed },
  input: { feed_id: feedIdInput },
  output: Type.Object({
    ...feedFields,
    content: contentView,
    untrusted: untrusted({
      ...feedFields.untrusted.properties,
      hosts: Type.Array(Type.String()),
    }),
    ordered_by_you: Type.Boolean(),
    sent: Type.Array(
      Type.Object({
        number: Type.Integer(),
        campaign_id: Type.String(),
        status: Type.Enum(campaignStates),
        waits_for: Type.Optional(Type.Enum(waitReasons)),
        items: Type.Integer(),
        sent: Type.Integer(),
        opened: Type.Integer(),
        clicked: Type.Integer(),
        created_at: Type.String({ description: 'ISO 8601, UTC.' }),
      }),
    ),
  }),

  async run({ db, business, principal }, { feed_id }) {
    const feed = await readFeed(db, business.id, feed_id)
    const issues = await issuesOf(db, { businessId: business.id, feedId: feed.id })
    const { untrusted: words, ...fields } = fieldsOf(feed)
    return {
      ...fields,
      content: feed.definition.content,
      untrusted: { ...words, hosts: feed.started?.hosts ?? [] },
      ordered_by_you: feed.wanted?.userId === principal.userId,
      sent: issues.map(({ campaignId, waitsFor, createdAt, counts, ...issue }) => ({
        ...issue,
        campaign_id: formatId('campaign', campaignId),
        ...(waitsFor !== null && { waits_for: waitsFor }),
        sent: counts?.sent ?? 0,
        opened: counts?.opened ?? 0,
        clicked: counts?.clicked ?? 0,
        created_at: createdAt.toISOString(),
      })),
    }
  },
})

interface IssueRow {
  number: number
  campaignId: Id<'campaign'>
  status: (typeof campaignStates)[number]
  waitsFor: (typeof waitReasons)[number] | null
  items: number
  counts: { sent?: number; opened?: number; clicked?: number } | null
  createdAt: Date
}

function issuesOf(db: Db, { businessId, feedId }: FeedKey): Promise<IssueRow[]> {
  return db.all(sql`
    select i.number, i.campaign_id as "campaignId", c.state as status, i.waits_for as "waitsFor",
      i.created_at as "createdAt", (
        select count(*)::int from feed_items f
        where f.business_id = ${businessId} and f.feed_id = ${feedId} and f.issue = i.number
      ) as items, (
        select json_object_agg(metric, amount) from (
          select metric, sum(amount) as amount from campaign_counts n
          where n.business_id = ${businessId} and n.campaign_id = i.campaign_id
            and n.metric in ('sent', 'opened', 'clicked')
          group by metric
        ) counts
      ) as counts
    from feed_issues i
    join campaigns c on c.business_id = i.business_id and c.id = i.campaign_id
    where i.business_id = ${businessId} and i.feed_id = ${feedId}
    order by i.number desc limit ${issuesShown}
  `)
}
