import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { homeWords } from '../../words/home.ts'
import { number } from '../../words/words.ts'

const shown = ['contacts', 'emails', 'sms'] as const

export function Numbers() {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['meta.usage', business_id],
    queryFn: ({ signal }) => api.meta.usage({ business_id }, { signal }),
    refetchInterval: 15_000,
  })
  const { numbers } = homeWords
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={4} />
  const byDay = emailsByDay(data.month, data.history)
  const total = byDay.reduce((sum, amount) => sum + amount, 0)
  return (
    <Card title={numbers.title}>
      <dl className="grid grid-cols-3 gap-3 pb-4">
        {shown.map((metric) => {
          const counter = data.counters.find((entry) => entry.metric === metric)
          return (
            <div key={metric} className="grid content-start">
              <dt className="text-sm text-muted">{numbers[metric]}</dt>
              <dd className="text-2xl font-semibold tabular-nums">{number(counter?.used ?? 0)}</dd>
              {counter && counter.limit !== null && (
                <dd className="text-sm text-muted">{numbers.of(number(counter.limit))}</dd>
              )}
            </div>
          )
        })}
      </dl>
      <BarChart values={byDay} label={numbers.perDay(number(total))} />
    </Card>
  )
}

/** One amount for each day of the month so far, including days without mail. */
function emailsByDay(
  month: string,
  history: readonly { day: string; metric: string; amount: number }[],
): number[] {
  const first = new Date(month)
  const days = Math.floor((Date.now() - first.getTime()) / 86_400_000) + 1
  const amounts = new Map(
    history.filter(({ metric }) => metric === 'emails').map(({ day, amount }) => [day, amount]),
  )
  return Array.from({ length: Math.max(1, Math.min(31, days)) }, (_, place) => {
    const day = new Date(first.getTime() + place * 86_400_000).toISOString().slice(0, 10)
    return amounts.get(day) ?? 0
  })
}
