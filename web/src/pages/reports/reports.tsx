/** How the audience grew, what came of a campaign beside the usual, and who the audience is made of. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { GrowthChart, growthQuery } from '../../parts/growth-chart.tsx'
import { Select } from '../../ui/field.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { reportWords } from '../../words/reports.ts'
import { language } from '../../words/texts.ts'
import { number, percent } from '../../words/words.ts'
import { CampaignReport } from './campaign-report.tsx'
import { CsvButton } from './csv-button.tsx'
import { FigureTable } from './figure-table.tsx'

export function Reports() {
  return (
    <Page title={reportWords.title}>
      <Body>
        <GrowthReport />
        <CampaignReport />
        <AudienceReport />
      </Body>
    </Page>
  )
}

const periods = ['30', '90', '365'] as const

function GrowthReport() {
  const business_id = useBusinessId()
  const [days, setDays] = useState<(typeof periods)[number]>('30')
  const { data } = useQuery(growthQuery(business_id, Number(days)))
  return (
    <Card
      title={reportWords.growth.title}
      actions={
        <>
          <Select
            label={reportWords.period}
            hidden
            value={days}
            onChange={({ target }) =>
              setDays(periods.find((period) => period === target.value) ?? '30')
            }
            options={periods.map((period) => [period, reportWords.periods[period]] as const)}
          />
          <CsvButton
            name={`growth-${days}.csv`}
            text={data?.csv}
            report={reportWords.growth.title}
          />
        </>
      }
    >
      <GrowthChart days={Number(days)} />
    </Card>
  )
}

function AudienceReport() {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['report.audience', business_id],
    queryFn: ({ signal }) => api.report.audience({ business_id, format: 'csv' }, { signal }),
  })
  const { audience } = reportWords
  return (
    <Card
      title={audience.title}
      actions={<CsvButton name="audience.csv" text={data?.csv} report={audience.title} />}
    >
      {!data && error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && data.contacts === 0 && <p className="text-muted">{audience.none}</p>}
      {data && data.contacts > 0 && (
        <div className="grid gap-6">
          <FigureTable
            title={audience.joined}
            columns={[
              audience.month,
              audience.source,
              audience.contacts,
              audience.subscribed,
              audience.engaged,
              audience.notTracked,
            ]}
            texts={2}
            rows={data.joined.map((row) => [
              row.month === null ? audience.before : monthName(row.month),
              audience.sources[row.source as keyof typeof audience.sources] ?? '',
              number(row.contacts),
              number(row.subscribed),
              number(row.engaged),
              number(row.not_tracked),
            ])}
          />
          {data.staying.length > 0 && (
            <FigureTable
              title={audience.staying}
              about={audience.stayingAbout}
              columns={[
                audience.month,
                reportWords.growth.subscribers,
                ...agesOf(data.staying).map((age) => audience.after(number(age))),
              ]}
              rows={data.staying.map(({ month, subscribers, after_months }) => [
                monthName(month),
                number(subscribers),
                ...agesOf(data.staying).map((age) => {
                  const stayed = after_months[age - 1]
                  return stayed === undefined ? '' : percent(stayed / Math.max(1, subscribers))
                }),
              ])}
            />
          )}
        </div>
      )}
    </Card>
  )
}

/** The ages that any of the months has reached. */
function agesOf(staying: readonly { after_months: readonly number[] }[]): number[] {
  const most = Math.max(0, ...staying.map(({ after_months }) => after_months.length))
  return Array.from({ length: most }, (_, place) => place + 1)
}

const monthName = (month: string) =>
  new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
