/** One campaign beside the average of those before it, or beside another that the reader chooses. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Chart } from '../../ui/chart.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { reportWords } from '../../words/reports.ts'
import { colon, moment, number, percent } from '../../words/words.ts'
import { CsvButton } from './csv-button.tsx'
import { FigureTable } from './figure-table.tsx'

type Report = Awaited<ReturnType<typeof api.report.campaign>>

const rates = ['delivered', 'bounced', 'opened', 'clicked', 'unsubscribed', 'complained'] as const

/** Campaigns to choose from. */
const mostListed = 100

export function CampaignReport() {
  const business_id = useBusinessId()
  const list = useQuery({
    queryKey: ['campaign.list', business_id, 'for reports'],
    queryFn: ({ signal }) => api.campaign.list({ business_id, limit: mostListed }, { signal }),
  })
  const sent = (list.data?.campaigns ?? []).filter(({ status }) =>
    ['deployed', 'paused', 'completed', 'cancelled'].includes(status),
  )
  const [chosen, choose] = useState<string>()
  const [otherId, setOther] = useState('')
  const campaign_id = chosen ?? sent[0]?.campaign_id
  const report = useQuery({
    queryKey: ['report.campaign', business_id, campaign_id],
    queryFn: ({ signal }) =>
      api.report.campaign(
        { business_id, campaign_id: campaign_id ?? '', format: 'csv' },
        { signal },
      ),
    enabled: campaign_id !== undefined,
  })
  const { campaign } = reportWords
  const { data } = report
  return (
    <Card
      title={campaign.title}
      actions={
        campaign_id !== undefined && (
          <>
            <Select
              label={campaign.choose}
              hidden
              className="max-w-60"
              value={campaign_id}
              onChange={({ target }) => choose(target.value)}
              options={sent.map((entry) => [entry.campaign_id, entry.name] as const)}
            />
            <CsvButton name="campaign.csv" text={data?.csv} report={campaign.title} />
          </>
        )
      }
    >
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && sent.length === 0 && <p className="text-muted">{campaign.none}</p>}
      {report.error && !data && (
        <Failure error={report.error} onRetry={() => void report.refetch()} />
      )}
      {campaign_id !== undefined && !data && !report.error && <Skeleton lines={8} />}
      {data && (
        <div className="grid gap-6">
          <div className="max-w-72">
            <Select
              label={campaign.compareWith}
              value={otherId}
              onChange={({ target }) => setOther(target.value)}
              options={[
                ['', campaign.nothing] as const,
                ...sent
                  .filter((entry) => entry.campaign_id !== campaign_id)
                  .map((entry) => [entry.campaign_id, entry.name] as const),
              ]}
            />
          </div>
          <Figures report={data} otherId={otherId === data.campaign_id ? '' : otherId} />
          <OpensJudged report={data} />
          <OverTime report={data} />
          <Parts report={data} />
        </div>
      )}
    </Card>
  )
}

const shown = (rate: number | null) =>
  rate === null ? reportWords.campaign.notReported : percent(rate)

function Figures({ report, otherId }: { report: Report; otherId: string }) {
  const business_id = useBusinessId()
  const { campaign } = reportWords
  const { data: compared } = useQuery({
    queryKey: ['report.compare', business_id, report.campaign_id, otherId],
    queryFn: ({ signal }) =>
      api.report.compare({ business_id, campaign_ids: [report.campaign_id, otherId] }, { signal }),
    enabled: otherId !== '',
  })
  const other = otherId === '' ? undefined : compared?.campaigns[1]
  const { usual } = report
  const hasUsual = usual.campaigns > 0
  const columns = [
    campaign.figure,
    campaign.this,
    hasUsual ? campaign.usual(number(usual.campaigns)) : campaign.noUsual,
  ]
  const difference = (rate: (typeof rates)[number]) => {
    const found = other?.differences.find((entry) => entry.rate === rate)
    return !found ? '' : found.beyond_chance ? campaign.beyondChance : campaign.withinChance
  }
  return (
    <div className="grid gap-2">
      <FigureTable
        title={report.name}
        columns={[...columns, ...(other ? [other.name, ''] : [])]}
        rows={[
          [
            campaign.sent,
            number(report.counts.sent),
            '',
            ...(other ? [number(other.counts.sent), ''] : []),
          ],
          ...rates.map((rate) => [
            campaign.rates[rate],
            shown(report.rates[rate]),
            hasUsual ? shown(usual.rates[rate]) : '',
            ...(other ? [shown(other.rates[rate]), difference(rate)] : []),
          ]),
        ]}
      />
      {report.channel === 'email' && <p className="text-sm text-muted">{campaign.gmail}</p>}
    </div>
  )
}

function OpensJudged({ report: { opens, channel } }: { report: Report }) {
  const { campaign } = reportWords
  if (channel !== 'email') return null
  return (
    <div className="grid gap-1">
      <p>{campaign.judged(number(opens.people), number(opens.judged))}</p>
      {opens.machines_only + opens.not_tracked > 0 && (
        <p>{campaign.notJudged(number(opens.machines_only), number(opens.not_tracked))}</p>
      )}
      <p className="text-sm text-muted">{campaign.howJudged}</p>
    </div>
  )
}

function OverTime({ report: { series, counts } }: { report: Report }) {
  const { campaign } = reportWords
  if (series.points.length === 0) return null
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">{campaign.overTime}</h3>
      <Chart
        label={campaign.overTimeLabel(number(counts.opened), number(counts.clicked))}
        rows={series.points}
        series={[
          { key: 'opened', name: campaign.opened, kind: 'bar', colour: 'accent' },
          { key: 'clicked', name: campaign.clicked, kind: 'bar', colour: 'good' },
        ]}
        axis={{ key: 'at', name: campaign.time, short: moment, long: moment }}
        write={number}
        asTable={reportWords.asTable}
      />
    </section>
  )
}

function Parts({ report }: { report: Report }) {
  const { campaign } = reportWords
  return (
    <>
      {report.unsubscribe_ways.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-medium">{campaign.unsubscribes}</h3>
          <ul>
            {report.unsubscribe_ways.map(({ way, people }) => (
              <li key={way}>
                {campaign.ways[way]}
                {colon}
                <span className="tabular-nums">{number(people)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.revenue.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-medium">{campaign.revenue}</h3>
          <ul>
            {report.revenue.map(({ currency, orders, refunds, value }) => (
              <li key={currency}>
                <span className="font-semibold tabular-nums">
                  {number(value)} {currency}
                </span>{' '}
                <span className="text-muted">
                  {campaign.orders(number(orders), number(refunds))}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.segments.length > 0 && (
        <FigureTable
          title={campaign.segments}
          about={campaign.segmentsAbout}
          columns={[
            campaign.segment,
            campaign.sent,
            campaign.rates.opened,
            campaign.rates.clicked,
            campaign.rates.unsubscribed,
          ]}
          rows={report.segments.map(({ name, sent, opened, clicked, unsubscribed }) => [
            name,
            number(sent),
            number(opened),
            number(clicked),
            number(unsubscribed),
          ])}
        />
      )}
    </>
  )
}
