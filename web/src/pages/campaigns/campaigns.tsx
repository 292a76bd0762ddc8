/** All campaigns of a business, newest first or by month. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { type CampaignState, CampaignStatus } from '../../parts/campaign-status.tsx'
import { FilledWords } from '../../parts/liquid/filled-words.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { scheduleText } from '../../parts/schedule-text.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { ago, number, percent } from '../../words/words.ts'
import { Calendar } from './calendar.tsx'
import { Duplicate } from './duplicate.tsx'
import { NewCampaign } from './new-campaign.tsx'

// The list is there before its pictures are.
const MailThumbnail = lazyPart(
  () => import('../../parts/content/mail-thumbnail.tsx'),
  'MailThumbnail',
)

const from = '/$business/campaigns' as const

type Campaign = Awaited<ReturnType<typeof api.campaign.list>>['campaigns'][number]

const states: readonly CampaignState[] = [
  'draft',
  'awaiting_approval',
  'scheduled',
  'deployed',
  'paused',
  'completed',
  'cancelled',
]

export function Campaigns() {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { status, q, view, month, add } = useSearch({ from })
  const navigate = useNavigate({ from })
  const list = useList(
    ['campaign.list', business_id, { status, q }],
    (page, options) =>
      api.campaign.list(
        { business_id, ...page, ...(status && { status }), ...(q && { q }) },
        options,
      ),
    15_000,
  )
  const campaigns = campaignWords
  const make = may && (
    <Button
      look="main"
      icon="plus"
      onClick={() => void navigate({ search: (before) => ({ ...before, add: true }) })}
    >
      {campaigns.create}
    </Button>
  )
  const show = (next: CampaignState | undefined) =>
    void navigate({ search: { ...(q && { q }), ...(next && { status: next }) } })
  const searchFor = (text: string) =>
    void navigate({
      search: { ...(status && { status }), ...(text && { q: text }) },
      replace: true,
    })
  const close = () => void navigate({ search: ({ add: _add, ...rest }) => rest, replace: true })
  const dialog = add && may && <NewCampaign onClose={close} />
  const actions = (
    <>
      <Button
        look="quiet"
        icon={view === 'calendar' ? 'menu' : 'calendar'}
        onClick={() => void navigate({ search: view === 'calendar' ? {} : { view: 'calendar' } })}
      >
        {/* On a phone the title of the page needs the room. */}
        <span className="max-sm:sr-only">
          {view === 'calendar' ? campaigns.calendar.list : campaigns.calendar.title}
        </span>
      </Button>
      {make}
    </>
  )
  if (view === 'calendar') {
    const choose = (next: string | undefined) =>
      void navigate({ search: { view, ...(next && { month: next }) } })
    return (
      <Page fill title={campaigns.title} actions={actions}>
        <Calendar month={month} onMonth={choose} />
        {dialog}
      </Page>
    )
  }
  return (
    <ListPage
      title={campaigns.title}
      actions={actions}
      toolbar={
        <div className="grid gap-2">
          <SearchField label={campaigns.search} value={q ?? ''} onChange={searchFor} />
          <ChipRow>
            <FilterChip on={status === undefined} onClick={() => show(undefined)}>
              {campaigns.all}
            </FilterChip>
            {states.map((state) => (
              <FilterChip key={state} on={status === state} onClick={() => show(state)}>
                {campaigns.status[state]}
              </FilterChip>
            ))}
          </ChipRow>
        </div>
      }
      list={list}
      rowsOf={(answer) => answer.campaigns}
      idOf={({ campaign_id }) => campaign_id}
      columns={columns}
      look="pictures"
      empty={
        status === undefined && q === undefined ? (
          <Empty icon="campaign" action={make}>
            {campaigns.empty}
          </Empty>
        ) : (
          <Empty
            icon="campaign"
            action={
              <Button onClick={() => void navigate({ search: {} })}>{campaigns.showAll}</Button>
            }
          >
            {q === undefined ? campaigns.none : campaigns.noneFound}
          </Empty>
        )
      }
    >
      {dialog}
    </ListPage>
  )
}

/** A share of those to whom it was sent; nothing where nobody was counted, which may be a setting. */
function rateColumn(counter: 'opened' | 'clicked', header: () => string): RowsColumn<Campaign> {
  return {
    id: counter,
    get header() {
      return header()
    },
    cell: ({ results }) =>
      results !== null &&
      results[counter] > 0 && (
        <span className="tabular-nums">{percent(results[counter] / results.sent)}</span>
      ),
    className: 'w-20 text-right max-xl:hidden',
  }
}

const columns: readonly RowsColumn<Campaign>[] = [
  {
    id: 'name',
    get header() {
      return campaignWords.name
    },
    cell: (campaign) => {
      const { campaign_id, name, subject } = campaign
      return (
        <span className="flex items-center gap-3">
          <Picture campaign={campaign} />
          <span className="min-w-0 flex-1">
            <Link
              from={from}
              to="./$campaign"
              params={{ campaign: campaign_id }}
              className="block truncate font-medium"
            >
              <bdi>
                <FilledWords text={name} />
              </bdi>
            </Link>
            {subject !== null && subject !== name && (
              <bdi className="block truncate text-muted">
                <FilledWords text={subject} />
              </bdi>
            )}
          </span>
        </span>
      )
    },
  },
  {
    id: 'state',
    get header() {
      return campaignWords.state
    },
    cell: State,
    className: 'w-40',
  },
  {
    id: 'channel',
    get header() {
      return campaignWords.channel
    },
    cell: ({ channel }) => <span className="text-muted">{campaignWords.channels[channel]}</span>,
    className: 'w-24 max-2xl:hidden',
  },
  {
    id: 'recipients',
    get header() {
      return campaignWords.recipients
    },
    cell: ({ recipients }) => (
      <span className="tabular-nums">{recipients === null ? '' : number(recipients)}</span>
    ),
    className: 'w-24 text-right max-lg:hidden',
  },
  rateColumn('opened', () => campaignWords.list.opened),
  rateColumn('clicked', () => campaignWords.list.clicked),
  {
    id: 'when',
    get header() {
      return campaignWords.list.when
    },
    cell: (campaign) => <span className="text-muted">{whenOf(campaign)}</span>,
    className: 'w-60 max-md:hidden',
  },
  {
    id: 'duplicate',
    get header() {
      return campaignWords.list.actions
    },
    cell: (campaign) => <Duplicate campaign={campaign} inList />,
    className: 'w-18 text-right',
  },
]

/** Its mail, drawn anew when its version changes. */
function Picture({ campaign: { campaign_id, name, channel, version } }: { campaign: Campaign }) {
  const business_id = useBusinessId()
  return (
    <span className="h-12 w-12 shrink-0 max-sm:hidden">
      {channel === 'email' && (
        <Suspense>
          <MailThumbnail
            queryKey={['campaign.picture', business_id, campaign_id, version]}
            title={name}
            read={async () => (await api.campaign.picture({ business_id, campaign_id })).html}
            isSmall
          />
        </Suspense>
      )}
    </span>
  )
}

/** Where there is no room for the time beside it, the state of a scheduled one is its time. */
function State({ status, schedule }: Campaign) {
  if (status !== 'scheduled' || !schedule) return <CampaignStatus status={status} />
  return (
    <>
      <span className="max-md:hidden">
        <CampaignStatus status={status} />
      </span>
      <span className="md:hidden">
        <Badge tone="live" icon="clock">
          {scheduleText(schedule, 'short')}
        </Badge>
      </span>
    </>
  )
}

/** When it goes out, or what happened to it last. */
function whenOf({ status, schedule, deployed_at, completed_at, updated_at }: Campaign): string {
  const { list } = campaignWords
  // Its state says that it goes out then.
  const isWaiting = status === 'scheduled' || status === 'awaiting_approval'
  if (isWaiting && schedule) return scheduleText(schedule, 'listed')
  if (status === 'completed' && completed_at !== null) return list.sent(ago(completed_at))
  if (status === 'deployed' && deployed_at !== null) return list.began(ago(deployed_at))
  return list.changed(ago(updated_at))
}
