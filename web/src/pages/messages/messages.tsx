/** Every message of a business with its outcome. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import { type MessageState, MessageStatus } from '../../parts/message-status.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { Empty } from '../../ui/states.tsx'
import { ago, words } from '../../words/words.ts'

const from = '/$business/messages' as const

// Loaded when a message is opened, so that the list appears sooner.
const MessageDrawer = lazy(async () => ({
  default: (await import('./message-drawer.tsx')).MessageDrawer,
}))

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
  const { status, open } = useSearch({ from })
  const navigate = useNavigate({ from })
  const list = useList(
    ['message.list', business_id, { status }],
    (page, options) =>
      api.message.list({ business_id, ...page, ...(status && { status }) }, options),
    10_000,
  )
  const { messages } = words
  const show = (next: MessageState | undefined) =>
    void navigate({ search: next ? { status: next } : {} })
  const close = () => void navigate({ search: ({ open: _open, ...rest }) => rest })
  return (
    <ListPage
      title={messages.title}
      toolbar={
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
      }
      list={list}
      rowsOf={(answer) => answer.messages}
      idOf={({ message_id }) => message_id}
      columns={columns}
      openId={open}
      empty={
        status === undefined ? (
          <Empty
            icon="message"
            call={{ tool: 'email.send', arguments: { to: 'ana@example.com', subject: 'Hello' } }}
          >
            {messages.empty}
          </Empty>
        ) : (
          <Empty icon="message">{messages.none}</Empty>
        )
      }
    >
      <Suspense>
        <MessageDrawer id={open} onClose={close} />
      </Suspense>
    </ListPage>
  )
}

const columns: readonly RowsColumn<Message>[] = [
  {
    id: 'to',
    get header() {
      return words.messages.to
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
      return words.messages.subject
    },
    cell: ({ untrusted }) => <bdi>{untrusted.subject ?? untrusted.text}</bdi>,
    className: 'w-2/5 max-md:hidden',
  },
  {
    id: 'state',
    get header() {
      return words.messages.state
    },
    cell: ({ status }) => <MessageStatus status={status} />,
    className: 'w-40 max-sm:w-36',
  },
  {
    id: 'when',
    get header() {
      return words.messages.when
    },
    cell: ({ updated_at }) => (
      <time dateTime={updated_at} className="text-muted">
        {ago(updated_at)}
      </time>
    ),
    className: 'w-36 max-sm:hidden',
  },
]
