/**
 * A chart with axes, whose values are shown below the pointer and by the arrow keys, and which is a table
 * too. It brings the charting library, so it is loaded with the pages that draw.
 */
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { Disclosure } from './disclosure.tsx'

export interface Series {
  key: string
  /** The field that is written, if it is another one than the one that is drawn. */
  written?: string
  name: string
  kind: 'bar' | 'line'
  /** A colour of the palette, such as `accent`. */
  colour: 'accent' | 'bad' | 'ink' | 'good' | 'muted'
}

export interface ChartProps {
  /** What it shows, for those who cannot see it. */
  label: string
  rows: readonly Record<string, string | number>[]
  series: readonly Series[]
  /** The field of the horizontal axis, its heading in the table, and how a value of it is written. */
  axis: {
    key: string
    name: string
    short: (value: string) => string
    long: (value: string) => string
  }
  /** How a number is written. */
  write: (value: number) => string
  /** The label of the table below. */
  asTable: string
}

export function Chart({ label, rows, series, axis, write, asTable }: ChartProps) {
  const colourOf = ({ colour }: Series) => `var(--color-${colour})`
  return (
    <figure className="grid gap-3" aria-label={label}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm" aria-hidden="true">
        {series.map((entry) => (
          <li key={entry.key} className="flex items-center gap-1.5">
            <svg viewBox="0 0 10 10" className="size-2.5" aria-hidden="true">
              <rect width="10" height="10" rx="2" fill={colourOf(entry)} />
            </svg>
            {entry.name}
          </li>
        ))}
      </ul>
      <div className="h-56 w-full text-muted">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart
            data={[...rows]}
            stackOffset="sign"
            title={label}
            margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--color-line)" />
            <XAxis
              dataKey={axis.key}
              tickFormatter={axis.short}
              tick={{ fill: 'currentColor', fontSize: 11.5 }}
              tickLine={false}
              axisLine={{ stroke: 'var(--color-line-strong)' }}
              minTickGap={24}
            />
            <YAxis
              tickFormatter={write}
              tick={{ fill: 'currentColor', fontSize: 11.5 }}
              tickLine={false}
              axisLine={false}
              width="auto"
              allowDecimals={false}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--color-hover)', stroke: 'var(--color-line)' }}
              content={({ active, payload, label: value }) =>
                active && payload.length > 0 ? (
                  <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-sm text-ink shadow-pop">
                    <p className="font-medium">{axis.long(String(value))}</p>
                    {series.map(({ key, written = key, name }) => (
                      <p key={key} className="flex gap-3">
                        <span className="flex-1 text-muted">{name}</span>
                        <span className="tabular-nums">
                          {write(Number(rowOf(payload)[written] ?? 0))}
                        </span>
                      </p>
                    ))}
                  </div>
                ) : null
              }
            />
            {series.map((entry) =>
              entry.kind === 'bar' ? (
                <Bar
                  key={entry.key}
                  dataKey={entry.key}
                  stackId="all"
                  fill={colourOf(entry)}
                  isAnimationActive={false}
                />
              ) : (
                <Line
                  key={entry.key}
                  dataKey={entry.key}
                  stroke={colourOf(entry)}
                  strokeWidth={2}
                  dot={false}
                  isAnimationActive={false}
                />
              ),
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <Disclosure label={asTable}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard. */}
        <section className="max-h-72 overflow-auto" tabIndex={0} aria-label={label}>
          <table className="w-full tabular-nums">
            <thead>
              <tr className="text-left text-muted">
                <th scope="col" className="py-1 pr-3 font-medium">
                  {axis.name}
                </th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col" className="py-1 pl-3 text-right font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row[axis.key]} className="border-t border-line">
                  <th scope="row" className="py-1 pr-3 text-left font-normal">
                    {axis.long(String(row[axis.key]))}
                  </th>
                  {series.map(({ key, written = key }) => (
                    <td key={key} className="py-1 pl-3 text-right">
                      {write(Number(row[written] ?? 0))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Disclosure>
    </figure>
  )
}

/** The row below the pointer. */
function rowOf(payload: readonly { payload?: unknown }[]): Record<string, unknown> {
  const row = payload[0]?.payload
  return typeof row === 'object' && row !== null ? { ...row } : {}
}
