/** Who gets a campaign: the contacts of its audience, those who get nothing and why, range by range. */

import { covers } from '../../contacts/consent/covers.ts'
import { compileFilter } from '../../contacts/filters/compile.ts'
import type { Filter } from '../../contacts/filters/filter.ts'
import { bitsOf } from '../../contacts/segments/fits.ts'
import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { plannedAnew, replanned, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { attentionOf, capsClause, type MarketingSource } from '../../messages/attention.ts'
import type { Audience, CampaignChannel } from '../campaign.ts'

type ContactInAudience = Omit<AudienceAsked, 'range' | 'quota'> & { contactId: Id<'contact'> }

/**
 * Evaluates the audience's statement for one contact; undefined where the contact is not in the
 * audience.
 */
export function audienceOf(
  db: Db,
  { contactId, ...audience }: ContactInAudience,
): Promise<AudienceRow | undefined> {
  const range = { after: before(contactId), upTo: contactId }
  return findInAudience(db, { ...audience, range, quota: null })
}

/** Contacts that one page of an audience looks at, so that finding a few among millions costs little. */
const perPage = 10_000

interface PageOfAudience extends Omit<AudienceAsked, 'range' | 'quota'> {
  /** The id below which the page begins. */
  before: Id<'contact'>
  wouldGet: boolean | null
  limit: number
}

/**
 * A page of the audience as it is now, newest first. `floor` is the id below which it goes on where
 * the page ended before the limit.
 */
export async function pageOfAudience(
  db: Db,
  { before: end, wouldGet, limit, ...audienceQuery }: PageOfAudience,
): Promise<{
  rows: (AudienceRow & { contactId: Id<'contact'> })[]
  floor: Id<'contact'> | undefined
}> {
  const upTo = before(end)
  const begin = await rangeBegin(db, audienceQuery.businessId, { upTo, size: perPage })
  if (!begin) return { rows: [], floor: undefined }
  const range = { after: before(begin.id), upTo }
  const rows = await listAudience(db, { ...audienceQuery, range, quota: null }, { wouldGet, limit })
  return { rows, floor: begin.isLast || rows.length >= limit ? undefined : begin.id }
}

/** The uuid directly below this one. */
function before(id: Id<'contact'>): Id<'contact'> {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as Id<'contact'>
}

/** Why a contact in the audience gets nothing. */
export const exclusions = [
  'no_email',
  'no_phone',
  'not_subscribed',
  'topic_not_chosen',
  'invalid',
  'suppressed',
  'sent_recently',
  'capped',
  'tier_quota',
] as const
export type Exclusion = (typeof exclusions)[number]

/** Contacts above `after`, up to and including `upTo`; null for no end. */
export interface IdRange {
  after: Id<'contact'> | null
  upTo: Id<'contact'> | null
  /** These alone; everybody where it is left out. */
  among?: readonly Id<'contact'>[]
}

export interface AudienceAsked {
  businessId: Id<'business'>
  channel: CampaignChannel
  /** The key of the topic; null for none. */
  topic: string | null
  audience: Audience
  range: IdRange
  /** How many more messages the tier allows; null for no limit. */
  quota: number | null
  now: Date
  /** The business's time zone, in which days of the audience's filter are calculated. */
  zone: string
  /** What sends it, for the caps of the business and its people; a campaign where it is left out. */
  source?: MarketingSource
}

/** The audience's filter as a condition on rows `c` of contacts. */
export function fittingFilter(
  audienceQuery: Pick<AudienceAsked, 'businessId' | 'audience' | 'now' | 'zone'> & {
    range?: IdRange
  },
): Sql {
  const { filter } = audienceQuery.audience
  return filter ? compileFilter(filter, audienceQuery) : sql`true`
}

/** A statement with a filter is unique, so its plan is not cached. */
export function plannedFor({ filter }: Audience, statement: Sql): Sql {
  return filter ? plannedAnew(statement) : replanned(statement)
}

/** Why the address `c.mark` of each contact is suppressed, as `s.reason`. */
function suppressedOf({ businessId, channel }: AudienceAsked, contacts: 'one' | 'many'): Sql {
  if (contacts === 'one') {
    return sql`
      left join lateral (
        select reason from suppressions
        where business_id = ${businessId} and channel = ${channel} and address_hmac = c.mark
        limit 1
      ) s on true
    `
  }
  return sql`
    full join (
      select address_hmac, reason from suppressions
      where business_id = ${businessId} and channel = ${channel}
    ) s on s.address_hmac = c.mark
  `
}

/** An id below all others. */
const oldest = '00000000-0000-0000-0000-000000000000'

/**
 * Rows of `contact_id, address, mark, zone, language, clause, reason`; a contact without a reason gets the
 * campaign. Address hashes must have been computed (`markAddresses`), because suppressions identify
 * addresses only by hash. An address that hard-bounced is invalid; one suppressed for any other
 * reason is suppressed.
 */
export function audienceRows(audienceQuery: AudienceAsked, contacts: 'one' | 'many' = 'many'): Sql {
  const {
    businessId,
    channel,
    topic,
    audience,
    range,
    quota,
    now,
    source = 'campaign',
  } = audienceQuery
  const tags = audience.tags ?? null
  const quiet = audience.not_sent_within_days
  const { among = null } = range
  const everyone = audience.filter ? 'filter' : 'everyone'
  const since = quiet === undefined ? null : later(now, -days(quiet))
  return sqlWithin`
    select contact_id, address, mark, zone, language, clause,
      case when reason is null and row_number() over (partition by reason order by contact_id)
        > ${quota}::bigint then 'tier_quota' else reason end as reason
    from (
      select c.id as contact_id, c.address, c.mark, c.zone, c.language, c.clause,
        case
          when c.address is null then ${channel === 'email' ? 'no_email' : 'no_phone'}
          when c.consent <> 'subscribed' then 'not_subscribed'
          when not c.is_covered then 'topic_not_chosen'
          when s.reason = 'bounce' then 'invalid'
          when s.reason is not null then 'suppressed'
          when ${since}::timestamptz is not null and exists (
            select from messages m
            where m.business_id = ${businessId} and m.contact_id = c.id and m.kind = 'marketing'
              and m.queued_at >= ${since}
              and m.state not in ('failed', 'suppressed', 'cancelled', 'bounced')
          ) then 'sent_recently'
          when ${capsClause(businessId)} and coalesce((
            select a.room <= 0 from (
              ${attentionOf(sql`c.id`, { businessId, source, now })}
            ) a
          ), false) then 'capped'
        end as reason
      from (
        select id, attributes ->> 'time_zone' as zone, language,
          case when ${channel} = 'email' then email else phone end as address,
          case when ${channel} = 'email' then email_mark else phone_mark end as mark,
          case when ${channel} = 'email' then email_consent else sms_consent end as consent,
          ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })} as is_covered,
          case when ${tags}::text[] is null then ${everyone} else (
            select 'tag ' || min(tag collate "C") from unnest(tags) as tag
            where tag = any (${tags}::text[])
          ) end as clause
        from contacts c
        where business_id = ${businessId} and id > ${range.after ?? oldest}
          and id <= ${range.upTo ?? highestId} and (${among}::uuid[] is null or id = any(${among}::uuid[]))
          and (${tags}::text[] is null or tags && ${tags}::text[])
          and ${fittingFilter(audienceQuery)}
        order by id
      ) c
      ${suppressedOf(audienceQuery, contacts)}
      -- Leaves those out that are suppressed and no contact of the range, without the planner
      -- seeing that a left join would do.
      where coalesce(c.id, ${oldest}) <> ${oldest}
      -- The reason is found once, not wherever it is asked for.
      offset 0
    ) judged
  `
}

interface ReasonCount {
  reason: Exclusion | null
  /** The language of recipients, if they are counted by language. */
  language: string | null
  count: number
}

/**
 * Counts recipients (without a reason) and exclusions by reason. Recipients are counted for each
 * language if that is asked for.
 */
export function countAudience(
  db: Db,
  { byLanguage = false, ...audience }: AudienceAsked & { byLanguage?: boolean },
): Promise<ReasonCount[]> {
  const statement = sqlWithin`
    select reason, case when ${byLanguage}::boolean and reason is null then language end as language,
      count(*) as count
    from (${audienceRows(audience)}) a group by 1, 2
  `
  return db.all(plannedFor(audience.audience, statement))
}

interface PrefixCount {
  /** One of the numbers with this prefix. */
  number: string
  zone: string | null
  count: number
}

/** Counts recipients by the prefix of their numbers, which tells their country. */
export function countByPrefix(db: Db, audienceQuery: AudienceAsked): Promise<PrefixCount[]> {
  const statement = sqlWithin`
    select min(address) as number, zone, count(*) as count from (${audienceRows(audienceQuery)}) a
    where reason is null group by left(address, 9), zone
  `
  return db.all(plannedFor(audienceQuery.audience, statement))
}

/** Counts recipients by which of the filters they fit. */
export function countBits(
  db: Db,
  audienceQuery: AudienceAsked,
  filters: readonly Filter[],
): Promise<{ bits: number; count: number }[]> {
  const { businessId } = audienceQuery
  return db.all(
    plannedAnew(sqlWithin`
      select bits, count(*)::int as count from (
        select ${bitsOf(filters, audienceQuery)} as bits
        from (${audienceRows(audienceQuery)}) a
        join contacts c on c.business_id = ${businessId} and c.id = a.contact_id
        where a.reason is null
      ) recipients group by bits
    `),
  )
}

/** Counts recipients by the domain of their address, those with the most first. */
export function countByDomain(
  db: Db,
  audienceQuery: AudienceAsked,
  limit: number,
): Promise<{ domain: string; count: number }[]> {
  const statement = sqlWithin`
    select lower(split_part(address, '@', -1)) as domain, count(*)::int as count
    from (${audienceRows(audienceQuery)}) a
    where reason is null group by 1 order by 2 desc, 1 limit ${limit}
  `
  return db.all(plannedFor(audienceQuery.audience, statement))
}

/** The id of the last of the next `size` contacts; undefined where fewer are left. */
export function rangeEnd(
  db: Db,
  businessId: Id<'business'>,
  { after, size }: { after: Id<'contact'> | null; size: number },
): Promise<{ id: Id<'contact'> } | undefined> {
  return db.maybe(
    replanned(sql`
      select id from contacts where business_id = ${businessId} and id > ${after ?? oldest}
      order by id limit 1 offset ${size - 1}
    `),
  )
}

interface AudienceRow {
  reason: Exclusion | null
  clause: string
}

interface AudiencePage {
  /** Those who would get it, those who would be skipped, or both. */
  wouldGet: boolean | null
  limit: number
}

/** Contacts of the audience in the range, newest first. */
function listAudience(
  db: Db,
  audienceQuery: AudienceAsked,
  { wouldGet, limit }: AudiencePage,
): Promise<(AudienceRow & { contactId: Id<'contact'> })[]> {
  const statement = sqlWithin`
    select contact_id as "contactId", reason, clause from (${audienceRows(audienceQuery)}) a
    where ${wouldGet}::boolean is null or (reason is null) = ${wouldGet}
    order by contact_id desc limit ${limit}
  `
  return db.all(plannedFor(audienceQuery.audience, statement))
}

/** The oldest of the `size` newest contacts up to the id; undefined where there is none. */
function rangeBegin(
  db: Db,
  businessId: Id<'business'>,
  { upTo, size }: { upTo: Id<'contact'>; size: number },
): Promise<{ id: Id<'contact'>; isLast: boolean } | undefined> {
  return db.maybe(
    replanned(sql`
      select (array_agg(id order by id))[1] as id, count(*) < ${size} as "isLast"
      from (
        select id from contacts where business_id = ${businessId} and id <= ${upTo}
        order by id desc limit ${size}
      ) newest
      having count(*) > 0
    `),
  )
}

/** The row of one contact; undefined where it is not in the audience. */
export function findInAudience(
  db: Db,
  audienceQuery: AudienceAsked,
): Promise<AudienceRow | undefined> {
  const statement = sqlWithin`select reason, clause from (${audienceRows(audienceQuery, 'one')}) a`
  return db.maybe(audienceQuery.audience.filter ? plannedAnew(statement) : statement)
}
