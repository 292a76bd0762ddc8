/** The webhook endpoints that events are delivered to, and their state. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Empty, Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { webhookWords } from '../../words/lists.ts'
import { moment, number, words } from '../../words/words.ts'
import { Deliveries } from './deliveries.tsx'
import { HandOver } from './hand-over.tsx'
import { ReplaySpan } from './replay-span.tsx'
import { WebhookForm } from './webhook-form.tsx'

export type Webhook = Awaited<ReturnType<typeof api.webhook.list>>['webhooks'][number]

export function Webhooks() {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const [adding, setAdding] = useState(false)
  const webhooks = webhookWords
  const list = useQuery({
    queryKey: ['webhook.list', business_id],
    queryFn: ({ signal }) => api.webhook.list({ business_id, limit: 100 }, { signal }),
    refetchInterval: unlessTold(15_000),
  })
  const add = may && (
    <Button look="main" icon="plus" onClick={() => setAdding(true)}>
      {webhooks.add}
    </Button>
  )
  return (
    <Page title={webhooks.title} actions={add}>
      {list.error && (
        <Body>
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </Body>
      )}
      {list.isPending && !list.error && <Skeleton />}
      {list.data?.webhooks.length === 0 && (
        <Empty icon="webhook" action={add}>
          {webhooks.empty}
        </Empty>
      )}
      {list.data && list.data.webhooks.length > 0 && (
        <Body>
          {list.data.webhooks.map((webhook) => (
            <WebhookCard key={webhook.webhook_id} webhook={webhook} />
          ))}
        </Body>
      )}
      {adding && <WebhookForm onClose={() => setAdding(false)} />}
    </Page>
  )
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { webhook_id, url, status, failing_since, events, replay, filter, holder } = webhook
  const webhooks = webhookWords
  const isFailing = status === 'active' && failing_since !== null
  const state = isFailing ? 'failing' : status
  const tones = { active: 'good', paused: 'calm', failing: 'bad' } as const
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="min-w-0 truncate">{url}</bdi>
          <Badge tone={tones[state]}>{webhooks.states[state]}</Badge>
        </span>
      }
      actions={
        <>
          <ForDevelopers value={webhook} id={webhook_id} />
          <Actions webhook={webhook} />
        </>
      }
    >
      <div className="grid gap-1 px-4 py-3">
        <p className="font-mono text-xs text-muted">{events.join(' · ')}</p>
        {filter && (
          <p className="text-sm">
            {webhooks.edit.filtered(
              [...(filter.tags ?? []), filter.template_id].filter(Boolean).join(' · '),
            )}
          </p>
        )}
        {holder && <p className="text-sm text-muted">{heldBy(holder)}</p>}
        {isFailing && (
          <p className="text-sm text-bad" role="status">
            {webhooks.failingSince(moment(failing_since))}
          </p>
        )}
        {replay && replay.queued < replay.total && (
          <p className="text-sm text-muted" role="status">
            {webhooks.replaying(number(replay.queued), number(replay.total))}
          </p>
        )}
      </div>
      <Deliveries webhookId={webhook_id} url={url} />
    </Card>
  )
}

function heldBy({ kind, holder_id, name, email }: Webhook['holder'] & {}): string {
  return webhookWords.holders[kind](name ?? email ?? holder_id)
}

const dialogs = { edit: WebhookForm, span: ReplaySpan, handOver: HandOver } as const

function Actions({ webhook }: { webhook: Webhook }) {
  const { webhook_id, status } = webhook
  const business_id = useBusinessId()
  const may = useMay('admin')
  const webhooks = webhookWords
  const [asked, ask] = useState<keyof typeof dialogs>()
  const Asked = asked && dialogs[asked]
  const input = { business_id, webhook_id }
  const work = useMutation({
    mutationFn: async (act: 'pause' | 'resume' | 'replay'): Promise<string> => {
      if (act === 'replay') await api.webhook.replay(input)
      else await api.webhook.save({ ...input, status: act === 'pause' ? 'paused' : 'active' })
      return act === 'replay' ? webhooks.replayed : words.saved
    },
    onSuccess: (told) => tell(told),
    onError: (error) => tellFailure(webhooks.failed, problemOf(error).message),
  })
  if (!may) return null
  const isPaused = status === 'paused'
  return (
    <>
      <Button busy={work.isPending} onClick={() => work.mutate(isPaused ? 'resume' : 'pause')}>
        {isPaused ? webhooks.resume : webhooks.pause}
      </Button>
      <Menu align="end" trigger={<IconButton icon="dots" label={words.more} />}>
        <MenuItem icon="pen" onClick={() => ask('edit')}>
          {webhooks.edit.title}
        </MenuItem>
        <MenuItem icon="key" onClick={() => ask('handOver')}>
          {webhooks.holders.title}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="clock" onClick={() => ask('span')}>
          {webhooks.span.title}
        </MenuItem>
        <MenuItem icon="redo" onClick={() => work.mutate('replay')}>
          {webhooks.replayAll}
        </MenuItem>
      </Menu>
      {Asked && <Asked webhook={webhook} onClose={() => ask(undefined)} />}
    </>
  )
}
