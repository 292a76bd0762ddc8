import { hiddenFrom } from '../core/masking.ts'
import { momentInput, readMoment } from '../core/moment.ts'
import { operation } from '../core/operation.ts'
import {
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../core/paging.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { campaignStates, type ListedCampaign, listCampaigns } from './campaign.ts'
import { campaignFields, fieldsOf } from './view.ts'

const subject = Type.Union([Type.String(), Type.Null()], {
  description: 'Of the first variant, as it was written; null for texts.',
})

/** Rates are shares of `sent`; see `campaign.get` for all counts. */
const results = Type.Union(
  [
    Type.Object({ sent: Type.Integer(), opened: Type.Integer(), clicked: Type.Integer() }),
    Type.Null(),
  ],
  { description: 'Recipients so far; null where nothing was sent.' },
)

export const campaignList = operation({
  name: 'campaign.list',
  aliases: ['list_campaigns'],
  title: 'List campaigns',
  area: 'campaigns',
  everyday: true,
  summary: 'Campaigns, newest first, in brief. Free.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/campaigns',
  input: {
    status: Type.Optional(Type.Enum(campaignStates)),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Occurs in the name or a subject, in capitals or not.',
      }),
    ),
    since: Type.Optional(momentInput('Goes out or went out then or later. ISO 8601.')),
    until: Type.Optional(momentInput('Goes out or went out before that.')),
    view: viewInput,
    ...pageInput,
  },
  seldom: ['view'],
  output: Type.Object({
    campaigns: Type.Array(
      Type.Object({
        ...campaignFields,
        subject: Type.Optional(subject),
        results,
        untrusted: Type.Optional(untrusted({ subject })),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run(context, { status, q, since, until, view, ...paging }) {
    const { db, business } = context
    const page = pageOf('campaign', paging)
    const rows = await listCampaigns(db, business.id, {
      ...page,
      state: status ?? null,
      words: q ?? null,
      hidden: hiddenFrom(context),
      from: readMoment(since, 'since') ?? null,
      until: readMoment(until, 'until') ?? null,
    })
    const brief = isBrief(context, view)
    const shownOf = (row: ListedCampaign) => inView(viewOf(row), { brief, fields: briefFields })
    const { shown: campaigns, next } = pageFrom('campaign', rows, page, shownOf)
    return { campaigns: campaigns.map(shownOf), ...next }
  },
})

const briefFields = [
  'campaign_id',
  'name',
  'channel',
  'status',
  'subject',
  'untrusted',
  'feed',
  'recipients',
  'schedule',
  'pause_reason',
  'results',
] as const

function viewOf(campaign: ListedCampaign) {
  const { sent = 0, opened = 0, clicked = 0 } = campaign.counts ?? {}
  const words = { subject: campaign.subject }
  // A title of a feed stands in it.
  const shownWords: Partial<typeof words> & { untrusted?: typeof words } = campaign.ofFeed
    ? { untrusted: words }
    : words
  return {
    ...fieldsOf(campaign),
    ...shownWords,
    results: sent > 0 ? { sent, opened, clicked } : null,
  }
}
