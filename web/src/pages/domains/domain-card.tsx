import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { providerName } from '../../parts/provider-name.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable, CopyButton } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Card } from '../../ui/page.tsx'
import { Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { domainWords } from '../../words/domains.ts'
import { requirementWords } from '../../words/sender-requirements.ts'
import { ago, number, words } from '../../words/words.ts'

// Below the records, which the page shows first.
const WarmUp = lazyPart(() => import('./warm-up.tsx'), 'WarmUp')

type Domain = Awaited<ReturnType<typeof api.domain.status>>['domains'][number]
type DnsRecord = Domain['records'][number]

const tones: Record<Domain['status'], Tone> = { pending: 'warn', verified: 'good', degraded: 'bad' }
const recordTones: Record<DnsRecord['status'], Tone> = {
  ok: 'good',
  missing: 'warn',
  wrong: 'bad',
  unknown: 'calm',
}

/** The list only contains records that are not fine; this fetches all records of one domain. */
export function DomainCard({ name }: { name: string }) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const client = useQueryClient()
  const [removing, setRemoving] = useState(false)
  const domains = domainWords
  const key = ['domain.status', business_id, name]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.domain.status({ business_id, domain: name }, { signal }),
    refetchInterval: unlessTold(30_000),
  })
  const check = useMutation({
    mutationFn: () => api.domain.status({ business_id, domain: name, check: true }),
    onSuccess: (answer) => client.setQueryData(key, answer),
    onError: (error) => tellFailure(domains.failed, problemOf(error).message),
  })
  // Whoever adds it in the app says that it is the business's own.
  const accept = useMutation({
    mutationFn: () => api.domain.add({ business_id, domain: name }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
    onError: (error) => tellFailure(domains.failed, problemOf(error).message),
  })
  const [domain] = query.data?.domains ?? []
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!domain) return <Skeleton lines={4} />
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="truncate">{domain.display_name ?? domain.domain}</bdi>
          <Badge tone={tones[domain.status]}>{domains.status[domain.status]}</Badge>
        </span>
      }
      actions={
        <>
          <ForDevelopers value={domain} />
          {may && (
            <>
              <Button busy={check.isPending} onClick={() => check.mutate()}>
                {domains.check}
              </Button>
              <Button look="danger" onClick={() => setRemoving(true)}>
                {domains.remove}
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-3 px-4 py-3">
        <p className="min-w-0 flex-1 basis-64">
          {verdictOf(domain)}{' '}
          <span className="text-muted">
            · {domain.checked_at === null ? domains.never : domains.checked(ago(domain.checked_at))}
          </span>
        </p>
        <Copyable text={domain.domain} />
        {domain.zone_file !== null && <CopyButton text={domain.zone_file} label={domains.zone} />}
      </div>
      {domain.awaits_person && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-3">
          <p className="min-w-0 flex-1 basis-64">{domains.addedByApp}</p>
          {may && (
            <Button busy={accept.isPending} onClick={() => accept.mutate()}>
              {domains.isOurs}
            </Button>
          )}
        </div>
      )}
      <div className="overflow-x-auto border-t border-line">
        <table className="w-full min-w-2xl text-left">
          <thead className="text-sm text-muted">
            <tr>
              {[domains.record, domains.host, domains.value, domains.state].map((head) => (
                <th key={head} scope="col" className="px-4 py-2 font-medium">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {domain.records.map((record) => (
              <RecordLine key={`${record.type} ${record.name}`} record={record} />
            ))}
          </tbody>
        </table>
      </div>
      {domain.refused_by && <RefusedBy refusals={domain.refused_by} />}
      {domain.warm_up && (
        <Suspense fallback={<Skeleton />}>
          <WarmUp warmUp={domain.warm_up} domain={domain} />
        </Suspense>
      )}
      {removing && <Remove name={name} onClose={() => setRemoving(false)} />}
    </Card>
  )
}

type Refusal = NonNullable<Domain['refused_by']>[number]

/** The providers that refuse mail of the domain, with the record or header that they miss. */
function RefusedBy({ refusals }: { refusals: readonly Refusal[] }) {
  const { refusedBy } = domainWords
  return (
    <section className="grid gap-2 border-t border-line px-4 py-3">
      <h3 className="font-medium">{refusedBy.title}</h3>
      {refusals.map(({ provider, kind, missing, at, held_until }) => (
        <div key={`${provider} ${kind}`} className="grid gap-1">
          <p>
            {refusedBy.text(providerName(provider) ?? provider, refusedBy.kinds[kind], ago(at))}
          </p>
          <ul className="grid gap-0.5">
            {missing.map((requirement) => (
              <li key={requirement}>{requirementWords[requirement]}</li>
            ))}
          </ul>
          {held_until !== null && <p className="text-muted">{refusedBy.held(ago(held_until))}</p>}
        </div>
      ))}
    </section>
  )
}

function RecordLine({ record }: { record: DnsRecord }) {
  const domains = domainWords
  const { type, host, value, status, remedy, needed_for, found } = record
  return (
    <tr className="align-top">
      <td className="px-4 py-2.5 font-mono text-sm whitespace-nowrap">{type}</td>
      <td className="px-4 py-2.5">
        <Copyable text={host} />
      </td>
      <td className="w-1/2 max-w-0 px-4 py-2.5">
        <Copyable text={value} />
        {status !== 'ok' && remedy !== null && (
          <p className="pt-1">{domains.remedies[status] ?? remedy}</p>
        )}
        {status === 'wrong' &&
          found?.map((text) => (
            <p key={text} className="text-sm text-muted">
              {domains.found} <bdi className="font-mono text-xs">{text}</bdi>
            </p>
          ))}
      </td>
      <td className="px-4 py-2.5">
        <Badge tone={recordTones[status]}>{domains.states[status]}</Badge>
        <p className="pt-1 text-sm whitespace-nowrap text-muted">{domains.neededFor[needed_for]}</p>
      </td>
    </tr>
  )
}

/** What the state of the domain means, in the reader's language. */
function verdictOf({ status, summary, records }: Domain): string {
  const missing = records.filter((record) => record.status !== 'ok').length
  return domainWords.verdicts[status]?.(number(missing)) ?? summary
}

function Remove({ name, onClose }: { name: string; onClose: () => void }) {
  const business_id = useBusinessId()
  const domains = domainWords
  const work = useMutation({
    mutationFn: () => api.domain.remove({ business_id, domain: name }),
    onSuccess: () => {
      tell(domains.removed)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={domains.remove} description={domains.removeText}>
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {domains.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
