/** Statements that freeze a campaign's audience. */

import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { plannedAnew, replanned, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import {
  type AudienceAsked,
  audienceRows,
  type Exclusion,
  plannedFor,
  type Range,
} from '../audience/audience-queries.ts'

export function newestContact(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ id: Id<'contact'> } | undefined> {
  return db.maybe(sql`
    select id from contacts where business_id = ${businessId} order by id desc limit 1
  `)
}

/** The time zones of the contacts in a range. */
export function zonesWithin(
  db: Db,
  businessId: Id<'business'>,
  { after, upTo }: Range,
): Promise<{ zone: string }[]> {
  return db.all(
    replanned(sql`
      select distinct zone from (
        select attributes ->> 'time_zone' as zone from contacts
        where business_id = ${businessId} and id > ${after ?? oldest} and id <= ${upTo}
        order by id
      ) range
      where zone is not null
    `),
  )
}

const oldest = '00000000-0000-0000-0000-000000000000'

export interface FrozenRange extends AudienceAsked {
  campaignId: Id<'campaign'>
  /** The time for each zone, and for all others; null for at once. */
  clocks: { zone: string; at: Date }[]
  otherwise: Date | null
  /** The shares of the variants; a variant without a share gets no recipients yet. */
  shares: { position: number; share: number }[]
  /**
   * The number of parts that the shares are counted in; recipients beyond all shares wait for the
   * winner of a test.
   */
  parts: number
}

export interface FrozenCount {
  reason: Exclusion | null
  count: number
}

/**
 * Freezes a range; repeating it writes nothing. Returns the counts of recipients and of exclusions
 * by reason.
 */
export function insertRecipients(tx: Tx, range: FrozenRange): Promise<FrozenCount[]> {
  const { businessId, campaignId, clocks, otherwise, shares, parts, now } = range
  const ends = shares.map((_, i) =>
    shares.slice(0, i + 1).reduce((sum, share) => sum + share.share, 0),
  )
  const statement = sqlWithin`
    with shares as (
      select * from unnest(
        ${shares.map((share) => share.position)}::smallint[], ${ends}::int[]
      ) as given (position, part_end)
    ), frozen as (
      insert into campaign_recipients (business_id, campaign_id, contact_id, state, reason, clause,
        variant, due_at, updated_at)
      select ${businessId}, ${campaignId}, a.contact_id,
        case when a.reason is null then 'pending' else 'skipped' end, a.reason, a.clause,
        case when a.reason is null then (
          -- The last bytes of an id are random: each falls into a part by its own.
          select position from shares where part_end >
            (get_byte(uuid_send(a.contact_id), 15) * 256 + get_byte(uuid_send(a.contact_id), 14))
            % ${parts}::int
          order by part_end limit 1
        ) end,
        case when a.reason is not null then null
          when (get_byte(uuid_send(a.contact_id), 15) * 256 + get_byte(uuid_send(a.contact_id), 14))
            % ${parts}::int >= ${ends.at(-1) ?? 0}::int then 'infinity'
          else coalesce(clocks.at, ${otherwise}::timestamptz) end, ${now}
      from (${audienceRows(range)}) a
      left join unnest(
        ${clocks.map((clock) => clock.zone)}::text[], ${clocks.map((clock) => clock.at)}::timestamptz[]
      ) as clocks (zone, at) on clocks.zone = a.zone
      on conflict do nothing
      returning reason
    )
    select reason, count(*)::int as count from frozen group by reason
  `
  return tx.all(plannedFor(range.audience, statement))
}

/**
 * Puts those of a range first who opened or clicked within 90 days: whoever clicked, then whoever
 * opened, the latest first. They get a time that is long past, and recipients with a time are
 * dispatched before the others, in its order.
 */
export function putReadersFirst(
  tx: Tx,
  {
    businessId,
    campaignId,
    range,
  }: { businessId: Id<'business'>; campaignId: Id<'campaign'>; range: Range },
  now: Date,
): Promise<number> {
  const since = later(now, -days(readDays))
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r set due_at = timestamptz 'epoch' + read.behind
      from (
        select contact_id, min(${now}::timestamptz - created_at
          + case type when 'message.opened' then interval '90 days' else interval '0' end) as behind
        from contact_activity
        where business_id = ${businessId} and type in ('message.opened', 'message.clicked')
          and created_at >= ${since} and machine is not true
          and contact_id > ${range.after ?? oldest} and contact_id <= ${range.upTo ?? highestId}
        group by contact_id
      ) read
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.contact_id = read.contact_id and r.state = 'pending' and r.due_at is null
    `),
  )
}

/** For how many days somebody who opened or clicked counts as a reader. */
const readDays = 90
