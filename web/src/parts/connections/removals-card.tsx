/** What assistants ordered to erase, merge or remove, and what waits for 24 hours. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { removalWords } from '../../words/removals.ts'
import { moment } from '../../words/words.ts'

type Removal = Awaited<ReturnType<typeof api.removal.list>>['removals'][number]

export function RemovalsCard() {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['removal.list', business_id],
    queryFn: ({ signal }) => api.removal.list({ business_id }, { signal }),
    refetchInterval: unlessTold(30_000),
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || data.removals.length === 0) return null
  return (
    <Card title={removalWords.title}>
      <div className="grid gap-4">
        <p className="text-muted">{removalWords.about}</p>
        <ul className="grid gap-3">
          {data.removals.map((removal) => (
            <Waiting key={removal.removal_id} removal={removal} />
          ))}
        </ul>
      </div>
    </Card>
  )
}

const nameOf = (contact: Removal['contact']) =>
  contact?.email ?? contact?.phone ?? contact?.contact_id ?? ''

function textOf({ operation, contact, other_contact, domain }: Removal): string {
  if (operation === 'domain.remove') return removalWords.domain(domain ?? '')
  if (other_contact) return removalWords.merge(nameOf(other_contact), nameOf(contact))
  return removalWords.erase(nameOf(contact))
}

function Waiting({ removal }: { removal: Removal }) {
  const business_id = useBusinessId()
  const mayCancel = useMay('editor')
  const mayComplete = useMay('admin')
  const { removal_id } = removal
  const cancelling = useMutation({
    mutationFn: () => api.removal.cancel({ business_id, removal_id }),
    onSuccess: () => tell(removalWords.toldCancelled),
  })
  const completing = useMutation({
    mutationFn: () => api.removal.complete({ business_id, removal_id }),
    onSuccess: () => tell(removalWords.toldCompleted),
  })
  const text = textOf(removal)
  const when = removal.waits_for_person
    ? removalWords.waits
    : removalWords.due(moment(removal.due_at))
  const failure = cancelling.error ?? completing.error
  return (
    <li className="grid gap-2 text-sm">
      <div className="grid gap-0.5">
        <p className="break-words font-medium">{text}</p>
        <p className="text-muted">
          {removalWords.by} <bdi>{removal.name}</bdi> · {when}
        </p>
      </div>
      {failure && <Failure error={failure} />}
      <div className="flex flex-wrap gap-2">
        {mayCancel && (
          <Button
            busy={cancelling.isPending}
            onClick={() => cancelling.mutate()}
            aria-label={`${removalWords.cancel}: ${text}`}
          >
            {removalWords.cancel}
          </Button>
        )}
        {mayComplete && (
          <Button
            look="danger"
            busy={completing.isPending}
            onClick={() => completing.mutate()}
            aria-label={`${removalWords.complete}: ${text}`}
          >
            {removalWords.complete}
          </Button>
        )}
      </div>
    </li>
  )
}
