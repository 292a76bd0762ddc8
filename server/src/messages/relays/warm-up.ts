/**
 * The warm-up of a sender domain as its owner sees it: what each provider gets of its marketing today,
 * for how many days that is limited, and what holds it. The operator may approve a head start for a
 * domain with past volume.
 */

import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { SenderRequirement } from '../../lib/email/sender-requirements.ts'
import { type Clock, days, later } from '../../lib/time/clock.ts'
import type {
  RefusingProvidersOf,
  WarmUpLine,
  WarmUpOf,
} from '../../sender-domains/model/warm-up.ts'
import type { MessageKind } from '../message.ts'
import {
  dayOf,
  headStartOf,
  type StreamKey,
  startOfNextDay,
  warmUpDayOf,
  warmUpDays,
} from '../throttle/throttle.ts'
import type { Relays } from './relays.ts'

/** The most providers shown, those with the most mail of today first. */
const mostProviders = 20

export function createWarmUpOf({
  db,
  clock,
  relays,
}: {
  db: Db
  clock: Clock
  relays: Pick<Relays, 'relaysOf'>
}): WarmUpOf {
  return async (businessId, domain) => {
    const [relay] = await relays.relaysOf(businessId, 'marketing')
    if (!relay?.transport.warmUp) return undefined
    const now = clock.now()
    const { route } = relay.transport
    const rows = await listMarketingStreams(db, { route, domain }, { now, limit: mostProviders })
    const providers = rows.map(({ provider, firstDay, sentToday, pausedUntil }): WarmUpLine => {
      const { allowance, daysLeft } = warmUpDayOf(firstDay, now)
      const isUsedUp = allowance !== undefined && sentToday >= allowance
      const hold =
        pausedUntil && pausedUntil > now
          ? ({ by: 'refusals', until: pausedUntil } as const)
          : isUsedUp && ({ by: 'allowance', until: startOfNextDay(now) } as const)
      return {
        provider,
        today: allowance ?? null,
        sentToday,
        daysLeft,
        ...(hold && { held: hold }),
      }
    })
    const first = await findFirstDay(db, { route, domain }, now)
    const { allowance, daysLeft } = warmUpDayOf(first, now)
    return { days: warmUpDays, providers, newProvider: { today: allowance ?? null, daysLeft } }
  }
}

/** The first day of the warm-up at a provider that gets the domain's first mail now. */
async function findFirstDay(
  db: Db,
  { route, domain }: Pick<StreamKey, 'route' | 'domain'>,
  now: Date,
): Promise<string> {
  const { firstDay } = await db.one<{ firstDay: string }>(sql`
    select coalesce((
      select case when head_start is null then first_day
        else (${now}::timestamptz at time zone 'utc')::date - head_start end
      from send_throttles
      where route = ${route} and domain = ${domain} and kind = 'marketing' and provider = '*'
    ), (${now}::timestamptz at time zone 'utc')::date) as "firstDay"
  `)
  return firstDay
}

interface MarketingStream {
  provider: string
  firstDay: string
  sentToday: number
  pausedUntil: Date | null
}

/** The streams of a domain's marketing, those with the most mail of today first. */
function listMarketingStreams(
  db: Db,
  { route, domain }: Pick<StreamKey, 'route' | 'domain'>,
  { now, limit }: { now: Date; limit: number },
): Promise<MarketingStream[]> {
  return db.all(sql`
    select provider, first_day as "firstDay", paused_until as "pausedUntil",
      case when day = (${now}::timestamptz at time zone 'utc')::date then sent_that_day else 0 end
        as "sentToday"
    from send_throttles
    where route = ${route} and domain = ${domain} and kind = 'marketing'
      and provider not in ('', '*')
    order by "sentToday" desc, provider limit ${limit}
  `)
}

/** For how long the owner of a domain is told what a provider found missing. */
const toldFor = days(1)

/** The providers that found something missing at a domain, over every route. */
export function createRefusingProvidersOf({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): RefusingProvidersOf {
  return async (domain) => {
    const now = clock.now()
    const rows = await listRefused(db, domain, {
      since: later(now, -toldFor),
      limit: mostProviders,
    })
    return rows.map(({ missingAt, pausedUntil, ...row }) => ({
      ...row,
      at: missingAt,
      heldUntil: pausedUntil && pausedUntil > now ? pausedUntil : undefined,
    }))
  }
}

interface RefusedStream {
  provider: string
  kind: MessageKind
  missing: SenderRequirement[]
  missingAt: Date
  pausedUntil: Date | null
}

/** The domain's streams whose provider found something missing since then, the latest first. */
export function listRefused(
  db: Db,
  domain: string,
  { since, limit }: { since: Date; limit: number },
): Promise<RefusedStream[]> {
  return db.all(sql`
    select distinct on (provider, kind) provider, kind, missing, missing_at as "missingAt",
      paused_until as "pausedUntil"
    from send_throttles
    where domain = ${domain} and missing_at > ${since}
    order by provider, kind, missing_at desc limit ${limit}
  `)
}

/** Its marketing over these routes begins at the day of the warm-up that matches. */
export function startAhead(
  tx: Tx,
  where: { routes: readonly string[]; domain: string },
  { emailsPerDay, now }: { emailsPerDay: number; now: Date },
): Promise<void> {
  return giveHeadStart(tx, where, { days: headStartOf(emailsPerDay), today: dayOf(now), now })
}

/**
 * Lets the domain's marketing over these routes skip days of its warm-up, at the providers that it
 * sends to already and at those that come. A stream that is further on stays where it is.
 */
async function giveHeadStart(
  tx: Tx,
  { routes, domain }: { routes: readonly string[]; domain: string },
  { days, today, now }: { days: number; today: string; now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into send_throttles as known (route, domain, kind, provider, tokens, filled_at,
      in_flight, first_day, day, sent_that_day, head_start)
    select route, ${domain}, 'marketing', '*', 0, ${now}, 1, ${today}::date - ${days}::int,
      ${today}::date, 0, ${days}::int
    from unnest(${[...routes]}::text[]) as route
    on conflict (route, domain, kind, provider) do update set
      first_day = least(known.first_day, excluded.first_day),
      head_start = greatest(known.head_start, excluded.head_start)
    where known.head_start is not null or known.first_day > excluded.first_day
  `)
  await tx.run(sql`
    update send_throttles set first_day = ${today}::date - ${days}::int
    where route = any (${[...routes]}::text[]) and domain = ${domain} and kind = 'marketing'
      and provider not in ('', '*') and first_day > ${today}::date - ${days}::int
  `)
}

/** Over every route, also one that the settings no longer name. */
export const startAsUnknown = (tx: Tx, domain: string, now: Date): Promise<void> =>
  takeHeadStartBack(tx, domain, dayOf(now))

/**
 * Takes a head start back: what began ahead is so many days less far, and what comes begins at the first
 * day. A stream that was further on by itself stays where it is.
 */
async function takeHeadStartBack(tx: Tx, domain: string, today: string): Promise<void> {
  await tx.run(sql`
    with ahead as (
      delete from send_throttles
      where domain = ${domain} and kind = 'marketing' and provider = '*' and head_start is not null
      returning route, first_day, head_start
    )
    update send_throttles as known
    set first_day = least(known.first_day + ahead.head_start, ${today}::date)
    from ahead
    where known.route = ahead.route and known.domain = ${domain} and known.kind = 'marketing'
      and known.provider not in ('', '*') and known.first_day >= ahead.first_day
  `)
}
