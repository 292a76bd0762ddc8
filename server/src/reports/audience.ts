/**
 * Who the audience is made of: where people came from by month, how long subscribers stay, and who
 * still reads by the month in which they joined.
 */
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { markAddresses } from '../contacts/suppressions/hash-addresses.ts'
import type { Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { dayAt } from '../lib/time/wall-clock.ts'
import { csvInput, csvOf, csvView } from './csv.ts'

const mostMonths = 24
const usualMonths = 12
/** Whoever opened or clicked within these days still reads. */
const engagedDays = 90

const months = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: mostMonths,
    description: `How many months back, ${usualMonths} unless given.`,
  }),
)

export const reportAudience = operation({
  name: 'report.audience',
  title: 'See what the audience is made of',
  area: 'contacts',
  summary: `Contacts by source and month of joining, the share of subscribers who stay after 1 to 12 months, and how many opened or clicked in the last ${engagedDays} days by month of joining. Free.`,
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/reports/audience',
  input: { months, format: csvInput },
  output: Type.Object({
    time_zone: Type.String(),
    contacts: Type.Integer(),
    joined: Type.Array(
      Type.Object({
        month: Type.Union([Type.String(), Type.Null()]),
        source: Type.String(),
        contacts: Type.Integer(),
        subscribed: Type.Integer(),
        engaged: Type.Integer(),
        not_tracked: Type.Integer(),
      }),
    ),
    staying: Type.Array(
      Type.Object({
        month: Type.String(),
        subscribers: Type.Integer(),
        after_months: Type.Array(Type.Integer()),
      }),
    ),
    csv: csvView,
  }),

  async run({ db, now, hmac, business }, { months: chosen = usualMonths, format }) {
    const zone = await timeZoneOf(db, business.id)
    await markAddresses(db, hmac, business.id)
    const query = { businessId: business.id, zone, now, first: firstMonth(now, zone, chosen) }
    const [joined, cohorts] = await Promise.all([
      joinedByMonth(db, query),
      subscribersByMonth(db, query),
    ])
    const columns = ['month', 'source', 'contacts', 'subscribed', 'engaged', 'not_tracked']
    return {
      time_zone: zone,
      contacts: joined.reduce((sum, row) => sum + row.contacts, 0),
      joined,
      staying: cohorts,
      ...(format && {
        csv: csvOf(
          columns,
          joined.map((row) => ({ ...row })),
        ),
      }),
    }
  },
})

/** The first day of the oldest month. */
function firstMonth(now: Date, zone: string, count: number): string {
  const [year = 0, month = 1] = dayAt(now, zone).split('-').map(Number)
  return new Date(Date.UTC(year, month - count, 1)).toISOString().slice(0, 10)
}

interface AudienceQuery {
  businessId: Id<'business'>
  zone: string
  now: Date
  first: string
}

interface Joined {
  /** Null: all months before the first. */
  month: string | null
  source: string
  contacts: number
  subscribed: number
  engaged: number
  not_tracked: number
}

/** All contacts, so that the rows add up to them. The subscribed are those who can be written to. */
function joinedByMonth(db: Db, { businessId, zone, now, first }: AudienceQuery): Promise<Joined[]> {
  return db.all(sql`
    with engaged as (
      select distinct contact_id from contact_activity
      where business_id = ${businessId} and type in ('message.opened', 'message.clicked')
        and machine is not true and created_at >= ${later(now, -days(engagedDays))}
        and created_at <= ${now}
    ), people as (
      select c.source,
        case when c.created_at >= ${first}::date::timestamp at time zone ${zone}
          then to_char(c.created_at at time zone ${zone}, 'YYYY-MM') end as month,
        c.email_consent = 'subscribed' and not exists (
          select from suppressions s
          where s.business_id = ${businessId} and s.channel = 'email'
            and s.address_hmac = c.email_mark
        ) as is_subscribed,
        e.contact_id is not null as is_engaged,
        case b.tracking when 'nobody' then true when 'agreed'
          then c.tracking_consent <> 'subscribed'
          else c.tracking_consent = 'unsubscribed' end as is_untracked
      from contacts c
      join businesses b on b.id = ${businessId}
      left join engaged e on e.contact_id = c.id
      where c.business_id = ${businessId}
    )
    select month, source, count(*)::int as contacts,
      (count(*) filter (where is_subscribed))::int as subscribed,
      (count(*) filter (where is_subscribed and is_engaged))::int as engaged,
      (count(*) filter (where is_subscribed and is_untracked and not is_engaged))::int
        as not_tracked
    from people group by month, source order by month nulls first, source
  `)
}

interface Staying {
  month: string
  subscribers: number
  /** How many of them were still subscribed one month later, two months later, and so on. */
  after_months: number[]
}

/**
 * By the month in which people first subscribed to email. An age is told only when everybody of the
 * month has reached it.
 */
async function subscribersByMonth(
  db: Db,
  { businessId, zone, now, first }: AudienceQuery,
): Promise<Staying[]> {
  const rows = await db.all<{ month: string; age: number; people: number }>(sql`
    with entries as (
      select contact_id, created_at, action,
        lag(action) over (partition by contact_id order by created_at, id) as earlier
      from consent_events
      where business_id = ${businessId} and channel = 'email' and topic is null
    ), spans as (
      select contact_id,
        min(created_at) filter (where action = 'subscribed') as gained_at,
        max(created_at) filter (
          where action = 'subscribed' and earlier is distinct from 'subscribed') as back_at,
        max(created_at) filter (where action <> 'subscribed' and earlier = 'subscribed') as left_at
      from entries group by contact_id
    ), subscribers as (
      select to_char(p.gained_at at time zone ${zone}, 'YYYY-MM') as month,
        (p.gained_at at time zone ${zone}) as gained,
        case when c.email_consent <> 'subscribed' then p.left_at
          when s.created_at is not null then greatest(s.created_at, p.back_at)
        end at time zone ${zone} as lost
      from spans p
      join contacts c on c.business_id = ${businessId} and c.id = p.contact_id
      left join suppressions s on s.business_id = ${businessId} and s.channel = 'email'
        and s.address_hmac = c.email_mark
      where p.gained_at >= ${first}::date::timestamp at time zone ${zone}
    )
    select month, age, (count(*) filter (
      where lost is null or lost >= gained + make_interval(months => age)))::int as people
    from subscribers cross join generate_series(0, 12) as age
    where age = 0 or (month || '-01')::date + make_interval(months => age + 1)
      <= ${now} at time zone ${zone}
    group by month, age order by month, age
  `)
  return [...Map.groupBy(rows, ({ month }) => month)].map(([month, ages]) => {
    const [all, ...others] = ages.map(({ people }) => people)
    return { month, subscribers: all ?? 0, after_months: others }
  })
}
