/** A bar of several shares of a whole. The label gives them in words. */
export function SharesBar({
  label,
  whole,
  shares,
}: {
  label: string
  whole: number
  shares: readonly { value: number; look: string }[]
}) {
  const widths = shares.map(({ value }) => (Math.max(0, value) / Math.max(1, whole)) * 100)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="h-2 w-full rounded-full bg-sunken"
    >
      {shares.map(({ look }, place) => (
        <rect
          key={look}
          x={widths.slice(0, place).reduce((sum, number) => sum + number, 0)}
          width={widths[place] ?? 0}
          height="1"
          className={look}
        />
      ))}
    </svg>
  )
}
