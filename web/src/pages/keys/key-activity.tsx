/** The latest calls of an API key, shown when one asks for them. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { RecentCalls } from '../../parts/connections/recent-calls.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { connectionWords } from '../../words/account.ts'

export function KeyActivity({ keyId }: { keyId: string }) {
  const connections = connectionWords
  return (
    <Disclosure label={connections.lately}>
      <Calls keyId={keyId} />
    </Disclosure>
  )
}

function Calls({ keyId: key_id }: { keyId: string }) {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['key.activity', business_id, key_id],
    queryFn: ({ signal }) => api.key.activity({ business_id, key_id }, { signal }),
    refetchInterval: 5_000,
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  return data ? <RecentCalls calls={data.calls} /> : <Skeleton lines={3} />
}
