/**
 * How much marketing one person gets: the caps of the business and those that people choose for
 * themselves. One statement answers for previews, for freezes and for whatever claims a message;
 * claims hold the count of the business (`lockPendingCount`), so that two of them never share a
 * place.
 */
import type { PersonPage, PersonPart, PersonRow } from '../contacts/exporting/person-part.ts'
import type { PersonalData } from '../contacts/personal-data.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import { days, later } from '../lib/time/clock.ts'

/** What sends the marketing. */
export type MarketingSource = 'sequence' | 'campaign' | 'feed'

/** Whether anybody of the business has a cap. */
export function capsClause(businessId: Id<'business'>): Sql {
  return sql`(
    select exists (select from businesses where id = ${businessId} and attention is not null)
      or exists (select from contact_attention where business_id = ${businessId})
  )`
}

export interface AttentionQuery {
  businessId: Id<'business'>
  source: MarketingSource
  now: Date
}

/** What is of higher priority counts if it is due so soon. */
const dueSoon = days(1)

/**
 * `room`, `until`, `gap_until` and `is_digest_only` of the contact: how many more messages fit, null
 * for any number; until when there is no room; until when the last message keeps the next away; and
 * whether there is none because they chose feeds alone.
 */
export function attentionOf(contact: Sql, { businessId, source, now }: AttentionQuery): Sql {
  const soon = later(now, dueSoon)
  return sqlWithin`
    select min(case when cap.paused_until is null then cap.most - past.count else 0 end)::int as room,
      max(case when cap.paused_until is not null then cap.paused_until
        when past.count >= cap.most then past.nth + cap.per end) as until,
      max(past.last + cap.gap) filter (where past.last + cap.gap > ${now}) as gap_until,
      coalesce(bool_or(cap.is_digest_only), false) as is_digest_only
    from (
      select (attention ->> 'max')::int as most, (attention ->> 'per')::interval as per,
        (attention ->> 'gap')::interval as gap, null::timestamptz as paused_until,
        coalesce(attention #>> '{priority,0}', 'sequence') as first, false as is_digest_only
      from businesses where id = ${businessId} and attention is not null
      union all
      select case when digest_only then 0 else max end, per_days * interval '1 day', null,
        case when paused_until > ${now} then paused_until end, 'sequence', digest_only
      from contact_attention
      where business_id = ${businessId} and contact_id = ${contact}
        and (max is not null or paused_until > ${now} or (digest_only and ${source} <> 'feed'))
    ) cap
    cross join lateral (
      select count(*)::int as count, (array_agg(at order by at desc))[cap.most] as nth,
        max(at) filter (where is_sent) as last
      from (
        select coalesce(m.queued_at, m.due_at) as at, true as is_sent from messages m
        where m.business_id = ${businessId} and m.contact_id = ${contact} and m.kind = 'marketing'
          and m.state not in ('failed', 'suppressed', 'cancelled', 'bounced')
          and coalesce(m.queued_at, m.due_at) > ${now}::timestamptz - cap.per
        union all
        select ${now}, false from sequence_entries e
        join sequences q on q.business_id = e.business_id and q.id = e.sequence_id
          and q.status = 'running'
        where ${source} <> 'sequence' and (cap.first = 'sequence' or ${source} = 'feed')
          and e.business_id = ${businessId} and e.contact_id = ${contact} and e.state = 'active'
          and e.sends_next and e.waits_for is null and e.due_at <= ${soon}
        union all
        select ${now}, false from campaign_recipients r
        join campaigns p on p.business_id = r.business_id and p.id = r.campaign_id
          and p.state = 'deployed' and p.feed_id is null
        where ${source} <> 'campaign' and (cap.first = 'campaign' or ${source} = 'feed')
          and r.business_id = ${businessId} and r.contact_id = ${contact} and r.state = 'pending'
      ) counted
    ) past
  `
}

export async function hasAnyCap(db: Db, businessId: Id<'business'>): Promise<boolean> {
  return (await db.one<{ has: boolean }>(sqlWithin`select ${capsClause(businessId)} as has`)).has
}

export interface Attention {
  /** How many more messages fit; null for any number. */
  room: number | null
  until: Date | null
  gapUntil: Date | null
  isDigestOnly: boolean
}

/** The attention of these people, where anybody of the business has a cap. The caller locks the count. */
export async function readAttention(
  tx: Tx,
  contactIds: readonly Id<'contact'>[],
  query: AttentionQuery,
): Promise<Map<Id<'contact'>, Attention>> {
  if (contactIds.length === 0 || !(await hasAnyCap(tx, query.businessId))) return new Map()
  const rows = await tx.all<Attention & { id: Id<'contact'> }>(sqlWithin`
    select c.id, a.room, a.until, a.gap_until as "gapUntil",
      a.is_digest_only as "isDigestOnly"
    from unnest(${[...new Set(contactIds)].sort()}::uuid[]) as c (id)
    cross join lateral (${attentionOf(sql`c.id`, query)}) a
  `)
  return new Map(rows.map(({ id, ...attention }) => [id, attention]))
}

/** Takes a place of the person; the refusal if they have none. */
export function takePlace(attention: Attention | undefined, now: Date): Refusal | undefined {
  if (!attention || attention.room === null) return undefined
  if (attention.room > 0) {
    attention.room -= 1
    return undefined
  }
  if (attention.isDigestOnly) {
    const text = 'This person chose to get the digest alone.'
    return refuse('conflict', text, { data: { reason: 'capped' } })
  }
  const until = attention.until ?? later(now, dueSoon)
  const text = `This person has had as much marketing as they or the business allow: the next is possible from ${until.toISOString()}.`
  return refuse('conflict', text, { data: { reason: 'capped', until: until.toISOString() } })
}

/** Until when the cap that refused it holds; undefined for another refusal, and where it holds for good. */
export function cappedUntil({ details }: Refusal): Date | undefined {
  const { reason, until } = details.data ?? {}
  return reason === 'capped' && typeof until === 'string' ? new Date(until) : undefined
}

/** What a person chose for themselves. */
export interface OwnAttention {
  max: number | null
  perDays: number | null
  pausedUntil: Date | null
  /** Whether they want feeds alone. */
  isDigestOnly: boolean
}

export function readOwnAttention(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
): Promise<OwnAttention | undefined> {
  return db.maybe(sql`
    select max::int as max, per_days::int as "perDays", paused_until as "pausedUntil",
      digest_only as "isDigestOnly"
    from contact_attention where business_id = ${businessId} and contact_id = ${contactId}
  `)
}

export async function saveOwnAttention(
  db: Db,
  { businessId, contactId }: { businessId: Id<'business'>; contactId: Id<'contact'> },
  { max, perDays, pausedUntil, isDigestOnly }: OwnAttention,
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into contact_attention (business_id, contact_id, max, per_days, paused_until, digest_only,
      updated_at)
    values (${businessId}, ${contactId}, ${max}, ${perDays}, ${pausedUntil}, ${isDigestOnly}, ${now})
    on conflict (business_id, contact_id) do update
    set max = excluded.max, per_days = excluded.per_days, paused_until = excluded.paused_until,
      digest_only = excluded.digest_only, updated_at = excluded.updated_at
  `)
}

export const attentionPersonalData: PersonalData = {
  /** If both people made a choice, that of the person who stays counts. */
  async move(tx, { businessId, from, to }) {
    await tx.run(sql`
      insert into contact_attention (business_id, contact_id, max, per_days, paused_until,
        digest_only, updated_at)
      select business_id, ${to}, max, per_days, paused_until, digest_only, updated_at from contact_attention
      where business_id = ${businessId} and contact_id = ${from}
      on conflict do nothing
    `)
    await forgetChoices(tx, businessId, [from])
  },

  async forget(tx, { businessId, contactIds }) {
    await forgetChoices(tx, businessId, contactIds)
    return true
  },
}

async function forgetChoices(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<void> {
  await tx.run(sql`
    delete from contact_attention
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
  `)
}

export const attentionPersonPart: PersonPart = {
  name: 'attention',
  tables: ['contact_attention'],
  page: (db, { businessId, contact }, page) => choiceRows(db, { businessId, id: contact.id }, page),
}

function choiceRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select a.contact_id::text as key, to_jsonb(a) - '{business_id,contact_id}'::text[] as row
    from contact_attention a
    where a.business_id = ${businessId} and a.contact_id = ${id} and a.contact_id::text > ${after}
    limit ${limit}
  `)
}
