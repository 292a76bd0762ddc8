/** How far a campaign is: told by the service as it goes, and asked for where that fails. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'

export type CampaignProgress = Awaited<ReturnType<typeof api.campaign.progress>>

const pollMs = 2_000

export function useProgress(campaign_id: string, isGoing: boolean) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const [isTold, setTold] = useState(false)
  useEffect(() => {
    if (!isGoing) return
    const query = new URLSearchParams({ business_id })
    // The browser comes again by itself, with the id of the last event that it saw.
    const source = new EventSource(`/v1/campaigns/${campaign_id}/progress?${query}`)
    source.addEventListener('progress', ({ data }) => {
      setTold(true)
      client.setQueryData(['campaign.progress', business_id, campaign_id], JSON.parse(String(data)))
    })
    source.addEventListener('end', () => {
      source.close()
      void client.invalidateQueries({ queryKey: ['campaign.get', business_id, campaign_id] })
    })
    source.addEventListener('error', () => setTold(false))
    return () => source.close()
  }, [business_id, campaign_id, isGoing, client])
  return useQuery({
    queryKey: ['campaign.progress', business_id, campaign_id],
    queryFn: ({ signal }) => api.campaign.progress({ business_id, campaign_id }, { signal }),
    refetchInterval: isGoing && !isTold ? pollMs : false,
  })
}
