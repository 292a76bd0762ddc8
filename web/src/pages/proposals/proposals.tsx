/** Emails that assistants wrote one by one: a person reads, changes, approves and refuses them. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusiness, useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { proposalWords } from '../../words/proposals.ts'
import { ago, moment, number } from '../../words/words.ts'

type Batch = Awaited<ReturnType<typeof api.proposal.list>>['batches'][number]
type Proposal = Awaited<ReturnType<typeof api.proposal.get>>['proposals'][number]

export function Proposals() {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['proposal.list', business_id],
    queryFn: ({ signal }) => api.proposal.list({ business_id }, { signal }),
  })
  return (
    <Page title={proposalWords.title}>
      {data?.batches.length === 0 ? (
        <Empty icon="message">{proposalWords.none}</Empty>
      ) : (
        <Body narrow>
          <p className="text-muted">{proposalWords.about}</p>
          {error && <Failure error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton lines={4} />}
          {data?.batches.map((batch) => (
            <BatchCard key={batch.batch_id} batch={batch} />
          ))}
        </Body>
      )}
    </Page>
  )
}

function BatchCard({ batch }: { batch: Batch }) {
  const business_id = useBusinessId()
  const mayDecide = useBusiness()?.role !== 'viewer'
  const { batch_id, sample_ids, waiting } = batch
  const [readIds, setReadIds] = useState<readonly string[]>([])
  const { data, error, refetch } = useQuery({
    queryKey: ['proposal.get', business_id, batch_id],
    queryFn: ({ signal }) => api.proposal.get({ business_id, batch_id, limit: 500 }, { signal }),
  })
  const readCount = sample_ids.filter((id) => readIds.includes(id)).length
  const approving = useMutation({
    mutationFn: () =>
      api.proposal.decide({
        business_id,
        batch_id,
        decision: 'approve',
        read_ids: sample_ids.filter((id) => readIds.includes(id)),
      }),
    onSuccess: ({ emails }) => tell(proposalWords.toldApproved(emails)),
  })
  const counts = (['approved', 'sent', 'refused', 'failed', 'cancelled'] as const)
    .filter((state) => batch[state] > 0)
    .map((state) => `${proposalWords.states[state]}: ${number(batch[state])}`)
  return (
    <Card title={proposalWords.from(batch.proposed_by ?? proposalWords.member)}>
      <div className="grid gap-4">
        <p className="text-muted">
          <time dateTime={batch.proposed_at} title={moment(batch.proposed_at)}>
            {ago(batch.proposed_at)}
          </time>
          {[proposalWords.kinds[batch.kind], proposalWords.waiting(waiting), ...counts].map(
            (text) => ` · ${text}`,
          )}
        </p>
        {mayDecide && waiting > 0 && (
          <div className="grid justify-items-start gap-2">
            <p role="status">{proposalWords.sampled(readCount, sample_ids.length, waiting)}</p>
            {approving.error && <Failure error={approving.error} />}
            <div className="flex flex-wrap gap-2">
              <Button
                look="main"
                disabled={readCount < sample_ids.length}
                busy={approving.isPending}
                onClick={() => approving.mutate()}
              >
                {proposalWords.approveAll(waiting)}
              </Button>
            </div>
            <Refuse batch_id={batch_id} label={proposalWords.refuseAll(waiting)} />
          </div>
        )}
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={3} />}
        <ul className="divide-y divide-line border-y border-line">
          {data?.proposals.map((proposal) => (
            <Email
              key={proposal.proposal_id}
              proposal={proposal}
              batch_id={batch_id}
              isSample={sample_ids.includes(proposal.proposal_id)}
              isRead={readIds.includes(proposal.proposal_id)}
              onRead={() => setReadIds((ids) => [...new Set([...ids, proposal.proposal_id])])}
            />
          ))}
        </ul>
      </div>
    </Card>
  )
}

interface EmailProps {
  proposal: Proposal
  batch_id: string
  isSample: boolean
  isRead: boolean
  onRead: () => void
}

function Email({ proposal, batch_id, isSample, isRead, onRead }: EmailProps) {
  const [isOpen, setOpen] = useState(false)
  const { subject, email, contact_id, status, reason } = proposal
  const toggle = () => {
    setOpen(!isOpen)
    onRead()
  }
  return (
    <li className="grid gap-2 py-2">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex flex-wrap items-center gap-x-3 gap-y-1 text-left"
      >
        <bdi className="min-w-0 flex-1 basis-40 truncate font-medium">{subject}</bdi>
        <bdi className="min-w-0 truncate text-sm text-muted">{email ?? contact_id}</bdi>
        {status !== 'waiting' && (
          <Badge tone={status === 'failed' ? 'warn' : 'calm'}>{proposalWords.states[status]}</Badge>
        )}
        {isSample && !isRead && <Badge tone="warn">{proposalWords.pleaseRead}</Badge>}
      </button>
      {reason !== null && <p className="text-sm text-muted">{reason}</p>}
      {isOpen && <Opened proposal={proposal} batch_id={batch_id} />}
    </li>
  )
}

function Opened({ proposal, batch_id }: { proposal: Proposal; batch_id: string }) {
  const business_id = useBusinessId()
  const mayEdit = useMay('editor')
  const mayDecide = useBusiness()?.role !== 'viewer'
  const [isEditing, setEditing] = useState(false)
  const { proposal_id, subject, text, status } = proposal
  const approving = useMutation({
    mutationFn: () =>
      api.proposal.decide({
        business_id,
        batch_id,
        proposal_ids: [proposal_id],
        decision: 'approve',
      }),
    onSuccess: ({ emails }) => tell(proposalWords.toldApproved(emails)),
  })
  if (isEditing) return <Edit proposal={proposal} onEnd={() => setEditing(false)} />
  return (
    <div className="grid gap-3 border-l border-line pl-3">
      {text !== null && <p className="whitespace-pre-wrap break-words">{text}</p>}
      {approving.error && <Failure error={approving.error} />}
      {status === 'waiting' && (
        <div className="flex flex-wrap gap-2">
          {mayDecide && (
            <Button
              busy={approving.isPending}
              onClick={() => approving.mutate()}
              aria-label={`${proposalWords.approve}: ${subject}`}
            >
              {proposalWords.approve}
            </Button>
          )}
          {mayEdit && (
            <Button
              onClick={() => setEditing(true)}
              aria-label={`${proposalWords.edit}: ${subject}`}
            >
              {proposalWords.edit}
            </Button>
          )}
        </div>
      )}
      {status === 'waiting' && mayDecide && (
        <Refuse batch_id={batch_id} proposal_id={proposal_id} label={proposalWords.refuse} />
      )}
    </div>
  )
}

function Edit({ proposal, onEnd }: { proposal: Proposal; onEnd: () => void }) {
  const business_id = useBusinessId()
  const [subject, setSubject] = useState(proposal.subject ?? '')
  const [text, setText] = useState(proposal.text ?? '')
  const saving = useMutation({
    mutationFn: () =>
      api.proposal.save({ business_id, proposal_id: proposal.proposal_id, subject, text }),
    onSuccess: () => {
      tell(proposalWords.toldSaved)
      onEnd()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} className="grid gap-3 border-l border-line pl-3">
      <Input
        label={proposalWords.subject}
        required
        maxLength={300}
        value={subject}
        onChange={({ target }) => setSubject(target.value)}
      />
      <TextArea
        label={proposalWords.text}
        required
        rows={10}
        maxLength={20_000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {saving.error && <Failure error={saving.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="main" busy={saving.isPending}>
          {proposalWords.save}
        </Button>
        <Button onClick={onEnd}>{proposalWords.discard}</Button>
      </div>
    </form>
  )
}

interface RefuseProps {
  batch_id: string
  /** Undefined for all of the batch. */
  proposal_id?: string
  label: string
}

/** The assistant reads the reason. */
function Refuse({ batch_id, proposal_id, label }: RefuseProps) {
  const business_id = useBusinessId()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const refusing = useMutation({
    mutationFn: () =>
      api.proposal.decide({
        business_id,
        batch_id,
        decision: 'refuse',
        reason,
        ...(proposal_id !== undefined && { proposal_ids: [proposal_id] }),
      }),
    onSuccess: ({ emails }) => tell(proposalWords.toldRefused(emails)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    refusing.mutate()
  }
  if (!isAsking) {
    return (
      <Button look="danger" className="justify-self-start" onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  }
  return (
    <form onSubmit={submit} className="grid w-full gap-2">
      <Input
        label={proposalWords.reason}
        hint={proposalWords.reasonHint}
        required
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      {refusing.error && <Failure error={refusing.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" busy={refusing.isPending}>
          {label}
        </Button>
        <Button onClick={() => setAsking(false)}>{proposalWords.discard}</Button>
      </div>
    </form>
  )
}
