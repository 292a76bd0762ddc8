/** One message with each event, in the remote server's own words. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { MessageStatus } from '../../parts/message-status.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/page.tsx'
import { Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { messageWords } from '../../words/lists.ts'
import { moment, number } from '../../words/words.ts'

type Message = Awaited<ReturnType<typeof api.message.get>>

export function MessageDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const business_id = useBusinessId()
  // The drawer keeps its message while it slides out.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  const query = useQuery({
    queryKey: ['message.get', business_id, shown],
    queryFn: ({ signal }) => api.message.get({ business_id, message_id: shown ?? '' }, { signal }),
    enabled: id !== undefined,
  })
  const message = query.data
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={message?.subject ?? message?.to ?? messageWords.title}
      actions={
        message && (
          <>
            <Cancel message={message} />
            <ForDevelopers value={message} id={message.message_id} />
          </>
        )
      }
    >
      {query.error ? (
        <div className="p-4">
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : message ? (
        <div className="grid divide-y divide-line *:p-4">
          <Details message={message} />
          <Events message={message} />
        </div>
      ) : (
        <Skeleton lines={9} />
      )}
    </Drawer>
  )
}

function Details({ message }: { message: Message }) {
  const messages = messageWords
  const business = useBusinessId()
  return (
    <Facts>
      <Fact name={messages.state}>
        <MessageStatus status={message.status} />
      </Fact>
      <Fact name={messages.to}>
        <bdi>{message.to}</bdi>
      </Fact>
      <Fact name={messages.kind}>{messages.kinds[message.kind]}</Fact>
      {message.text !== null && (
        <Fact name={messages.subject}>
          <bdi>{message.text}</bdi>
        </Fact>
      )}
      {message.contact_id !== null && (
        <Fact name={messages.contact}>
          <Link
            to="/$business/contacts"
            params={{ business }}
            search={{ open: message.contact_id }}
            className="text-link hover:underline"
          >
            {messages.toContact}
          </Link>
        </Fact>
      )}
      <Fact name={messages.attempts}>{number(message.attempts)}</Fact>
    </Facts>
  )
}

function Events({ message }: { message: Message }) {
  const messages = messageWords
  return (
    <section className="grid gap-3" aria-labelledby="events-heading">
      <h3 id="events-heading" className="font-semibold">
        {messages.events}
      </h3>
      <ol className="grid gap-2 border-l border-line pl-3">
        {message.events.map((event, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several may happen in one moment; the order stays.
          <li key={place} className="grid gap-0.5">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{messages.status[event.type] ?? event.type}</span>
              {event.machine && <span className="text-sm text-muted">{messages.machine}</span>}
              {event.code !== null && (
                <span className="font-mono text-xs text-muted">{event.code}</span>
              )}
              <time dateTime={event.at} className="ml-auto text-sm text-muted">
                {moment(event.at)}
              </time>
            </p>
            {event.url !== null && (
              <p className="truncate text-sm text-muted">
                <bdi>{event.url}</bdi>
              </p>
            )}
            {event.words !== null && (
              <p className="font-mono text-xs text-muted">
                <bdi>{event.words}</bdi>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Cancels a message that waits for its time. */
function Cancel({ message: { message_id, status } }: { message: Message }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const messages = messageWords
  const work = useMutation({
    mutationFn: () => api.message.cancel({ business_id, message_id }),
    onSuccess: () => tell(messages.cancelled),
    onError: (error) => tellFailure(messages.failed, problemOf(error).message),
  })
  if (!may || status !== 'scheduled') return null
  return (
    <Button busy={work.isPending} onClick={() => work.mutate()}>
      {messages.cancel}
    </Button>
  )
}
