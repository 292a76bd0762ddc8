/** The red button: stops all sending of the business, or one of its assistants, and resumes them. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusiness, useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { stopWords } from '../../words/stops.ts'
import { ago, moment } from '../../words/words.ts'
import { Deeds } from './deeds.tsx'

export function StopCard() {
  const business_id = useBusinessId()
  const mayStop = useBusiness()?.role !== 'viewer'
  const { data, error, refetch } = useQuery({
    queryKey: ['sending.get', business_id],
    queryFn: ({ signal }) => api.sending.get({ business_id }, { signal }),
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || (!mayStop && data.connections.length === 0)) return null
  const { stopped_at, connections } = data
  return (
    <Card title={stopWords.title}>
      <div className="grid gap-4">
        {mayStop && stopped_at === null && <StopAll hasAssistants={connections.length > 0} />}
        {stopped_at !== null && <Stopped since={stopped_at} state={data} />}
        {connections.length > 0 && (
          <section className="grid gap-2">
            <h3 className="font-medium">{stopWords.assistants}</h3>
            <ul className="grid gap-2">
              {connections.map((entry) => (
                <Assistant key={entry.connection_id} one={entry} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Card>
  )
}

type State = Awaited<ReturnType<typeof api.sending.get>>

function StopAll({ hasAssistants }: { hasAssistants: boolean }) {
  const business_id = useBusinessId()
  const [withMessages, setWithMessages] = useState(false)
  const [withConnections, setWithConnections] = useState(hasAssistants)
  const work = useMutation({
    mutationFn: () =>
      api.sending.stop({
        business_id,
        with_messages: withMessages,
        with_connections: hasAssistants && withConnections,
      }),
    onSuccess: ({ campaigns, automations }) => tell(stopWords.toldStopped(campaigns, automations)),
  })
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">{stopWords.about}</p>
      {hasAssistants && (
        <Checkbox
          label={stopWords.withConnections}
          checked={withConnections}
          onChange={({ target }) => setWithConnections(target.checked)}
        />
      )}
      <Checkbox
        label={stopWords.withMessages}
        checked={withMessages}
        onChange={({ target }) => setWithMessages(target.checked)}
      />
      {work.error && <Failure error={work.error} />}
      <Button look="danger" icon="warn" busy={work.isPending} onClick={() => work.mutate()}>
        {stopWords.stopAll}
      </Button>
    </div>
  )
}

function Stopped({ since, state }: { since: string; state: State }) {
  const business_id = useBusinessId()
  const work = useMutation({
    mutationFn: () => api.sending.resume({ business_id }),
    onSuccess: () => tell(stopWords.toldResumed),
  })
  const text = state.with_messages ? stopWords.stoppedWithMessages : stopWords.stopped
  return (
    <div className="grid justify-items-start gap-3 rounded-lg bg-warn-ground px-3 py-3">
      <p className="font-medium">{text(moment(since))}</p>
      {work.error && <Failure error={work.error} />}
      {state.may_resume ? (
        <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
          {stopWords.resumeAll}
        </Button>
      ) : (
        <p>{stopWords.waitsForAdmin}</p>
      )}
    </div>
  )
}

function Assistant({ one }: { one: State['connections'][number] }) {
  const { connection_id, name, redirect_host, stopped_at } = one
  const work = useMutation({
    mutationFn: () =>
      stopped_at === null
        ? api.connection.stop({ connection_id })
        : api.connection.resume({ connection_id }),
    onSuccess: () =>
      tell(
        stopped_at === null
          ? stopWords.toldAssistantStopped(name)
          : stopWords.toldAssistantResumed(name),
      ),
  })
  const label = stopped_at === null ? stopWords.stopNamed(name) : stopWords.resumeNamed(name)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="grid min-w-0 flex-1 basis-48">
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="line-clamp-1 min-w-0 font-medium">{name}</bdi>
          {stopped_at !== null && <Badge tone="bad">{stopWords.isStopped}</Badge>}
        </span>
        <span className="text-sm text-muted">
          <bdi>{redirect_host}</bdi>
          {one.is_yours && ` · ${stopWords.yours}`}
          {one.last_used_at !== null && ` · ${ago(one.last_used_at)}`}
        </span>
        {work.error && <Failure error={work.error} />}
      </span>
      {(stopped_at === null || one.may_resume) && (
        <Button
          look={stopped_at === null ? 'danger' : 'plain'}
          busy={work.isPending}
          aria-label={label}
          onClick={() => work.mutate()}
        >
          {stopped_at === null ? stopWords.stop : stopWords.resume}
        </Button>
      )}
      {stopped_at !== null && (
        <div className="basis-full">
          <Deeds connection_id={connection_id} />
        </div>
      )}
    </li>
  )
}
