/** The months whose usage can be asked for, the present one first. */
import { Select } from '../../ui/field.tsx'
import { language } from '../../words/texts.ts'

/** The most that the list shows. */
const shownMonths = 36

/** Like `2026-11`, in UTC as usage is counted. */
export const monthNow = () => new Date().toISOString().slice(0, 7)

const names = new Intl.DateTimeFormat(language, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A month such as `2026-11` in words; what is no month stays as it is. */
export function nameOf(month: string): string {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  return Number.isNaN(first) ? month : names.format(first)
}

function monthsBackTo(oldest: string): [month: string, name: string][] {
  const [year = 0, month = 1] = monthNow().split('-').map(Number)
  const all = Array.from({ length: shownMonths }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
  return all.filter((one) => one >= oldest).map((one) => [one, nameOf(one)])
}

interface MonthSelectProps {
  label: string
  month: string
  /** The first one that has counts, such as `2026-08-01`. */
  oldest: string
  onChange: (month: string) => void
}

export function MonthSelect({ month, oldest, onChange, ...rest }: MonthSelectProps) {
  const options = monthsBackTo(oldest.slice(0, 7))
  return (
    <Select
      {...rest}
      value={month}
      onChange={({ target }) => onChange(target.value)}
      options={
        options.some(([known]) => known === month) ? options : [...options, [month, nameOf(month)]]
      }
    />
  )
}
