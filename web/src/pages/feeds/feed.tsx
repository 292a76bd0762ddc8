/** One feed: its emails with their results, its editor, and its preview with the start. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { CampaignStatus } from '../../parts/campaign-status.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { feedWords } from '../../words/feeds.ts'
import { moment, number } from '../../words/words.ts'
import { FeedStatus } from './feed-status.tsx'
import { type FeedTab, feedTabs } from './search.ts'

const FeedEditor = lazyPart(() => import('./feed-editor.tsx'), 'FeedEditor')
const FeedStart = lazyPart(() => import('./feed-start.tsx'), 'FeedStart')

export type WholeFeed = Awaited<ReturnType<typeof api.feed.get>>

const from = '/$business/feeds/$feed' as const

export function FeedPage() {
  const { feed } = useParams({ from })
  return feed === 'new' ? <NewPage /> : <SavedPage key={feed} id={feed} />
}

function ToAll() {
  const business = useBusinessId()
  return (
    <Link
      to="/$business/feeds"
      params={{ business }}
      className="text-link hover:underline max-sm:hidden"
    >
      {feedWords.all}
    </Link>
  )
}

function NewPage() {
  return (
    <Page title={feedWords.add} actions={<ToAll />}>
      <Suspense fallback={<Skeleton lines={9} />}>
        <FeedEditor />
      </Suspense>
    </Page>
  )
}

function SavedPage({ id }: { id: string }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { tab } = useSearch({ from })
  const navigate = useNavigate({ from })
  const w = feedWords
  const { data, error, refetch } = useQuery({
    queryKey: ['feed.get', business_id, id],
    queryFn: ({ signal }) => api.feed.get({ business_id, feed_id: id }, { signal }),
    refetchInterval: unlessTold(10_000),
  })
  const usual = data && (data.start_waits || data.started_version === null) ? 'start' : 'issues'
  const shown = tab ?? usual
  const go = (to: FeedTab) => void navigate({ search: { tab: to }, replace: true })
  return (
    <Page
      title={<bdi>{data?.name ?? w.title}</bdi>}
      detail={data && <FeedStatus feed={data} />}
      actions={
        <>
          <ToAll />
          {data && <Controls feed={data} />}
        </>
      }
    >
      <div className="border-b border-line px-5 py-2 max-sm:px-4">
        <ChipRow>
          {feedTabs
            .filter((entry) => entry !== 'edit' || may)
            .map((entry) => (
              <FilterChip key={entry} on={entry === shown} onClick={() => go(entry)}>
                {w.tabs[entry]}
              </FilterChip>
            ))}
        </ChipRow>
      </div>
      {error && (
        <div className="p-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data ? (
        <Suspense fallback={<Skeleton lines={9} />}>
          {shown === 'issues' && <Issues feed={data} />}
          {shown === 'edit' && <FeedEditor key={data.version} feed={data} />}
          {shown === 'start' && <FeedStart feed={data} onStarted={() => go('issues')} />}
        </Suspense>
      ) : (
        !error && <Skeleton lines={9} />
      )}
    </Page>
  )
}

function Controls({ feed }: { feed: WholeFeed }) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [mayEdit, mayStart] = [useMay('editor'), useMay('admin')]
  const [isAsking, ask] = useState(false)
  const { feed_id, status } = feed
  const w = feedWords
  const queryKey = ['feed.get', business_id, feed_id]
  const onError = (error: unknown) => tellFailure(w.failed, problemOf(error).message)
  const work = useMutation({
    mutationFn: (act: 'pause' | 'resume') => api.feed[act]({ business_id, feed_id }),
    onError,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const remove = useMutation({
    mutationFn: () => api.feed.delete({ business_id, feed_id }),
    onSuccess: async () => {
      tell(w.deleted)
      await navigate({ to: '/$business/feeds', params: { business: business_id } })
      client.removeQueries({ queryKey })
    },
    onError,
  })
  return (
    <>
      {status === 'running' && mayEdit && (
        <Button icon="pause" busy={work.isPending} onClick={() => work.mutate('pause')}>
          {w.pause}
        </Button>
      )}
      {status === 'paused' && mayStart && (
        <Button icon="play" busy={work.isPending} onClick={() => work.mutate('resume')}>
          {w.resume}
        </Button>
      )}
      {status !== 'running' && mayEdit && (
        <Button look="danger" onClick={() => ask(true)}>
          {w.delete}
        </Button>
      )}
      {isAsking && (
        <Dialog open title={w.delete} onClose={() => ask(false)}>
          <p>{w.deleteAbout}</p>
          <DialogActions>
            <Button onClick={() => ask(false)}>{w.cancel}</Button>
            <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              {w.delete}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** Its emails, each a campaign. */
function Issues({ feed }: { feed: WholeFeed }) {
  const business = useBusinessId()
  const w = feedWords
  const { problem, outcome, pause_reason: reason, sent, status } = feed
  const because = status === 'paused' && reason !== null ? w.pausedBecause[reason] : undefined
  return (
    <Body>
      {problem !== null && (
        <p role="alert" className="rounded-lg border border-line bg-warn-ground p-3">
          {w.broken(problem)}
        </p>
      )}
      {because !== undefined && <p className="text-muted">{because}</p>}
      {outcome === 'waiting' && <p className="text-muted">{w.waiting}</p>}
      {feed.next_issue_at !== null && (
        <p>
          {w.next}: {moment(feed.next_issue_at)}
        </p>
      )}
      <Card title={w.tabs.issues} flush>
        {sent.length === 0 ? (
          <p className="p-4 text-muted">{w.noIssues}</p>
        ) : (
          <ul className="divide-y divide-line">
            {sent.map(({ number: n, campaign_id, waits_for: waits, ...issue }) => (
              <li key={n} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
                <Link
                  to="/$business/campaigns/$campaign"
                  params={{ business, campaign: campaign_id }}
                  className="font-medium"
                >
                  {w.number} {number(n)}
                </Link>
                <CampaignStatus status={issue.status} />
                {waits !== null && issue.status === 'awaiting_approval' && (
                  <span className="text-warn">{w.waitsFor[waits]}</span>
                )}
                <span className="grow text-muted">{moment(issue.created_at)}</span>
                <span className="text-muted tabular-nums">
                  {w.posts} {number(issue.items)} · {w.sent} {number(issue.sent)} · {w.opened}{' '}
                  {number(issue.opened)} · {w.clicked} {number(issue.clicked)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Body>
  )
}
