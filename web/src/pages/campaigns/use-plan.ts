import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import type { WholeCampaign } from './campaign.tsx'

export type Plan = Awaited<ReturnType<typeof api.campaign.preview>>

/** The plan as it would be executed now. */
export function usePlan({ campaign_id, updated_at, status }: WholeCampaign) {
  const business_id = useBusinessId()
  return useQuery({
    queryKey: ['campaign.preview', business_id, campaign_id, updated_at],
    queryFn: ({ signal }) => api.campaign.preview({ business_id, campaign_id }, { signal }),
    enabled: status === 'draft',
  })
}
