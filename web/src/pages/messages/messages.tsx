/** Every message of a business with its outcome. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { FilledWords } from '../../parts/liquid/filled-words.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import { type MessageState, MessageStatus } from '../../parts/message-status.tsx'
import { NewCampaignLink } from '../../parts/new-campaign-link.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { StaysHere } from '../../parts/stays-here.tsx'
import { Button } from '../../ui/button.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Empty } from '../../ui/states.tsx'
import { messageWords } from '../../words/lists.ts'
import { ago, colon } from '../../words/words.ts'

const from = '/$business/messages' as const

// Loaded when a message is opened, so that the list appears sooner.
const MessageDrawer = lazyPart(() => import('./message-drawer.tsx'), 'MessageDrawer')

type Message = Awaited<ReturnType<typeof api.message.list>>['messages'][number]

const states: readonly MessageState[] = [
  'scheduled',
  'queued',
  'deferred',
  'accepted',
  'delivered',
  'bounced',
  'failed',
  'unknown',
]

export function Messages() {
  const business_id = useBusinessId()
  const { status, to, open } = useSearch({ from })
  const navigate = useNavigate({ from })
  const list = useList(
    ['message.list', business_id, { status, to }],
    (page, options) =>
      api.message.list(
        { business_id, ...page, ...(status && { status }), ...(to && { to }) },
        options,
      ),
    10_000,
  )
  const messages = messageWords
  const show = (next: MessageState | undefined) =>
    void navigate({ search: { ...(to && { to }), ...(next && { status: next }) } })
  const searchFor = (address: string) =>
    void navigate({
      search: { ...(status && { status }), ...(address && { to: address }) },
      replace: true,
    })
  const close = () => void navigate({ search: ({ open: _open, ...rest }) => rest })
  return (
    <ListPage
      title={messages.title}
      toolbar={
        <div className="grid gap-2">
          <StaysHere channel="email" />
          <SearchField label={messages.search} value={to ?? ''} onChange={searchFor} />
          <ChipRow>
            <FilterChip on={status === undefined} onClick={() => show(undefined)}>
              {messages.all}
            </FilterChip>
            {states.map((state) => (
              <FilterChip key={state} on={status === state} onClick={() => show(state)}>
                {messages.status[state] ?? state}
              </FilterChip>
            ))}
          </ChipRow>
        </div>
      }
      list={list}
      rowsOf={(answer) => answer.messages}
      idOf={({ message_id }) => message_id}
      columns={columns}
      openId={open}
      empty={
        status === undefined && to === undefined ? (
          <Empty icon="message" action={<NewCampaignLink />}>
            {messages.empty}
          </Empty>
        ) : (
          <Empty
            icon="message"
            action={
              <Button onClick={() => void navigate({ search: {} })}>{messages.showAll}</Button>
            }
          >
            {messages.none}
          </Empty>
        )
      }
    >
      <Suspense>
        <MessageDrawer id={open} onClose={close} />
      </Suspense>
    </ListPage>
  )
}

/** The subject or text of a message; for one of a campaign, whose subject is a template, its name. */
function Subject({ message: { subject, text, campaign_id } }: { message: Message }) {
  const business_id = useBusinessId()
  const own = subject ?? text
  const { data } = useQuery({
    queryKey: ['campaign.list', business_id, 'names'],
    queryFn: ({ signal }) => api.campaign.list({ business_id, limit: 100 }, { signal }),
    enabled: own === null,
    staleTime: 60_000,
  })
  if (own !== null) return <bdi>{own}</bdi>
  if (campaign_id === null) return null
  const campaign = data?.campaigns.find((entry) => entry.campaign_id === campaign_id)
  return (
    <Link
      to="/$business/campaigns/$campaign"
      params={{ business: business_id, campaign: campaign_id }}
      className="text-muted hover:underline"
    >
      {messageWords.campaign}
      {colon}
      <bdi>
        <FilledWords text={campaign?.name ?? campaign_id} />
      </bdi>
    </Link>
  )
}

const columns: readonly RowsColumn<Message>[] = [
  {
    id: 'to',
    get header() {
      return messageWords.to
    },
    cell: ({ message_id, to }) => (
      <Link
        from={from}
        to={from}
        search={(before) => ({ ...before, open: message_id })}
        className="font-medium"
      >
        <bdi>{to}</bdi>
      </Link>
    ),
  },
  {
    id: 'subject',
    get header() {
      return messageWords.subject
    },
    cell: (message) => <Subject message={message} />,
    className: 'w-2/5 max-md:hidden',
  },
  {
    id: 'state',
    get header() {
      return messageWords.state
    },
    cell: ({ status }) => <MessageStatus status={status} />,
    className: 'w-40 max-sm:w-36',
  },
  {
    id: 'when',
    get header() {
      return messageWords.when
    },
    cell: ({ updated_at }) => (
      <time dateTime={updated_at} className="text-muted">
        {ago(updated_at)}
      </time>
    ),
    className: 'w-36 max-sm:hidden',
  },
]
