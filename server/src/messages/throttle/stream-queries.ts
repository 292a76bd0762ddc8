/** Every statement that touches streams of mail. */

import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { SenderRequirement } from '../../lib/email/sender-requirements.ts'
import type { MessageKind } from '../model/message.ts'
import type { Stream } from './stream.ts'

export interface StreamKey {
  /** Such as `relay.example:587`. */
  route: string
  domain: string
  kind: MessageKind
  /** The name that `provider.ts` gives. Empty for the rate of the whole domain. */
  provider: string
}

/** Inserts the row if it is new, and locks it until the transaction ends. */
export async function lockStream(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  fresh: Stream,
): Promise<Stream> {
  await tx.run(sql`
    insert into send_throttles (route, domain, kind, provider, tokens, filled_at, in_flight,
      first_day, day, sent_that_day)
    values (${route}, ${domain}, ${kind}, ${provider}, ${fresh.tokens}, ${fresh.filledAt},
      ${fresh.inFlight}, coalesce((
        select case when head_start is null then first_day
          else ${fresh.firstDay}::date - head_start end
        from send_throttles
        where route = ${route} and domain = ${domain} and kind = ${kind} and provider = '*'
      ), ${fresh.firstDay}), ${fresh.day}, 0)
    on conflict (route, domain, kind, provider) do nothing
  `)
  return tx.one<Stream>(sql`
    select tokens, filled_at as "filledAt", in_flight as "inFlight", slowed_at as "slowedAt",
      paused_until as "pausedUntil", first_day as "firstDay", day, sent_that_day as "sentThatDay"
    from send_throttles
    where route = ${route} and domain = ${domain} and kind = ${kind} and provider = ${provider}
    for update
  `)
}

/** Leaves `paused_until` alone, which other code sets. */
export function saveStream(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  stream: Stream,
): Promise<number> {
  return tx.run(sql`
    update send_throttles set tokens = ${stream.tokens}, filled_at = ${stream.filledAt},
      in_flight = ${stream.inFlight}, slowed_at = ${stream.slowedAt}, day = ${stream.day},
      sent_that_day = ${stream.sentThatDay}
    where route = ${route} and domain = ${domain} and kind = ${kind} and provider = ${provider}
  `)
}

/**
 * Lets the domain's marketing over these routes skip days of its warm-up, at the providers that it
 * sends to already and at those that come. A stream that is further on stays where it is.
 */
export async function giveHeadStart(
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

/**
 * Takes a head start back: what began ahead is so many days less far, and what comes begins at the first
 * day. A stream that was further on by itself stays where it is.
 */
export async function takeHeadStartBack(tx: Tx, domain: string, today: string): Promise<void> {
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

/** The first day of the warm-up at a provider that gets the domain's first mail now. */
export async function findFirstDay(
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

export interface RefusalRule {
  /** The number of refusals that pause the stream. */
  limit: number
  /** Earlier refusals do not count. */
  since: Date
  until: Date
  /** What the sender lacks by this refusal; null if it does not say. */
  missing: readonly SenderRequirement[] | null
  now: Date
}

/** A pause starts the count again. A longer pause that is set already stays. */
export function countRefusal(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  { limit, since, until, missing, now }: RefusalRule,
): Promise<number> {
  return tx.run(sql`
    insert into send_throttles as known (route, domain, kind, provider, tokens, filled_at,
      in_flight, first_day, day, sent_that_day, refusals, refused_since, missing, missing_at)
    values (${route}, ${domain}, ${kind}, ${provider}, 0, ${now}, 1, ${now}::timestamptz::date,
      ${now}::timestamptz::date, 0, 1, ${now}, ${missing}::text[],
      case when ${missing}::text[] is not null then ${now}::timestamptz end)
    on conflict (route, domain, kind, provider) do update set
      missing = coalesce(excluded.missing, known.missing),
      missing_at = coalesce(excluded.missing_at, known.missing_at),
      refusals = case
        when known.refused_since is null or known.refused_since < ${since} then 1
        when known.refusals + 1 >= ${limit} then 0
        else known.refusals + 1 end,
      refused_since = case
        when known.refused_since is null or known.refused_since < ${since} then ${now}
        else known.refused_since end,
      paused_until = case
        when known.refused_since >= ${since} and known.refusals + 1 >= ${limit}
          then greatest(known.paused_until, ${until}::timestamptz)
        else known.paused_until end
  `)
}

/** Pauses the stream at once, and notes what the sender lacks. */
export function pauseFor(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  { missing, until, now }: { missing: readonly SenderRequirement[]; until: Date; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into send_throttles as known (route, domain, kind, provider, tokens, filled_at,
      in_flight, first_day, day, sent_that_day, paused_until, missing, missing_at)
    values (${route}, ${domain}, ${kind}, ${provider}, 0, ${now}, 1, ${now}::timestamptz::date,
      ${now}::timestamptz::date, 0, ${until}, ${[...missing]}::text[], ${now})
    on conflict (route, domain, kind, provider) do update set
      paused_until = greatest(known.paused_until, excluded.paused_until),
      missing = excluded.missing, missing_at = excluded.missing_at
  `)
}

export interface RefusedStream {
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

/**
 * Deletes streams that were not used since then. A sender that returns to such a provider starts
 * there as a new sender. Otherwise strangers' addresses would add rows without end.
 */
export function deleteIdleStreams(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from send_throttles where filled_at < ${before} and provider <> '*'`)
}

export interface MarketingStream {
  provider: string
  firstDay: string
  sentToday: number
  pausedUntil: Date | null
}

/** The streams of a domain's marketing, those with the most mail of today first. */
export function listMarketingStreams(
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
