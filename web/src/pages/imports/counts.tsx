import { number } from '../../words/words.ts'

/** Numbers side by side, each below its name. */
export function Counts({
  counts,
}: {
  counts: readonly (readonly [name: string, count: number])[]
}) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {counts.map(([name, count]) => (
        <div key={name} className="grid content-start">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
