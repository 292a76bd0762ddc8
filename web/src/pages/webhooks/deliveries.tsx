import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { RawDialog } from '../../ui/raw-dialog.tsx'
import { EmptyList, Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { webhookWords } from '../../words/lists.ts'
import { ago, number } from '../../words/words.ts'

type Delivery = Awaited<ReturnType<typeof api.webhook.deliveries>>['deliveries'][number]
const outcomes = ['failed', 'undelivered', 'delivered'] as const
type Outcome = (typeof outcomes)[number]

const tones: Record<Delivery['state'], Tone> = {
  waiting: 'calm',
  sending: 'live',
  delivered: 'good',
  failed: 'bad',
  interrupted: 'warn',
}

/** The latest attempts, each with its raw request and response. */
export function Deliveries({ webhookId, url }: { webhookId: string; url: string }) {
  const business_id = useBusinessId()
  const [outcome, setOutcome] = useState<Outcome>()
  const [shown, show] = useState<string>()
  const webhooks = webhookWords
  const list = useQuery({
    queryKey: ['webhook.deliveries', business_id, webhookId, outcome],
    queryFn: ({ signal }) =>
      api.webhook.deliveries(
        { business_id, webhook_id: webhookId, limit: 20, ...(outcome && { outcome }) },
        { signal },
      ),
    refetchInterval: unlessTold(5_000),
  })
  const isEmpty = outcome === undefined && list.data?.deliveries.length === 0
  return (
    <section aria-label={`${webhooks.deliveries}: ${url}`} className="border-t border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
        <div className="min-w-0 flex-1 max-sm:basis-full">
          <ChipRow>
            <FilterChip on={outcome === undefined} onClick={() => setOutcome(undefined)}>
              {webhooks.all}
            </FilterChip>
            {outcomes.map((word) => (
              <FilterChip key={word} on={outcome === word} onClick={() => setOutcome(word)}>
                {webhooks.outcomes[word]}
              </FilterChip>
            ))}
          </ChipRow>
        </div>
        {!isEmpty && <SendTest webhookId={webhookId} />}
      </div>
      {list.error && (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && !list.error && <Skeleton lines={2} />}
      {list.data?.deliveries.length === 0 && (
        <div className="border-t border-line">
          {isEmpty ? (
            <EmptyList action={<SendTest webhookId={webhookId} />}>
              {webhooks.noDeliveries}
            </EmptyList>
          ) : (
            <EmptyList
              action={<Button onClick={() => setOutcome(undefined)}>{webhooks.showAll}</Button>}
            >
              {webhooks.noneOfOutcome}
            </EmptyList>
          )}
        </div>
      )}
      <ul>
        {list.data?.deliveries.map((delivery) => (
          <Line
            key={delivery.delivery_id}
            delivery={delivery}
            onShow={() => show(delivery.delivery_id)}
          />
        ))}
      </ul>
      {shown !== undefined && <Attempt id={shown} onClose={() => show(undefined)} />}
    </section>
  )
}

function SendTest({ webhookId: webhook_id }: { webhookId: string }) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const webhooks = webhookWords
  const work = useMutation({
    mutationFn: () => api.webhook.test({ business_id, webhook_id }),
    onSuccess: () => tell(webhooks.tested),
    onError: (failure) => tellFailure(webhooks.failed, problemOf(failure).message),
  })
  if (!may) return null
  return (
    <Button busy={work.isPending} onClick={() => work.mutate()}>
      {webhooks.test}
    </Button>
  )
}

function Line({ delivery, onShow }: { delivery: Delivery; onShow: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const webhooks = webhookWords
  const { delivery_id, state, type, attempt, created_at, error, response_status } = delivery
  const again = useMutation({
    mutationFn: async (act: 'replay' | 'retry'): Promise<string> => {
      await api.webhook[act]({ business_id, delivery_id })
      return act === 'retry' ? webhooks.retried : webhooks.replayed
    },
    onSuccess: (told) => tell(told),
    onError: (failure) => tellFailure(webhooks.failed, problemOf(failure).message),
  })
  const acts = may && state === 'failed' ? actsOn(delivery) : []
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2">
      <span className="w-34 max-sm:w-auto">
        <Badge tone={tones[state]}>{webhooks.deliveryStates[state]}</Badge>
      </span>
      <button
        type="button"
        onClick={onShow}
        className="min-w-0 flex-1 basis-48 truncate text-left max-sm:min-h-6 font-mono text-xs hover:underline"
      >
        {type} {response_status ?? error?.error ?? ''}
      </button>
      <span className="text-sm text-muted">
        {delivery.cause === 'retry' ? webhooks.extra : webhooks.attempt(number(attempt))} ·{' '}
        {ago(created_at)}
      </span>
      {acts.length > 0 && (
        <span className="-my-1 -mr-2.5 ml-auto flex flex-wrap justify-end">
          {acts.map((act) => (
            <Button key={act} look="quiet" busy={again.isPending} onClick={() => again.mutate(act)}>
              {webhooks[act]}
            </Button>
          ))}
        </span>
      )}
    </li>
  )
}

/** What waits is tried now; what was given up is tried now, or sent with all its attempts again. */
function actsOn({ cause, attempt, next_attempt_at }: Delivery): ('replay' | 'retry')[] {
  if (cause === 'test') return []
  if (next_attempt_at === undefined) return attempt >= attempts ? ['retry', 'replay'] : ['replay']
  return new Date(next_attempt_at) > new Date() ? ['retry'] : ['replay']
}

/** Of the schedule: after so many a delivery is given up. */
const attempts = 7

function Attempt({ id, onClose }: { id: string; onClose: () => void }) {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['webhook.deliveries', business_id, 'one', id],
    queryFn: ({ signal }) => api.webhook.deliveries({ business_id, delivery_id: id }, { signal }),
  })
  return <RawDialog value={data?.deliveries ?? {}} open onClose={onClose} />
}
