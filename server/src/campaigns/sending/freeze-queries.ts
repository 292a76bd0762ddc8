/** The statements that write a campaign's audience down. */

import type { Id } from '../../core/ids.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
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

/** What contacts of a range give as their time zones. */
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
  /** The hour of each zone, and of all others; null for at once. */
  clocks: { zone: string; at: Date }[]
  otherwise: Date | null
  /** Of the variants; one that has no share yet is nobody's. */
  shares: { position: number; share: number }[]
  /** Parts of all; those beyond the shares' wait for the variant that wins a test. */
  parts: number
}

export interface FrozenCount {
  reason: Exclusion | null
  count: number
}

/** Writes a range down once, however often it is asked, and says how many and why not. */
export function insertRecipients(tx: Tx, range: FrozenRange): Promise<FrozenCount[]> {
  const { businessId, campaignId, clocks, otherwise, shares, parts, now } = range
  const ends = shares.map((_, i) => shares.slice(0, i + 1).reduce((sum, one) => sum + one.share, 0))
  const statement = sqlWithin`
    with shares as (
      select * from unnest(
        ${shares.map((one) => one.position)}::smallint[], ${ends}::int[]
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
        ${clocks.map((one) => one.zone)}::text[], ${clocks.map((one) => one.at)}::timestamptz[]
      ) as clocks (zone, at) on clocks.zone = a.zone
      on conflict do nothing
      returning reason
    )
    select reason, count(*)::int as count from frozen group by reason
  `
  return tx.all(plannedFor(range.audience, statement))
}
