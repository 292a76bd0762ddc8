/** What stands at the ends of the axes. */
interface Axes {
  from: string
  to: string
  /** Of the highest bar. */
  most: string
}

interface BarChartProps {
  values: readonly number[]
  label: string
  axes?: Axes
}

/** A row of bars, such as one for each day. Its sum is given in words. */
export function BarChart({ values, label, axes }: BarChartProps) {
  const [width, height, gap] = [600, 72, 3]
  const most = Math.max(1, ...values)
  // Few values, such as on the first days of a month, are bars as well and no block.
  const step = width / Math.max(12, values.length)
  const bars = (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-18 w-full"
    >
      {values.map((value, place) => {
        const tall = value === 0 ? 1.5 : Math.max(3, (value / most) * height)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day's place is what it is.
            key={place}
            x={place * step}
            y={height - tall}
            width={Math.max(1, step - gap)}
            height={tall}
            rx={1.5}
            className={value === 0 ? 'fill-line' : 'fill-accent'}
          />
        )
      })}
    </svg>
  )
  if (!axes) return bars
  return (
    <div className="grid gap-1 text-sm text-muted">
      <div className="flex gap-2">
        <div className="grow border-y border-line">{bars}</div>
        <p className="flex flex-col justify-between leading-none tabular-nums">
          <span>{axes.most}</span>
          <span>0</span>
        </p>
      </div>
      <p className="flex justify-between gap-4">
        <span>{axes.from}</span>
        <span>{axes.to}</span>
      </p>
    </div>
  )
}

export function ProgressBar({ share, label }: { share: number; label: string }) {
  const shown = Math.max(0, Math.min(1, share))
  return (
    <svg
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(shown * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="h-2 w-full rounded-full bg-sunken"
    >
      <rect width={shown * 100} height="1" className="fill-accent" />
    </svg>
  )
}
