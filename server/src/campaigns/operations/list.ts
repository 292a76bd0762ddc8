import { operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { campaignStates } from '../model/campaign.ts'
import { listCampaigns } from '../model/queries.ts'
import { campaignFields, fieldsOf } from '../model/view.ts'

export const campaignList = operation({
  name: 'campaign.list',
  aliases: ['list_campaigns'],
  title: 'List campaigns',
  area: 'campaigns',
  everyday: true,
  summary: 'Campaigns, newest first. Free, changes nothing.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/campaigns',
  input: { status: Type.Optional(Type.Enum(campaignStates)), ...pageInput },
  output: Type.Object({
    campaigns: Type.Array(Type.Object(campaignFields)),
    next_cursor: nextCursor,
  }),

  async run({ db, business }, { status, ...asked }) {
    const page = pageOf('campaign', asked)
    const rows = await listCampaigns(db, business.id, { ...page, state: status ?? null })
    const { shown, next } = pageFrom('campaign', rows, page, fieldsOf)
    return { campaigns: shown.map(fieldsOf), ...next }
  },
})
