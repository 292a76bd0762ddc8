/** One campaign: its composer while it is a draft, then its progress and results. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { CampaignStatus } from '../../parts/campaign-status.tsx'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { FilledWords } from '../../parts/liquid/filled-words.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { Controls } from './controls.tsx'
import { Rename } from './rename.tsx'

const Composer = lazyPart(() => import('./composer.tsx'), 'Composer')
const UnderWay = lazyPart(() => import('./under-way.tsx'), 'UnderWay')

export type WholeCampaign = Awaited<ReturnType<typeof api.campaign.get>>

/** Results change as long as people open mails, and faster while it is being sent. */
const refreshMs = (campaign: WholeCampaign | undefined) =>
  campaign?.status === 'deployed' ? 4_000 : 15_000

export function useCampaign() {
  const business_id = useBusinessId()
  const { campaign: campaign_id } = useParams({ from: '/$business/campaigns/$campaign' })
  return useQuery({
    queryKey: ['campaign.get', business_id, campaign_id],
    queryFn: ({ signal }) =>
      api.campaign.get({ business_id, campaign_id, content: true }, { signal }),
    refetchInterval: ({ state }) => unlessTold(refreshMs(state.data))(),
  })
}

export function Campaign() {
  const { data, error, refetch } = useCampaign()
  const isNew = useIsNew(data)
  if (!data) {
    return (
      <Page title={campaignWords.title}>
        <Body>
          {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />}
        </Body>
      </Page>
    )
  }
  return (
    <Page
      title={
        <bdi>
          <FilledWords text={data.name} />
        </bdi>
      }
      detail={
        <span className="inline-flex items-center gap-1">
          <CampaignStatus status={data.status} />
          <Rename campaign={data} />
        </span>
      }
      actions={
        <>
          <Controls campaign={data} />
          <ForDevelopers value={data} id={data.campaign_id} />
        </>
      }
    >
      <Suspense fallback={<Skeleton />}>
        {data.status === 'draft' ? (
          <Composer campaign={data} isNew={isNew} />
        ) : (
          <UnderWay campaign={data} isNew={isNew} />
        )}
      </Suspense>
    </Page>
  )
}

/** Whether the campaign got into its state while somebody looked at its page. */
function useIsNew(campaign: WholeCampaign | undefined): boolean {
  const [seen, setSeen] = useState({ id: '', status: '', isNew: false })
  if (!campaign) return false
  const { campaign_id: id, status } = campaign
  if (seen.id === id && seen.status === status) return seen.isNew
  const next = { id, status, isNew: seen.id === id }
  setSeen(next)
  return next.isNew
}
