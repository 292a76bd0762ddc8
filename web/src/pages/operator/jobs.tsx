/** Jobs that wait and jobs that failed, for the operator. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { operatorWords } from '../../words/operator.ts'
import { ago, moment, number } from '../../words/words.ts'
import { lasting } from '../status/units.ts'
import { OperatorPage } from './frame.tsx'

type Jobs = Awaited<ReturnType<typeof api.operator.jobs>>

/** From this age on a queue is told as stuck. */
const stuckSeconds = 300

export function OperatorJobs() {
  const { jobs } = operatorWords
  const query = useQuery({
    queryKey: ['operator.jobs'],
    queryFn: ({ signal }) => api.operator.jobs({}, { signal }),
    refetchInterval: 10_000,
  })
  return (
    <OperatorPage title={jobs.title} query={query}>
      {(answer) => (
        <>
          {answer.workers === 0 && <p role="alert">{jobs.noWorker}</p>}
          <Waiting waiting={answer.waiting} />
          <Failed answer={answer} />
        </>
      )}
    </OperatorPage>
  )
}

function Kind({ kind }: { kind: string }) {
  const { jobs } = operatorWords
  const name = jobs.kinds[kind]
  return (
    <span className="flex min-w-0 flex-1 basis-44 flex-wrap items-baseline gap-x-2">
      {name !== undefined && <span className="font-medium">{name}</span>}
      <code className="truncate font-mono text-xs text-muted">{kind}</code>
    </span>
  )
}

function Waiting({ waiting }: Pick<Jobs, 'waiting'>) {
  const { jobs } = operatorWords
  return (
    <Card title={jobs.waiting} flush={waiting.length > 0}>
      {waiting.length === 0 && <p className="text-muted">{jobs.nothingWaits}</p>}
      {waiting.length > 0 && (
        <>
          <p className="px-4 pt-3 text-sm text-muted">{jobs.waitingText}</p>
          <ul className="divide-y divide-line">
            {waiting.map(({ kind, oldest_due_at }) => {
              const seconds = Math.max(0, (Date.now() - new Date(oldest_due_at).getTime()) / 1000)
              return (
                <li key={kind} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
                  <Kind kind={kind} />
                  <Badge tone={seconds > stuckSeconds ? 'bad' : 'calm'}>
                    {jobs.waits(lasting(seconds))}
                  </Badge>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </Card>
  )
}

function Failed({ answer: { failed, more_failed } }: { answer: Jobs }) {
  const { jobs } = operatorWords
  const work = useMutation({
    mutationFn: (kind: string) => api.operator.retry_jobs({ kind }),
    onSuccess: ({ retried }) => tell(jobs.retried(retried)),
  })
  const kinds = [...Map.groupBy(failed, ({ kind }) => kind)]
  return (
    <Card title={jobs.failed} flush={failed.length > 0}>
      {failed.length === 0 && <p className="text-muted">{jobs.nothingFailed}</p>}
      {failed.length > 0 && <p className="px-4 pt-3 text-sm text-muted">{jobs.failedText}</p>}
      {work.error && (
        <div className="p-4">
          <Failure error={work.error} />
        </div>
      )}
      <ul className="divide-y divide-line">
        {kinds.map(([kind, faults]) => (
          <li key={kind} className="grid gap-2 px-4 py-3">
            <div className="flex flex-wrap items-center gap-3">
              <Kind kind={kind} />
              <Button
                aria-label={jobs.retryOf(kind)}
                busy={work.isPending && work.variables === kind}
                onClick={() => work.mutate(kind)}
              >
                {jobs.retry}
              </Button>
            </div>
            <ul className="grid gap-1">
              {faults.map(({ fault, jobs: count, since }) => (
                <li key={fault ?? ''} className="flex flex-wrap items-baseline gap-x-2">
                  <span>{saidOf(fault, jobs)}</span>
                  {fault !== null && <code className="font-mono text-xs text-muted">{fault}</code>}
                  <span className="text-sm text-muted tabular-nums sm:ml-auto">
                    {jobs.jobs(count)}
                    {' · '}
                    <time dateTime={since} title={moment(since)}>
                      {jobs.since(ago(since))}
                    </time>
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {more_failed > 0 && <p className="px-4 py-3">{jobs.more(number(more_failed))}</p>}
    </Card>
  )
}

/** The code of an error says more than its class. */
function saidOf(
  fault: string | null,
  { faults, unknownFault }: (typeof operatorWords)['jobs'],
): string {
  const parts = (fault ?? '').split(' ').toReversed()
  return parts.map((part) => faults[part]).find((text) => text !== undefined) ?? unknownFault
}
