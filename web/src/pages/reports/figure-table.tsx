/** Figures in columns below their headings. */
import { cx } from '../../ui/classes.ts'

interface FigureTableProps {
  title: string
  about?: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
  /** How many of the first columns are words. */
  texts?: number
}

export function FigureTable({ title, about, columns, rows, texts = 1 }: FigureTableProps) {
  const alignment = (place: number) => (place < texts ? 'text-left' : 'text-right')
  return (
    <section className="grid min-w-0 gap-1">
      <h3 className="font-medium">{title}</h3>
      {about && <p className="text-sm text-muted">{about}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard. */}
      <section className="overflow-x-auto" tabIndex={0} aria-label={title}>
        <table className="w-full tabular-nums">
          <thead>
            <tr className="text-sm text-muted">
              {columns.map((column, place) => (
                <th
                  key={column}
                  scope="col"
                  className={cx('border-b border-line px-1.5 py-1 font-medium', alignment(place))}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.slice(0, Math.max(1, texts)).join(' ')}>
                {row.map((cell, place) => (
                  <td
                    key={columns[place]}
                    className={cx('border-b border-line px-1.5 py-1', alignment(place))}
                  >
                    <bdi>{cell}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
