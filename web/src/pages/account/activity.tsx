/** The latest calls of a connection, shown when one asks for them. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Deeds } from '../../parts/connections/deeds.tsx'
import { RecentCalls } from '../../parts/connections/recent-calls.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { connectionWords } from '../../words/account.ts'
import { auditWords } from '../../words/audit.ts'
import { ago, moment } from '../../words/words.ts'
import type { Connection } from './connection-name.ts'

export function Activity({ one }: { one: Connection }) {
  const connections = connectionWords
  return (
    <Disclosure label={connections.lately}>
      <Entries one={one} />
    </Disclosure>
  )
}

function Entries({ one: { connection_id, businesses } }: { one: Connection }) {
  const connections = connectionWords
  const { done } = auditWords
  const business = useBusinessId()
  const mayReadLog = useMay('owner')
  const { data, error, refetch } = useQuery({
    queryKey: ['connection.activity', connection_id],
    queryFn: ({ signal }) => api.connection.activity({ connection_id }, { signal }),
    refetchInterval: 5_000,
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  const nameOfBusiness = (id: string) => businesses.find((item) => item.business_id === id)?.name
  return (
    <>
      {businesses.some((item) => item.business_id === business) && (
        <Deeds connection_id={connection_id} />
      )}
      <RecentCalls calls={data.calls} />
      <h3 className="pt-1 font-medium">{connections.kept}</h3>
      {data.entries.length === 0 ? (
        <p className="text-muted">{connections.nothingLately}</p>
      ) : (
        <ul className="grid gap-1">
          {data.entries.map((entry) => (
            <li key={entry.entry_id} className="flex flex-wrap items-baseline gap-x-2">
              <span>{done[entry.operation] ?? entry.operation}</span>
              <code className="font-mono text-xs text-muted">{entry.operation}</code>
              <span className="ml-auto text-muted">
                {businesses.length > 1 && <bdi>{nameOfBusiness(entry.business_id)} · </bdi>}
                <time dateTime={entry.created_at} title={moment(entry.created_at)}>
                  {ago(entry.created_at)}
                </time>
              </span>
            </li>
          ))}
        </ul>
      )}
      {mayReadLog && businesses.some((item) => item.business_id === business) && (
        <Link
          to="/$business/audit"
          params={{ business }}
          search={{ connection: connection_id }}
          className="justify-self-start text-link hover:underline"
        >
          {connections.allInLog}
        </Link>
      )}
    </>
  )
}
