/** The next mail of a feed with its real posts, the checks, and the start or the decision about one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusiness, useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { MailFrame } from '../../parts/content/mail-frame.tsx'
import { Gates } from '../../parts/gates.tsx'
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Input } from '../../ui/field.tsx'
import { Body, Card, Fact, Facts } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { feedWords } from '../../words/feeds.ts'
import { moment, number } from '../../words/words.ts'
import type { WholeFeed } from './feed.tsx'

interface FeedStartProps {
  feed: WholeFeed
  onStarted: () => void
}

export function FeedStart({ feed, onStarted }: FeedStartProps) {
  const business_id = useBusinessId()
  const { feed_id, version } = feed
  const w = feedWords
  const { data, error, refetch } = useQuery({
    queryKey: ['feed.preview', business_id, feed_id, version],
    queryFn: ({ signal }) => api.feed.preview({ business_id, feed_id }, { signal }),
  })
  if (error) {
    return (
      <Body>
        <Failure error={error} onRetry={() => void refetch()} />
      </Body>
    )
  }
  if (!data) return <Skeleton lines={9} />
  return (
    <Body>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <Card title={w.found}>
            {data.found.length === 0 && <p className="text-muted">{w.noPosts}</p>}
            <ul className="grid gap-1.5">
              {data.found.map(({ title, url, published }) => (
                <li key={url}>
                  <bdi>{title}</bdi>
                  {published !== null && (
                    <span className="text-sm text-muted"> {moment(published)}</span>
                  )}
                </li>
              ))}
            </ul>
          </Card>
          <Card title={w.hosts}>
            <p>{data.hosts.join(', ')}</p>
            <p className="mt-2 text-sm text-muted">{w.hostsAbout}</p>
          </Card>
          <Card title={w.checks} flush>
            <Gates gates={data.gates} />
          </Card>
          <Order key={data.plan_hash} {...{ feed, plan: data, onStarted }} />
        </div>
        <Card title={w.preview}>
          <Facts>
            <Fact name={w.subject}>
              <bdi>{data.subject}</bdi>
            </Fact>
            <Fact name={w.firstAt}>{moment(data.first_issue_at)}</Fact>
          </Facts>
          <p className="my-2 text-muted">
            {w.recipients(data.recipients, number(data.recipients))}
          </p>
          <div className="h-[32rem] overflow-hidden rounded-lg border border-line">
            <MailFrame html={data.html} view="desktop" title={data.subject} />
          </div>
        </Card>
      </div>
    </Body>
  )
}

interface OrderProps extends FeedStartProps {
  plan: Awaited<ReturnType<typeof api.feed.preview>>
}

function Order({ feed, plan, onStarted }: OrderProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const role = useBusiness()?.role ?? ''
  const mayStart = useMay('admin')
  const w = feedWords
  const { feed_id, start_waits: isWaiting, started_version, version, status } = feed
  const after = async () => {
    await client.invalidateQueries({ queryKey: ['feed.get', business_id, feed_id] })
    await client.invalidateQueries({ queryKey: ['feed.preview', business_id, feed_id] })
  }
  const { plan_hash } = plan
  const [people, setPeople] = useState('')
  const [forDays, setForDays] = useState('')
  const bounds = {
    ...(people !== '' && { people: Number(people) }),
    ...(forDays !== '' && { for_days: Number(forDays) }),
  }
  const work = useMutation({
    mutationFn: (act: 'start' | 'approve' | 'refuse') =>
      act === 'start'
        ? api.feed.start({ business_id, feed_id, plan_hash })
        : api.feed.decide({
            business_id,
            feed_id,
            decision: act,
            ...(act === 'approve' && { plan_hash, ...bounds }),
          }),
    onSuccess: async ({ start_waits }, act) => {
      tell(act === 'refuse' ? w.refused : start_waits ? w.nowWaiting : w.nowRunning)
      await after()
      if (act !== 'refuse') onStarted()
    },
    onError: after,
  })
  const isBlocked = plan.gates.some(({ result }) => result === 'block')
  const isRunning = status === 'running' && started_version === version
  if (isRunning && !isWaiting) return null
  const mayDecide = ['approver', 'admin', 'owner'].includes(role)
  return (
    <Card title={isWaiting ? w.waits : w.start}>
      <div className="grid gap-3">
        <p className="text-muted">{isWaiting ? w.waitsAbout : w.startText(feed.begin_with)}</p>
        {isBlocked && <p className="text-bad">{w.blocked}</p>}
        {work.error && <Failure error={work.error} />}
        {isWaiting && mayDecide && (
          <Disclosure label={w.bounds}>
            <p className="text-muted">{w.boundsAbout}</p>
            <div className="grid gap-3 sm:grid-cols-2">
              <Input
                label={w.boundPeople}
                hint={w.noBound}
                inputMode="numeric"
                value={people}
                onChange={({ target }) => setPeople(target.value.replace(/\D/g, '').slice(0, 7))}
              />
              <Input
                label={w.boundDays}
                hint={w.noBound}
                inputMode="numeric"
                value={forDays}
                onChange={({ target }) => setForDays(target.value.replace(/\D/g, '').slice(0, 3))}
              />
            </div>
          </Disclosure>
        )}
        {isWaiting && mayDecide && (
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="danger" busy={work.isPending} onClick={() => work.mutate('refuse')}>
              {w.refuse}
            </Button>
            <Button
              look="main"
              icon="check"
              disabled={isBlocked}
              busy={work.isPending}
              onClick={() => work.mutate('approve')}
            >
              {w.approveIt}
            </Button>
          </div>
        )}
        {!isWaiting && mayStart && (
          <div className="flex justify-end">
            <Button
              look="main"
              icon="play"
              disabled={isBlocked}
              busy={work.isPending}
              onClick={() => work.mutate('start')}
            >
              {started_version === null ? w.start : w.startAgain}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
