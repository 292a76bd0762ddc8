/** The campaigns of a month: what went out, and what is to go, on the clocks of the business. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { CampaignStatus } from '../../parts/campaign-status.tsx'
import { FilledWords } from '../../parts/liquid/filled-words.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { language } from '../../words/texts.ts'

type Campaign = Awaited<ReturnType<typeof api.campaign.list>>['campaigns'][number]

const dayMs = 86_400_000
const longDay = new Intl.DateTimeFormat(language, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})
const monthName = new Intl.DateTimeFormat(language, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const weekdayName = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat(language, {
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** A day such as `2026-11-30`. */
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const startOf = (month: string) => Date.parse(`${month}-01T00:00:00Z`)

/** The month so many months later, such as `2026-12`. */
function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The weekday with which a week begins where the reader is: 1 for Monday, 7 for Sunday. */
function firstWeekday(): number {
  const regional = navigator.languages.find((tag) => tag.startsWith(language)) ?? language
  const locale = new Intl.Locale(regional) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}

/** The weeks that a month is in. */
function weeksOf(month: string): string[][] {
  const first = startOf(month)
  const daysBefore = (new Date(first).getUTCDay() + 7 - (firstWeekday() % 7)) % 7
  const start = first - daysBefore * dayMs
  const end = startOf(monthAfter(month, 1))
  const weeks: string[][] = []
  for (let at = start; at < end; at += 7 * dayMs) {
    weeks.push(Array.from({ length: 7 }, (_, day) => dayAt(at + day * dayMs)))
  }
  return weeks
}

/** What the clocks of the zone show at that moment, such as `2026-11-30T09:00`. */
function clocksIn(timeZone: string, iso: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(new Date(iso)).replace(' ', 'T')
}

interface Dated {
  campaign: Campaign
  /** Such as `2026-11-30T09:00`, on the clocks of the business or of each recipient. */
  at: string
}

function datesOf(campaigns: readonly Campaign[], timeZone: string): Map<string, Dated[]> {
  const days = new Map<string, Dated[]>()
  for (const campaign of campaigns) {
    const { deployed_at, schedule } = campaign
    const at = deployed_at ? clocksIn(timeZone, deployed_at) : schedule?.at.slice(0, 16)
    if (at === undefined) continue
    days.set(at.slice(0, 10), [...(days.get(at.slice(0, 10)) ?? []), { campaign, at }])
  }
  for (const dated of days.values()) dated.sort((a, b) => a.at.localeCompare(b.at))
  return days
}

/** The most pages of a hundred that one month is read in. */
const mostPages = 10

async function campaignsBetween(
  business_id: string,
  [since, until]: [string, string],
  signal: AbortSignal,
): Promise<Campaign[]> {
  const all: Campaign[] = []
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const answer = await api.campaign.list(
      { business_id, since, until, limit: 100, ...(cursor !== null && { cursor }) },
      { signal },
    )
    all.push(...answer.campaigns)
    cursor = answer.next_cursor
    if (cursor === null) break
  }
  return all
}

/** Of the month, or of the present one on the clocks of the business. */
function useDates(chosen: string | undefined) {
  const business_id = useBusinessId()
  const business = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  const timeZone = business.data?.time_zone
  const thisMonth = clocksIn(timeZone ?? 'UTC', new Date().toISOString()).slice(0, 7)
  const month = chosen ?? thisMonth
  // A day more at both ends, since no zone is further from UTC.
  const weeks = weeksOf(month)
  const since = new Date(Date.parse(weeks[0]?.[0] ?? month) - dayMs).toISOString()
  const until = new Date(Date.parse(weeks.at(-1)?.[6] ?? month) + 2 * dayMs).toISOString()
  const list = useQuery({
    queryKey: ['campaign.list', business_id, 'month', month],
    queryFn: ({ signal }) => campaignsBetween(business_id, [since, until], signal),
    refetchInterval: 15_000,
  })
  return {
    month,
    isThisMonth: month === thisMonth,
    weeks,
    timeZone,
    error: business.error ?? list.error,
    retry: () => void Promise.all([business.refetch(), list.refetch()]),
    days: list.data && timeZone !== undefined ? datesOf(list.data, timeZone) : undefined,
  }
}

interface CalendarProps {
  /** Such as `2026-11`; the present one by default. */
  month: string | undefined
  onMonth: (month: string | undefined) => void
}

export function Calendar({ month: chosen, onMonth }: CalendarProps) {
  const { calendar } = campaignWords
  const { month, isThisMonth, weeks, days, timeZone, error, retry } = useDates(chosen)
  const name = monthName.format(startOf(month))
  const go = (months: number) => onMonth(monthAfter(month, months))
  return (
    <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto p-5 max-sm:p-4">
      <div className="flex flex-wrap items-center gap-2">
        <IconButton icon="left" label={calendar.before} onClick={() => go(-1)} />
        <h2 className="min-w-36 text-center font-semibold" aria-live="polite">
          {name}
        </h2>
        <IconButton icon="right" label={calendar.after} onClick={() => go(1)} />
        <Button look="quiet" disabled={isThisMonth} onClick={() => onMonth(undefined)}>
          {calendar.now}
        </Button>
        {timeZone !== undefined && (
          <p className="ml-auto text-sm text-muted">{calendar.zone(timeZone)}</p>
        )}
      </div>
      {error && <Failure error={error} onRetry={retry} />}
      {!days && !error && <Skeleton />}
      {days && timeZone !== undefined && (
        <>
          <MonthTable name={name} {...{ month, weeks, days, timeZone }} />
          <DayList days={weeks.flat().filter((day) => day.startsWith(month))} dates={days} />
          <p className="text-sm text-muted">{calendar.drafts}</p>
        </>
      )}
    </div>
  )
}

interface MonthTableProps {
  name: string
  month: string
  weeks: string[][]
  days: ReadonlyMap<string, Dated[]>
  timeZone: string
}

function MonthTable({ name, month, weeks, days, timeZone }: MonthTableProps) {
  const today = clocksIn(timeZone, new Date().toISOString()).slice(0, 10)
  return (
    <table className="w-full table-fixed border-collapse max-md:hidden">
      <caption className="sr-only">{name}</caption>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className="pb-1 text-left text-sm font-medium text-muted">
              {weekdayName.format(Date.parse(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                className={cx(
                  'h-24 border border-line p-1.5 align-top',
                  day.startsWith(month) ? 'bg-surface' : 'bg-sunken text-muted',
                )}
              >
                <span
                  className={cx(
                    'inline-flex size-6 items-center justify-center rounded-full text-sm tabular-nums',
                    day === today && 'bg-accent font-semibold text-on-accent',
                  )}
                  {...(day === today && { 'aria-current': 'date' })}
                >
                  {Number(day.slice(8))}
                </span>
                <Dates dates={days.get(day) ?? []} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same by days, for narrow screens. */
function DayList({ days, dates }: { days: string[]; dates: ReadonlyMap<string, Dated[]> }) {
  const filled = days.filter((day) => dates.has(day))
  return (
    <div className="grid gap-4 md:hidden">
      {filled.length === 0 && <p className="text-muted">{campaignWords.calendar.none}</p>}
      {filled.map((day) => (
        <section key={day}>
          <h3 className="text-sm font-medium text-muted">{longDay.format(Date.parse(day))}</h3>
          <Dates dates={dates.get(day) ?? []} />
        </section>
      ))}
    </div>
  )
}

function Dates({ dates }: { dates: readonly Dated[] }) {
  if (dates.length === 0) return null
  return (
    <ul className="mt-1 grid gap-1">
      {dates.map(({ campaign, at }) => (
        <li
          key={campaign.campaign_id}
          className="min-w-0 rounded-md border border-line bg-surface p-1"
        >
          <Link
            from="/$business/campaigns"
            to="./$campaign"
            params={{ campaign: campaign.campaign_id }}
            className="block min-w-0 hover:underline"
          >
            <span className="text-sm text-muted tabular-nums">
              {clock.format(Date.parse(`${at}:00Z`))}
            </span>{' '}
            <bdi className="text-sm font-medium text-ink break-words">
              <FilledWords text={campaign.name} />
            </bdi>
          </Link>
          <CampaignStatus status={campaign.status} />
        </li>
      ))}
    </ul>
  )
}
