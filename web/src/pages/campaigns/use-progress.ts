/** How far a campaign is: read anew as the service tells of changes, and asked for otherwise. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'

export type CampaignProgress = Awaited<ReturnType<typeof api.campaign.progress>>

const pollMs = 2_000

export function useProgress(campaign_id: string, isGoing: boolean) {
  const business_id = useBusinessId()
  return useQuery({
    queryKey: ['campaign.progress', business_id, campaign_id],
    queryFn: ({ signal }) => api.campaign.progress({ business_id, campaign_id }, { signal }),
    refetchInterval: isGoing ? unlessTold(pollMs) : false,
  })
}
