/** Who was gained and lost as a subscriber, by day, or by week where there are many days. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../api/businesses.ts'
import { api } from '../api/client.ts'
import { Chart } from '../ui/chart.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { reportWords } from '../words/reports.ts'
import { language } from '../words/texts.ts'
import { number } from '../words/words.ts'

export type Growth = Awaited<ReturnType<typeof api.report.growth>>

export const growthQuery = (business_id: string, days: number) => ({
  queryKey: ['report.growth', business_id, days],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.report.growth({ business_id, from: daysAgo(days - 1), format: 'csv' }, { signal }),
})

/** Days are counted back from today here; the service knows the business's own. */
function daysAgo(count: number): string {
  return new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10)
}

export function GrowthChart({ days }: { days: number }) {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery(growthQuery(business_id, days))
  const { growth } = reportWords
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={8} />
  const { totals, subscribed_after } = data
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {(
          [
            [growth.subscribers, subscribed_after],
            [growth.gained, totals.gained],
            [growth.lost, totals.lost],
            [growth.net, totals.net],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{number(value)}</dd>
          </div>
        ))}
      </dl>
      <Chart
        label={growth.label(number(totals.gained), number(totals.lost))}
        rows={rowsOf(data)}
        series={[
          { key: 'gained', name: growth.gained, kind: 'bar', colour: 'accent' },
          { key: 'minus', written: 'lost', name: growth.lost, kind: 'bar', colour: 'bad' },
          { key: 'net', name: growth.net, kind: 'line', colour: 'ink' },
        ]}
        axis={{
          key: 'day',
          name: data.days.length > mostBars ? growth.week : growth.day,
          short: dayWriter({ day: 'numeric', month: 'short' }),
          long: dayWriter({ dateStyle: 'medium' }),
        }}
        write={number}
        asTable={reportWords.asTable}
      />
      <p className="text-sm text-muted">
        {growth.lostBy(
          number(totals.unsubscribed),
          number(totals.bounced),
          number(totals.complained),
          number(totals.stopped),
        )}{' '}
        {growth.confirmed(number(totals.confirmed))}{' '}
        {data.erased > 0 && growth.erased(number(data.erased))}
      </p>
    </div>
  )
}

const dayWriter = (options: Intl.DateTimeFormatOptions) => (text: string) =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(
    new Date(`${text}T00:00:00Z`),
  )

/** More bars than these are too thin to be told apart, so weeks are drawn. */
const mostBars = 92

function rowsOf({ days }: Growth) {
  const step = days.length > mostBars ? 7 : 1
  const rows = []
  for (let first = 0; first < days.length; first += step) {
    const group = days.slice(first, first + step)
    const sum = (name: 'gained' | 'lost' | 'net') =>
      group.reduce((total, entry) => total + entry[name], 0)
    rows.push({
      day: group[0]?.day ?? '',
      gained: sum('gained'),
      lost: sum('lost'),
      minus: -sum('lost'),
      net: sum('net'),
    })
  }
  return rows
}
