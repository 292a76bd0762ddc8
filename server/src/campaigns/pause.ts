import { type Id, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Campaign } from './campaign.ts'
import { byCampaign } from './campaign.ts'
import { listCounts, recipientEnds } from './campaign-run.ts'
import { pauseCampaign } from './sending/transitions.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

/** What became of the recipients so far; before the freeze nobody is one. */
async function reachOf(tx: Tx, businessId: Id<'business'>, { id, recipients }: Campaign) {
  const counts = await listCounts(tx, businessId, id)
  const countOf = (...metrics: readonly string[]) =>
    counts.reduce((sum, { metric, amount }) => sum + (metrics.includes(metric) ? amount : 0), 0)
  const waiting = Math.max(0, (recipients ?? 0) - countOf(...recipientEnds))
  return { sent: countOf('sent'), waiting }
}

export const campaignPause = operation({
  name: 'campaign.pause',
  aliases: ['pause_campaign'],
  title: 'Pause a campaign',
  area: 'campaigns',
  everyday: true,
  summary: 'Stop it within a second; nobody is lost.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/campaigns/:campaign_id/pause',
  locate: { campaign_id: byCampaign },
  input: { campaign_id: campaignIdInput },
  output: Type.Object({
    ...campaignFields,
    sent: Type.Integer({ description: 'Recipients whose message is with the mail server.' }),
    waiting: Type.Integer({ description: 'Recipients who got nothing yet.' }),
  }),

  run({ business, now, origin, write }, { campaign_id }) {
    return write(async (tx) => {
      const id = parseId('campaign', campaign_id)
      if (!id) throw noSuchCampaign(campaign_id)
      const request = { businessId: business.id, id, origin }
      const paused = await pauseCampaign(tx, request, 'requested', now)
      return { ...fieldsOf(paused), ...(await reachOf(tx, business.id, paused)) }
    })
  },
})
