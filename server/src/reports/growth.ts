/**
 * How the number of subscribers grew, by day: from the ledger of consent, and from the suppressions
 * that stand. What was gained up to now less what was lost is the number of people who can be written
 * to now.
 */
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { type Channel, channels } from '../contacts/contact.ts'
import { markAddresses } from '../contacts/suppressions/hash-addresses.ts'
import { refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { dayAt, isExistingDay } from '../lib/time/wall-clock.ts'
import { csvInput, csvOf, csvView } from './csv.ts'

/** The most days of one report: a year and a day, so that both ends of a year are in it. */
const mostDays = 367
const usualDays = 30

const dayInput = (description: string) => Type.Optional(Type.String({ maxLength: 10, description }))

const lossNames = ['unsubscribed', 'bounced', 'complained', 'stopped'] as const
const integers = <const Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Record<
    Name,
    ReturnType<typeof Type.Integer>
  >
const figureNames = ['gained', 'confirmed', 'lost', 'net', ...lossNames] as const
type Figures = Record<(typeof figureNames)[number], number>

export const reportGrowth = operation({
  name: 'report.growth',
  title: 'See how the audience grew',
  area: 'contacts',
  summary: `How many people were gained and lost as subscribers of a channel, by day in the business's time zone: the last ${usualDays} days, or from and until (2026-11-01, at most ${mostDays} days); by: month in place of days. Free.`,
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/reports/growth',
  input: {
    from: dayInput('The first day, such as 2026-11-01.'),
    until: dayInput('The last day, included; today unless given.'),
    by: Type.Optional(
      Type.Enum(['day', 'month'], { description: 'A row for each day, or month.' }),
    ),
    channel: Type.Optional(Type.Enum(channels)),
    format: csvInput,
  },
  output: Type.Object({
    from: Type.String(),
    until: Type.String(),
    time_zone: Type.String(),
    channel: Type.Enum(channels),
    subscribed_before: Type.Integer(),
    subscribed_after: Type.Integer(),
    totals: Type.Object(integers(figureNames)),
    days: Type.Array(Type.Object({ day: Type.String(), ...integers(figureNames) })),
    months: Type.Optional(
      Type.Array(Type.Object({ month: Type.String(), ...integers(figureNames) })),
    ),
    erased: Type.Integer(),
    csv: csvView,
  }),

  async run({ db, now, hmac, business }, { from, until, by = 'day', channel = 'email', format }) {
    const zone = await timeZoneOf(db, business.id)
    const period = periodOf({ from, until }, dayAt(now, zone))
    await markAddresses(db, hmac, business.id)
    const query = { businessId: business.id, channel, zone, from: period.from }
    const [moves, subscribed, erased] = await Promise.all([
      movesByDay(db, query),
      countReachable(db, business.id, channel),
      countErased(db, { ...query, until: period.until }),
    ])
    const rowsBy = (letters: number) => {
      const names = daysFrom(period.from, period.until).map((day) => day.slice(0, letters))
      return [...new Set(names)].map((name) => {
        const own = moves.filter(({ day }) => day <= period.until && day.startsWith(name))
        return [name, figuresOf(own)] as const
      })
    }
    const days = by === 'day' ? rowsBy(10).map(([day, row]) => ({ day, ...row })) : []
    const months = by === 'month' ? rowsBy(7).map(([month, row]) => ({ month, ...row })) : undefined
    const later = figuresOf(moves.filter((move) => move.day > period.until))
    const totals = figuresOf(moves.filter((move) => move.day <= period.until))
    const after = subscribed - later.net
    return {
      ...period,
      time_zone: zone,
      channel,
      subscribed_before: after - totals.net,
      subscribed_after: after,
      totals,
      days,
      ...(months && { months }),
      erased,
      ...(format && { csv: csvOf([by, ...figureNames], months ?? days) }),
    }
  },
})

interface Period {
  from: string
  until: string
}

function periodOf(
  { from, until }: { from: string | undefined; until: string | undefined },
  today: string,
): Period {
  const last = until === undefined ? today : dayOf(until, 'until')
  const first = from === undefined ? shifted(last, 1 - usualDays) : dayOf(from, 'from')
  if (first > last) {
    throw refuse('invalid_request', 'from is a day after until.', {
      field: 'from',
      data: { reason: 'period_reversed' },
    })
  }
  if (shifted(first, mostDays) <= last) {
    const text = `A report covers at most ${mostDays} days: choose a later from, or several periods.`
    throw refuse('invalid_request', text, {
      field: 'from',
      data: { reason: 'period_too_long', limit: mostDays, most: mostDays },
    })
  }
  return { from: first, until: last }
}

function dayOf(text: string, field: string): string {
  if (isExistingDay(text)) return text
  throw refuse('invalid_request', `${field} must be a day such as 2026-11-01.`, {
    field,
    data: { reason: 'no_day' },
  })
}

function shifted(day: string, by: number): string {
  const moved = new Date(`${day}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + by)
  return moved.toISOString().slice(0, 10)
}

function daysFrom(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = shifted(day, 1)) days.push(day)
  return days
}

function figuresOf(moves: readonly Move[]): Figures {
  const sum = (...kinds: Move['kind'][]) =>
    moves.reduce((total, { kind, people }) => (kinds.includes(kind) ? total + people : total), 0)
  const confirmed = sum('confirmed')
  const gained = sum('subscribed') + confirmed
  const lost = sum(...lossNames)
  return {
    gained,
    confirmed,
    lost,
    net: gained - lost,
    unsubscribed: sum('unsubscribed'),
    bounced: sum('bounced'),
    complained: sum('complained'),
    stopped: sum('stopped'),
  }
}

interface Move {
  day: string
  kind: 'subscribed' | 'confirmed' | (typeof lossNames)[number]
  people: number
}

interface MovesQuery {
  businessId: Id<'business'>
  channel: Channel
  zone: string
  from: string
}

/**
 * The moves from the first day on. A subscriber whose address is suppressed was lost when that
 * happened, or when they subscribed if that was later.
 */
function movesByDay(db: Db, { businessId, channel, zone, from }: MovesQuery): Promise<Move[]> {
  return db.all(sql`
    with entries as (
      select contact_id, created_at, action, confirmation_id,
        lag(action) over (partition by contact_id order by created_at, id) as earlier
      from consent_events
      where business_id = ${businessId} and channel = ${channel} and topic is null
    ), gains as (
      select contact_id, created_at, confirmation_id from entries
      where action = 'subscribed' and earlier is distinct from 'subscribed'
    ), suppressed as (
      select greatest(s.created_at, max(g.created_at)) as at, s.reason
      from suppressions s
      join contacts c on c.business_id = ${businessId} and s.address_hmac =
        case ${channel}::text when 'email' then c.email_mark else c.phone_mark end
        and case ${channel}::text when 'email' then c.email_consent else c.sms_consent end
          = 'subscribed'
      join gains g on g.contact_id = c.id
      where s.business_id = ${businessId} and s.channel = ${channel}
      group by c.id, s.created_at, s.reason
    ), moves as (
      select created_at as at,
        case when confirmation_id is null then 'subscribed' else 'confirmed' end as kind
      from gains
      union all
      select created_at, 'unsubscribed' from entries
      where action <> 'subscribed' and earlier = 'subscribed'
      union all
      select at, case reason when 'bounce' then 'bounced' when 'complaint' then 'complained'
        when 'unsubscribed' then 'unsubscribed' else 'stopped' end
      from suppressed
    )
    select (at at time zone ${zone})::date::text as day, kind, count(*)::int as people
    from moves
    where at >= ${from}::date::timestamp at time zone ${zone}
    group by 1, 2 order by 1, 2
  `)
}

async function countReachable(
  db: Db,
  businessId: Id<'business'>,
  channel: Channel,
): Promise<number> {
  const { people } = await db.one<{ people: number }>(sql`
    select count(*)::int as people from contacts c
    where c.business_id = ${businessId}
      and case ${channel}::text when 'email' then c.email_consent else c.sms_consent end
        = 'subscribed'
      and not exists (
        select from suppressions s
        where s.business_id = ${businessId} and s.channel = ${channel} and s.address_hmac =
          case ${channel}::text when 'email' then c.email_mark else c.phone_mark end
      )
  `)
  return people
}

/** Nothing of an erased person is left but the hash of the address, so no figure counts them. */
async function countErased(
  db: Db,
  { businessId, channel, zone, from, until }: MovesQuery & { until: string },
): Promise<number> {
  const { people } = await db.one<{ people: number }>(sql`
    select count(*)::int as people from suppressions
    where business_id = ${businessId} and channel = ${channel} and reason = 'erased'
      and created_at >= ${from}::date::timestamp at time zone ${zone}
      and created_at < (${until}::date + 1)::timestamp at time zone ${zone}
  `)
  return people
}
