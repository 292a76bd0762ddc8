/** A business's usage, compared with the limits of its tier. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useBusiness, useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { ProviderTotals } from '../../parts/provider-totals.tsx'
import { MonthSelect, monthNow, nameOf } from '../../parts/usage/month-select.tsx'
import { saveFile, usageCsv } from '../../parts/usage/usage-csv.ts'
import { BarChart, ProgressBar } from '../../ui/bar-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { usageWords } from '../../words/lists.ts'
import { number } from '../../words/words.ts'

const from = '/$business/usage' as const

type Report = Awaited<ReturnType<typeof api.meta.usage>>

const reportOf = (business_id: string, month: string) =>
  queryOptions({
    queryKey: ['meta.usage', business_id, month],
    queryFn: ({ signal }) => api.meta.usage({ business_id, month }, { signal }),
  })

export function Usage() {
  const business_id = useBusinessId()
  const name = useBusiness()?.name ?? ''
  const { month = monthNow() } = useSearch({ from })
  const navigate = useNavigate({ from })
  const isNow = month === monthNow()
  const present = useQuery({
    ...reportOf(business_id, monthNow()),
    refetchInterval: isNow && 15_000,
  })
  const past = useQuery({ ...reportOf(business_id, month), enabled: !isNow })
  const { data, error, refetch } = isNow ? present : past
  const usage = usageWords
  return (
    <Page
      title={usage.title}
      detail={data && usage.tier(data.tier)}
      actions={<ForDevelopers value={data} />}
    >
      <Body>
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-52">
            <MonthSelect
              label={usage.whichMonth}
              month={month}
              oldest={present.data?.first_month ?? monthNow()}
              onChange={(next) =>
                void navigate({ search: next === monthNow() ? {} : { month: next } })
              }
            />
          </div>
          <Button
            className="max-sm:h-10"
            icon="download"
            disabled={!data}
            onClick={() =>
              data && saveFile(`usage-${month}.csv`, usageCsv([{ name, report: data }]))
            }
          >
            {usage.csv}
          </Button>
        </div>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton />}
        {data && (
          <>
            <Counters title={isNow ? usage.month : nameOf(month)} per="month" report={data} />
            {isNow ? (
              <Counters title={usage.standing} per="standing" report={data} />
            ) : (
              <p className="text-muted">{usage.pastLimits}</p>
            )}
            <ProviderTotals providers={data.providers} />
          </>
        )}
      </Body>
    </Page>
  )
}

function Counters({
  title,
  per,
  report,
}: {
  title: string
  per: 'month' | 'standing'
  report: Report
}) {
  const usage = usageWords
  const counters = report.counters.filter((counter) => counter.per === per)
  return (
    <Card title={title}>
      <ul className="grid gap-6 sm:grid-cols-2">
        {counters.map(({ metric, used, limit }) => {
          const name = usage.metrics[metric] ?? metric
          const days = daysOf(report, metric)
          return (
            <li key={metric} className="grid content-start gap-2">
              <p className="flex items-baseline gap-2">
                <span className="font-medium">{name}</span>
                <span className="ml-auto tabular-nums">
                  {limit === null
                    ? `${number(used)} · ${usage.noLimit}`
                    : usage.of(number(used), number(limit))}
                </span>
              </p>
              {limit !== null && limit > 0 && <ProgressBar share={used / limit} label={name} />}
              {per === 'month' && days.some((amount) => amount > 0) && (
                <BarChart values={days} label={`${name}, ${usage.daily}: ${number(used)}`} />
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** One amount for each day of the month so far. */
function daysOf({ month, history }: Report, metric: string): number[] {
  const first = new Date(month).getTime()
  const today = Math.floor((Date.now() - first) / 86_400_000)
  const last = new Date(first)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  const length = Math.max(1, Math.min(last.getUTCDate(), today + 1))
  const amounts = Array.from({ length }, () => 0)
  for (const row of history) {
    const place = Math.round((new Date(row.day).getTime() - first) / 86_400_000)
    if (row.metric === metric && place in amounts) amounts[place] = row.amount
  }
  return amounts
}
