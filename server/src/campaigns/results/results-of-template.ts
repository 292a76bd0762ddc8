import { readDeploySettings } from '../../accounts/businesses/deploy-settings.ts'
import { formatId, type Id, lowestIdAt, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, later } from '../../lib/time/clock.ts'
import { wholeTemplate } from '../../templates/version.ts'
import { noSuchTemplate, templateIdInput } from '../../templates/view.ts'
import { type CampaignState, campaignStates } from '../campaign.ts'

/** How far the results go back, and what is looked at of it at most. */
const daysBack = 366
const mostMessages = 5_000
const mostCampaigns = 1_000
const campaignsShown = 20
const recentDays = 30

export const templateResults = operation({
  name: 'template.results',
  title: 'See the results of a template',
  area: 'templates',
  summary:
    'Where a template was used, and by month what was sent, opened and clicked: campaigns whose content was taken from it, and single messages. Free.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/templates/:template_id/results',
  input: { template_id: templateIdInput },
  output: Type.Object({
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: 'Such as 2026-11, in the business’s time zone.' }),
        sent: Type.Integer(),
        opened: Type.Integer(),
        clicked: Type.Integer(),
      }),
    ),
    campaigns: Type.Array(
      Type.Object({
        campaign_id: Type.String(),
        name: Type.String(),
        status: Type.Enum(campaignStates),
      }),
    ),
    messages_30_days: Type.Integer(),
    connections_30_days: Type.Integer(),
    looked_at: Type.Integer({
      description: `Single messages, the newest ${mostMessages} at most.`,
    }),
  }),

  async run({ db, business, now }, { template_id }) {
    const id = parseId('template', template_id)
    if (!id || !(await wholeTemplate(db, business.id, id))) throw noSuchTemplate(template_id)
    const zone = (await readDeploySettings(db, business.id))?.timeZone ?? 'UTC'
    const query = { templateId: id, zone, now }
    const ofCampaigns = await campaignMonths(db, business.id, query)
    const { looked, recent, connections, months } = await messageMonths(db, business.id, query)
    const campaigns = await campaignsFrom(db, business.id, id)
    return {
      months: addedUp([...ofCampaigns, ...months]),
      campaigns: campaigns.map(({ id: campaignId, name, state }) => {
        return { campaign_id: formatId('campaign', campaignId), name, status: state }
      }),
      messages_30_days: recent,
      connections_30_days: connections,
      looked_at: looked,
    }
  },
})

interface Month {
  month: string
  sent: number
  opened: number
  clicked: number
}

/** One entry for each month, oldest first. */
function addedUp(rows: readonly Month[]): Month[] {
  const months = new Map<string, Month>()
  for (const row of rows) {
    const { sent, opened, clicked } = months.get(row.month) ?? { sent: 0, opened: 0, clicked: 0 }
    months.set(row.month, {
      month: row.month,
      sent: sent + row.sent,
      opened: opened + row.opened,
      clicked: clicked + row.clicked,
    })
  }
  return [...months.values()].sort((a, b) => a.month.localeCompare(b.month))
}

interface TemplateQuery {
  templateId: Id<'template'>
  zone: string
  now: Date
}

function campaignMonths(
  db: Db,
  businessId: Id<'business'>,
  { templateId, zone, now }: TemplateQuery,
): Promise<Month[]> {
  return db.all(sql`
    with used as materialized (
      select id, to_char(deployed_at at time zone ${zone}, 'YYYY-MM') as month from campaigns
      where business_id = ${businessId} and from_template = ${templateId}
        and deployed_at >= ${later(now, -days(daysBack))}
      order by id desc limit ${mostCampaigns}
    )
    select month,
      coalesce(sum(c.amount) filter (where c.metric = 'sent'), 0)::int as sent,
      coalesce(sum(c.amount) filter (where c.metric = 'opened'), 0)::int as opened,
      coalesce(sum(c.amount) filter (where c.metric = 'clicked'), 0)::int as clicked
    from used left join campaign_counts c
      on c.business_id = ${businessId} and c.campaign_id = used.id
        and c.metric in ('sent', 'opened', 'clicked')
    group by month
  `)
}

interface MessageMonths {
  looked: number
  recent: number
  connections: number
  months: Month[]
}

/** Reads only the newest messages, so that a template that sends receipts all day is read quickly. */
function messageMonths(
  db: Db,
  businessId: Id<'business'>,
  { templateId, zone, now }: TemplateQuery,
): Promise<MessageMonths> {
  const recentFrom = later(now, -days(recentDays))
  return db.one(sql`
    with newest as materialized (
      select id, created_at, connection_id, state in ('accepted', 'delivered', 'bounced') as is_sent
      from messages
      where business_id = ${businessId} and template_id = ${templateId} and campaign_id is null
        and id >= ${lowestIdAt('message', later(now, -days(daysBack)))}
      order by id desc limit ${mostMessages}
    ), visited as materialized (
      select newest.*, coalesce(v.opened, false) as opened, coalesce(v.clicked, false) as clicked
      from newest left join lateral (
        select bool_or(e.type = 'opened') as opened, bool_or(e.type = 'clicked') as clicked
        from message_events e
        where e.business_id = ${businessId} and e.message_id = newest.id
          and e.type in ('opened', 'clicked') and e.machine is not true
      ) v on true
    ), by_month as (
      select to_char(created_at at time zone ${zone}, 'YYYY-MM') as month,
        (count(*) filter (where is_sent))::int as sent,
        (count(*) filter (where opened))::int as opened,
        (count(*) filter (where clicked))::int as clicked
      from visited group by 1
    )
    select (select count(*)::int from newest) as looked,
      (select count(*)::int from newest where created_at >= ${recentFrom}) as recent,
      (select count(distinct connection_id)::int from newest where created_at >= ${recentFrom})
        as connections,
      coalesce((select json_agg(by_month) from by_month), '[]') as months
  `)
}

function campaignsFrom(
  db: Db,
  businessId: Id<'business'>,
  templateId: Id<'template'>,
): Promise<{ id: Id<'campaign'>; name: string; state: CampaignState }[]> {
  return db.all(sql`
    select id, name, state from campaigns
    where business_id = ${businessId} and from_template = ${templateId}
    order by id desc limit ${campaignsShown}
  `)
}
