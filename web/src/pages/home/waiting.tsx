/** Decisions and problems that wait for a person, and the campaigns that are under way. */
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { CampaignStatus } from '../../parts/campaign-status.tsx'
import { FilledWords } from '../../parts/liquid/filled-words.tsx'
import { scheduleText } from '../../parts/schedule-text.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { homeWords } from '../../words/home.ts'
import { number } from '../../words/words.ts'

/** A reader whose role does not allow one of these does not see it. */
function useWaiting() {
  const business_id = useBusinessId()
  const campaigns = (
    status: 'awaiting_approval' | 'draft' | 'deployed' | 'paused' | 'scheduled',
  ) => ({
    queryKey: ['campaign.list', business_id, status, 'few'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.campaign.list({ business_id, status, limit: 10 }, { signal }),
    refetchInterval: unlessTold(10_000),
  })
  return useQueries({
    queries: [
      campaigns('awaiting_approval'),
      campaigns('deployed'),
      campaigns('paused'),
      campaigns('scheduled'),
      campaigns('draft'),
      {
        queryKey: ['reply.list', business_id, 'open', 'few'],
        queryFn: () => api.reply.list({ business_id, open: true, limit: 100 }),
      },
      {
        queryKey: ['domain.status', business_id],
        queryFn: () => api.domain.status({ business_id }),
      },
      {
        queryKey: ['webhook.list', business_id],
        queryFn: () => api.webhook.list({ business_id, limit: 100 }),
      },
      {
        queryKey: ['sequence.list', business_id, 'waiting'],
        queryFn: () => api.sequence.list({ business_id, waiting: true, limit: 10 }),
      },
      {
        queryKey: ['proposal.list', business_id],
        queryFn: () => api.proposal.list({ business_id }),
      },
    ],
  })
}

export function Waiting() {
  const business = useBusinessId()
  const [
    approvals,
    deployed,
    paused,
    scheduled,
    drafts,
    replies,
    domains,
    webhooks,
    automations,
    proposals,
  ] = useWaiting()
  const { waits, going } = homeWords
  const params = { business }
  if (approvals.isPending || deployed.isPending) return <Skeleton />
  const proposed = (proposals.data?.batches ?? []).reduce((sum, { waiting }) => sum + waiting, 0)
  const open = replies.data?.replies.length ?? 0
  const refused = (drafts.data?.campaigns ?? []).filter((draft) => draft.refusal_reason !== null)
  const broken = (domains.data?.domains ?? []).filter(({ status }) => status === 'degraded')
  const failing = (webhooks.data?.webhooks ?? []).filter(
    (webhook) => webhook.failing_since !== null,
  )
  const lines: ReactNode[] = [
    ...(approvals.data?.campaigns ?? []).map(({ campaign_id, name }) => (
      <Line key={campaign_id} icon="clock" text={waits.approval(name)}>
        <a href={`/campaigns/${campaign_id}`} className={buttonClass()}>
          {waits.decide}
        </a>
      </Line>
    )),
    ...(automations.data?.sequences ?? []).map(({ sequence_id, name, start_waits }) => (
      <Line
        key={sequence_id}
        icon="clock"
        text={start_waits ? waits.automation(name) : waits.automationPaused(name)}
      >
        <Link
          to="/$business/automations/$automation"
          params={{ business, automation: sequence_id }}
          search={start_waits ? { tab: 'start' } : {}}
          className={buttonClass()}
        >
          {waits.decide}
        </Link>
      </Line>
    )),
    ...refused.map(({ campaign_id, name }) => (
      <Line key={campaign_id} icon="undo" text={waits.refused(name)}>
        <Link
          to="/$business/campaigns/$campaign"
          params={{ business, campaign: campaign_id }}
          className={buttonClass()}
        >
          {waits.open}
        </Link>
      </Line>
    )),
    proposed > 0 && (
      <Line key="proposals" icon="clock" text={waits.proposals(number(proposed))}>
        <Link to="/$business/proposals" params={params} className={buttonClass()}>
          {waits.decide}
        </Link>
      </Line>
    ),
    open > 0 && (
      <Line key="replies" icon="reply" text={waits.replies(number(open))}>
        <Link
          to="/$business/replies"
          params={params}
          search={{ open: true }}
          className={buttonClass()}
        >
          {waits.decide}
        </Link>
      </Line>
    ),
    ...broken.map(({ domain }) => (
      <Line key={domain} icon="domain" text={waits.domain(domain)}>
        <Link to="/$business/domains" params={params} className={buttonClass()}>
          {waits.open}
        </Link>
      </Line>
    )),
    ...failing.map(({ webhook_id, url }) => (
      <Line key={webhook_id} icon="webhook" text={waits.webhook(url)}>
        <Link to="/$business/webhooks" params={params} className={buttonClass()}>
          {waits.open}
        </Link>
      </Line>
    )),
  ].filter(Boolean)
  const under = [deployed, paused, scheduled].flatMap(({ data }) => data?.campaigns ?? [])
  return (
    <div className="grid gap-6">
      <Card title={waits.title} flush>
        {lines.length > 0 ? (
          <ul className="divide-y divide-line">{lines}</ul>
        ) : (
          <p className="flex items-center gap-2 p-4 text-muted">
            <Icon name="check" className="text-good" />
            {waits.nothing}
          </p>
        )}
      </Card>
      <Card
        title={going.title}
        actions={
          <Link
            to="/$business/campaigns"
            params={params}
            className={buttonClass('quiet', '-mr-2.5')}
          >
            {going.all}
          </Link>
        }
        flush
      >
        {under.length > 0 ? (
          <ul className="divide-y divide-line">
            {under.map((campaign) => (
              <li key={campaign.campaign_id} className="flex items-center gap-3 px-4 py-2">
                <div className="grid min-w-0 flex-1">
                  <Link
                    to="/$business/campaigns/$campaign"
                    params={{ business, campaign: campaign.campaign_id }}
                    className="truncate font-medium hover:underline"
                  >
                    <bdi>
                      <FilledWords text={campaign.name} />
                    </bdi>
                  </Link>
                  {campaign.status === 'scheduled' && campaign.schedule && (
                    <span className="text-sm text-muted">
                      {campaignWords.list.goesOut(scheduleText(campaign.schedule, 'medium'))}
                    </span>
                  )}
                </div>
                <CampaignStatus status={campaign.status} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="p-4 text-muted">{going.nothing}</p>
        )}
      </Card>
    </div>
  )
}

function Line({ icon, text, children }: { icon: IconName; text: string; children?: ReactNode }) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-2.5 px-4 py-1.5">
      <Icon name={icon} className="shrink-0 text-warn" />
      <span className="min-w-0 flex-1 basis-40">
        <bdi>{text}</bdi>
      </span>
      {children}
    </li>
  )
}
