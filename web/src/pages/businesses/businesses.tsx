/** All businesses of the person on one page: the state of each, what waits there, and its quota. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { type Business, businessesQuery } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { ProgressBar } from '../../ui/bar-chart.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { businessesWords as texts } from '../../words/businesses.ts'
import { number, words } from '../../words/words.ts'
import { UsageFile } from './usage-file.tsx'
import { usageNow } from './usage-now.ts'

const NewBusiness = lazyPart(() => import('./new-business.tsx'), 'NewBusiness')

const from = '/$business/businesses' as const

/** Each business takes three calls, so those further down are shown when asked for. */
const perPage = 20

export function BusinessesPage() {
  const { data, error, refetch } = useQuery(businessesQuery)
  const [shown, show] = useState(perPage)
  const { new: isNew = false } = useSearch({ from })
  const navigate = useNavigate({ from })
  const all = data?.businesses ?? []
  return (
    <Page
      title={texts.title}
      detail={data && number(all.length)}
      actions={
        <>
          <a href="/account/invitations" className={buttonClass()}>
            {words.invitations}
          </a>
          <a href="/account/closed" className={buttonClass()}>
            {words.closedBusinesses}
          </a>
          {all.length > 0 && (
            <Button
              look="main"
              icon="plus"
              onClick={() => void navigate({ search: { new: true } })}
            >
              {texts.add.title}
            </Button>
          )}
        </>
      }
    >
      <Body>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton />}
        {all.length > 0 && (
          <Card flush>
            <ul className="divide-y divide-line">
              {all.slice(0, shown).map((entry) => (
                <Row key={entry.business_id} one={entry} />
              ))}
            </ul>
          </Card>
        )}
        {all.length > shown && (
          <Button className="justify-self-start" onClick={() => show(shown + perPage)}>
            {texts.more}
          </Button>
        )}
        {all.length > 0 && <UsageFile businesses={all} shown={shown} />}
      </Body>
      {isNew && all.length > 0 && (
        <Suspense>
          <NewBusiness businesses={all} onClose={() => void navigate({ search: {} })} />
        </Suspense>
      )}
    </Page>
  )
}

function useCampaignsIn(business_id: string, status: 'awaiting_approval' | 'deployed') {
  const { data } = useQuery({
    queryKey: ['campaign.list', business_id, status, 'few'],
    queryFn: ({ signal }) => api.campaign.list({ business_id, status, limit: 10 }, { signal }),
  })
  return data?.campaigns.length ?? 0
}

function Row({ one }: { one: Business }) {
  const { business_id, name, tier, role, missing } = one
  const waiting = useCampaignsIn(business_id, 'awaiting_approval')
  const going = useCampaignsIn(business_id, 'deployed')
  const usage = useQuery(usageNow(business_id))
  const emails = usage.data?.counters.find(({ metric }) => metric === 'emails')
  const isQuiet = waiting === 0 && going === 0 && missing.length === 0
  return (
    <li className="grid items-center gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[1fr_auto_14rem]">
      <div className="min-w-0">
        <Link
          to="/$business"
          params={{ business: business_id }}
          className="block truncate py-0.5 font-medium hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        <p className="text-sm text-muted">
          {words.role[role]} · {texts.tier(tier)}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5 sm:justify-end">
        {waiting > 0 && (
          <Link to="/$business" params={{ business: business_id }} className="flex py-0.5">
            <Badge tone="warn">{texts.waiting(number(waiting))}</Badge>
          </Link>
        )}
        {going > 0 && <Badge tone="live">{texts.going(number(going))}</Badge>}
        {missing.map((thing) => (
          <Badge key={thing} tone="warn">
            {texts.lacks[thing] ?? thing}
          </Badge>
        ))}
        {isQuiet && <Badge tone="calm">{texts.nothing}</Badge>}
      </div>
      {emails && (
        <div className="grid gap-1 text-sm">
          <p className="flex justify-between gap-2 text-muted">
            <span>{texts.emails}</span>
            <span className="tabular-nums">
              {emails.limit === null
                ? texts.unlimited(number(emails.used))
                : texts.of(number(emails.used), number(emails.limit))}
            </span>
          </p>
          {emails.limit !== null && emails.limit > 0 && (
            <ProgressBar share={emails.used / emails.limit} label={`${name}: ${texts.emails}`} />
          )}
        </div>
      )}
    </li>
  )
}
