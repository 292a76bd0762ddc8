/** What a connection did in the business in the last 24 hours, and the way to undo it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { auditWords } from '../../words/audit.ts'
import { stopWords } from '../../words/stops.ts'
import { ago, moment, number } from '../../words/words.ts'

type Activity = Awaited<ReturnType<typeof api.meta.activity>>
type Group = Activity['connections'][number]['groups'][number]
type Item = Group['items'][number]

const undoCalls: Record<string, (id: string) => Promise<unknown>> = {
  'campaign.unschedule': (campaign_id) => api.campaign.unschedule({ campaign_id }),
  'campaign.pause': (campaign_id) => api.campaign.pause({ campaign_id }),
  'sequence.pause': (sequence_id) => api.sequence.pause({ sequence_id }),
  'sequence.stop': (sequence_id) => api.sequence.stop({ sequence_id }),
  'import.cancel': (import_id) => api.import.cancel({ import_id }),
  'import.undo': (import_id) => api.import.undo({ import_id }),
  'message.cancel': (message_id) => api.message.cancel({ message_id }),
  'proposal.cancel': (batch_id) => api.proposal.cancel({ batch_id }),
  'removal.cancel': (removal_id) => api.removal.cancel({ removal_id }),
  'webhook.delete': (webhook_id) => api.webhook.delete({ webhook_id }),
}

export function Deeds({ connection_id }: { connection_id: string }) {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['meta.activity', business_id, connection_id],
    queryFn: ({ signal }) => api.meta.activity({ business_id, connection_id }, { signal }),
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={2} />
  const groups = data.connections.flatMap((connection) => connection.groups)
  return (
    <section className="grid gap-1 text-sm">
      <h3 className="font-medium">{stopWords.lastDay}</h3>
      {groups.length === 0 ? (
        <p className="text-muted">{stopWords.nothing}</p>
      ) : (
        <ul className="grid gap-2">
          {groups.map((group) => (
            <Done key={group.operation} group={group} />
          ))}
        </ul>
      )}
      {!data.complete && <p className="text-muted">{stopWords.onlyLatest}</p>}
    </section>
  )
}

function Done({ group }: { group: Group }) {
  const name = stopWords.done[group.operation] ?? auditWords.done[group.operation]
  const undoable = group.items.filter(({ undo }) => undo !== null)
  return (
    <li className="grid gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span>{name ?? <code className="font-mono text-xs">{group.operation}</code>}</span>
        <span className="text-muted">{stopWords.times(number(group.count))}</span>
        <time dateTime={group.last_at} title={moment(group.last_at)} className="ml-auto text-muted">
          {ago(group.last_at)}
        </time>
      </p>
      {undoable.map((item) => (
        <Undo key={item.id} item={item} />
      ))}
    </li>
  )
}

function Undo({ item: { id, undo } }: { item: Item }) {
  const call = undo && undoCalls[undo.tool]
  const work = useMutation({
    mutationFn: async () => {
      if (call && id !== null) await call(id)
    },
    onSuccess: () => tell(stopWords.toldUndone),
  })
  if (!undo || !call || id === null) return null
  const label = stopWords.undo[undo.tool] ?? undo.tool
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Copyable text={id} />
      {work.error && <Failure error={work.error} />}
      <Button busy={work.isPending} onClick={() => work.mutate()} aria-label={`${label} ${id}`}>
        {label}
      </Button>
    </div>
  )
}
