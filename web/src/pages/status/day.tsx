/** The work of the last day in pictures: one row of bars for each kind that there was. */
import { BarChart } from '../../ui/bar-chart.tsx'
import { Card } from '../../ui/page.tsx'
import { statusWords } from '../../words/status.ts'
import { number } from '../../words/words.ts'
import type { Report } from './status.tsx'

/** Shown even where nothing happened. */
const always = new Set(['calls', 'mails', 'webhooks'])

export function Day({ work: { amounts } }: { work: Report['work'] }) {
  const status = statusWords
  const rows = Object.entries(amounts)
    .map(([kind, values]) => ({ kind, values, sum: values.reduce((all, value) => all + value, 0) }))
    .filter(({ kind, sum }) => sum > 0 || always.has(kind))
  return (
    <Card title={status.day}>
      <p className="pb-4 text-sm text-muted">{status.dayText}</p>
      <ul className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3">
        {rows.map(({ kind, values, sum }) => {
          const name = status.work[kind] ?? kind
          return (
            <li key={kind} className="grid content-start gap-2">
              <p className="flex items-baseline gap-2">
                <span className="font-medium">{name}</span>
                <span className="ml-auto tabular-nums">{number(sum)}</span>
              </p>
              <BarChart values={values} label={status.total(name, number(sum))} />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
