/** Whether the service works; for its operator also what it does and what is wrong with it. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Body, Card, Fact, Facts, Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { statusWords } from '../../words/status.ts'
import { ago, moment } from '../../words/words.ts'
import { OperatorLinks } from '../operator/frame.tsx'
import { Day } from './day.tsx'
import { Findings } from './findings.tsx'
import { lasting, size } from './units.ts'

type Answer = Awaited<ReturnType<typeof api.status.get>>
export type Report = NonNullable<Answer['report']>

export function Status() {
  const status = statusWords
  const { data, error, refetch } = useQuery({
    queryKey: ['status.get'],
    queryFn: ({ signal }) => api.status.get({}, { signal }),
    refetchInterval: 10_000,
  })
  return (
    <Page title={status.title}>
      <Body>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton />}
        {data && <Health works={data.works} isForAll={!data.report} />}
        {data?.report && <OperatorLinks />}
        {data?.report && <Parts report={data.report} />}
      </Body>
    </Page>
  )
}

function Health({ works, isForAll }: { works: boolean; isForAll: boolean }) {
  const status = statusWords
  return (
    <section className="flex items-start gap-3 rounded-xl border border-line bg-surface p-4 shadow-flat">
      <span
        className={`grid size-9 shrink-0 place-items-center rounded-full ${works ? 'bg-good-ground text-good' : 'bg-bad-ground text-bad'}`}
      >
        <Icon name={works ? 'check' : 'error'} />
      </span>
      <div role="status" className="grid gap-0.5">
        <h2 className="font-semibold">{works ? status.works : status.fails}</h2>
        <p className="text-muted">{works ? status.worksText : status.failsText}</p>
        {isForAll && <p className="pt-2 text-sm text-muted">{status.notOperator}</p>}
      </div>
    </section>
  )
}

function Parts({ report }: { report: Report }) {
  return (
    <>
      <Findings findings={report.findings} />
      {report.backfills.length > 0 && <Fillings backfills={report.backfills} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Queues queues={report.queues} />
        <Storage report={report} />
      </div>
      <Day work={report.work} />
      <Nodes nodes={report.nodes} />
    </>
  )
}

/** From this age on a queue is told as stuck. */
const stuckSeconds = 300

function Queues({ queues }: { queues: Report['queues'] }) {
  const status = statusWords
  return (
    <Card title={status.queues} flush={queues.length > 0}>
      {queues.length === 0 && <p className="text-muted">{status.noQueue}</p>}
      {queues.length > 0 && (
        <>
          <p className="px-4 pt-3 text-sm text-muted">{status.queuesText}</p>
          <ul className="divide-y divide-line">
            {queues.map(({ kind, oldest_seconds, dead }) => (
              <li key={kind} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
                <code className="min-w-0 flex-1 truncate">{kind}</code>
                {dead > 0 && <Badge tone="bad">{status.dead(dead)}</Badge>}
                {oldest_seconds > 0 && (
                  <Badge tone={oldest_seconds > stuckSeconds ? 'bad' : 'calm'}>
                    {status.waits(lasting(oldest_seconds))}
                  </Badge>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

/** Schema changes that a job makes bit by bit; shown while there are some. */
function Fillings({ backfills }: { backfills: Report['backfills'] }) {
  const status = statusWords
  return (
    <Card title={status.fillings} flush>
      <p className="px-4 pt-3 text-sm text-muted">{status.fillingsText}</p>
      <ul className="divide-y divide-line">
        {backfills.map(({ migration, table, rows, of_rows }) => (
          <li key={migration} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <code className="min-w-0 flex-1 truncate" title={migration}>
              {table}
            </code>
            <Badge tone="calm">
              {status.filled(of_rows === 0 ? 0 : Math.floor((100 * rows) / of_rows))}
            </Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Storage({ report }: { report: Report }) {
  const status = statusWords
  const { backup, disk_free_bytes, is_sending_paused } = report
  const age = backup.age_seconds
  const newest = age === null ? status.noBackup : status.old(lasting(age))
  return (
    <Card title={status.storage}>
      <Facts>
        <Fact name={status.backup}>{backup.is_made ? newest : status.notMade}</Fact>
        <Fact name={status.disk}>{size(disk_free_bytes)}</Fact>
        <Fact name={status.sending}>{is_sending_paused ? status.paused : status.sends}</Fact>
      </Facts>
    </Card>
  )
}

function Nodes({ nodes }: { nodes: Report['nodes'] }) {
  const status = statusWords
  return (
    <Card title={status.nodes} flush>
      <ul className="divide-y divide-line">
        {nodes.map(({ host, role, started_at, seen_at, is_alive }) => (
          <li
            key={`${host} ${started_at}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">
                <bdi>{host}</bdi>
              </span>
              <span className="block text-sm text-muted">
                {status.roles[role] ?? role}
                {' · '}
                {status.since} <time dateTime={started_at}>{moment(started_at)}</time>
                {!is_alive && (
                  <>
                    {' · '}
                    {status.seen} <time dateTime={seen_at}>{ago(seen_at)}</time>
                  </>
                )}
              </span>
            </span>
            <Badge tone={is_alive ? 'good' : 'bad'}>{is_alive ? status.alive : status.gone}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}
