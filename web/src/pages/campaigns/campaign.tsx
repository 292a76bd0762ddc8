/** One campaign: its composer while it is a draft, then its progress and results. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { CampaignStatus } from '../../parts/campaign-status.tsx'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Body, Page } from '../../ui/page.tsx'
import { RawDialog } from '../../ui/raw-dialog.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { words } from '../../words/words.ts'
import { Controls } from './controls.tsx'
import { Progress } from './progress.tsx'
import { Results } from './results.tsx'

const Composer = lazy(async () => ({ default: (await import('./composer.tsx')).Composer }))
// Shown below the results, which the page shows first.
const Recipients = lazy(async () => ({ default: (await import('./recipients.tsx')).Recipients }))

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
  const [raw, setRaw] = useState(false)
  if (!data) {
    return (
      <Page title={words.campaigns.title}>
        <Body>
          {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />}
        </Body>
      </Page>
    )
  }
  return (
    <Page
      title={<bdi>{data.name}</bdi>}
      detail={<CampaignStatus status={data.status} />}
      actions={
        <>
          <Controls campaign={data} />
          <IconButton icon="code" label={words.rawJson} onClick={() => setRaw(true)} />
        </>
      }
    >
      <Suspense fallback={<Skeleton />}>
        {data.status === 'draft' ? <Composer campaign={data} /> : <UnderWay campaign={data} />}
      </Suspense>
      <RawDialog value={data} open={raw} onClose={() => setRaw(false)} />
    </Page>
  )
}

function UnderWay({ campaign }: { campaign: WholeCampaign }) {
  const { run } = words.campaigns
  const { campaign_id, waits } = campaign
  return (
    <Body>
      {campaign.status === 'awaiting_approval' ? (
        <div className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-warn-ground p-4">
          <p className="min-w-0 flex-1">{run.waits.approval}</p>
          <a href={`/campaigns/${campaign_id}`} className={buttonClass('main')}>
            {run.decide}
          </a>
        </div>
      ) : (
        <>
          {waits && <p className="text-muted">{run.waits[waits.for]}</p>}
          <Progress campaign={campaign} />
          <Results campaign={campaign} />
          <Suspense fallback={<Skeleton />}>
            <Recipients campaign={campaign} />
          </Suspense>
        </>
      )}
      <p className="flex flex-wrap items-center gap-3 text-muted">
        <Copyable text={campaign_id} />
        <Link from="/$business/campaigns/$campaign" to=".." className="text-link hover:underline">
          {words.campaigns.title}
        </Link>
      </p>
    </Body>
  )
}
