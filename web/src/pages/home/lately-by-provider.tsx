import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ProviderTotals } from '../../parts/provider-totals.tsx'

/** Shares its answer with the numbers of the month. */
export function LatelyByProvider() {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['meta.usage', business_id],
    queryFn: ({ signal }) => api.meta.usage({ business_id }, { signal }),
    refetchInterval: 15_000,
  })
  return data ? <ProviderTotals providers={data.providers} /> : null
}
