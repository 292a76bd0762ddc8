import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { byCampaign, campaignStates, findCampaign } from './campaign.ts'
import { listCounts, recipientEnds } from './campaign-run.ts'
import { campaignIdInput, noSuchCampaign } from './view.ts'

/**
 * The progress of a campaign. It only reads counters, so that it can be called every second. It is
 * not a tool, because an assistant that polls would pay for each call: `http/rest/routes.ts`
 * serves it.
 */
export const campaignProgress = operation({
  name: 'campaign.progress',
  title: 'Watch a campaign',
  area: 'campaigns',
  summary: 'How far a campaign is.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/campaigns/:campaign_id/progress',
  locate: { campaign_id: byCampaign },
  input: { campaign_id: campaignIdInput },
  output: Type.Object({
    campaign_id: Type.String(),
    name: Type.String(),
    status: Type.Enum(campaignStates),
    recipients: Type.Integer(),
    done: Type.Integer(),
    per_minute: Type.Integer(),
    seconds_left: Type.Union([Type.Integer(), Type.Null()]),
    starts_in_ms: Type.Union([Type.Integer(), Type.Null()]),
    counts: Type.Record(Type.String(), Type.Integer()),
  }),

  async run({ db, business, now }, { campaign_id }) {
    const id = parseId('campaign', campaign_id)
    const campaign = id && (await findCampaign(db, business.id, id))
    if (!campaign) throw noSuchCampaign(campaign_id)
    const counts: Record<string, number> = {}
    for (const { metric, amount } of await listCounts(db, business.id, id)) {
      counts[metric] = (counts[metric] ?? 0) + amount
    }
    const recipients = campaign.recipients ?? 0
    const ended = recipientEnds.reduce((sum, metric) => sum + (counts[metric] ?? 0), 0)
    const isOver = campaign.state === 'completed'
    const done = isOver ? recipients : Math.min(recipients, ended)
    const since = campaign.frozenAt ?? campaign.deployedAt
    const minutes = since ? ((campaign.completedAt ?? now).getTime() - since.getTime()) / 60_000 : 0
    const pace = minutes > 0 ? done / minutes : 0
    const { state, sendAt } = campaign
    const startsAt = state === 'scheduled' ? sendAt : null
    const isGoing = campaign.state === 'deployed' && pace > 0
    return {
      campaign_id,
      name: campaign.name,
      status: campaign.state,
      recipients,
      done,
      per_minute: Math.round(pace),
      seconds_left: isGoing ? Math.ceil(((recipients - done) / pace) * 60) : null,
      // As a span of time, since the clock of whoever counts down may be another.
      starts_in_ms: startsAt && Math.max(0, startsAt.getTime() - now.getTime()),
      counts,
    }
  },
})
