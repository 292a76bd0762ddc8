/** Statements that backdate what was just made. Only the demo writes history. */

import type { Id } from '../core/ids.ts'
import { plannedAnew, sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

/** Spreads the contacts, in their order, over `days` days before now, more of them early on. */
export function backdateContacts(
  tx: Tx,
  businessId: Id<'business'>,
  { days, now }: { days: number; now: Date },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      update contacts c set created_at = joined.at, updated_at = joined.at
      from (
        select id, ${now}::timestamptz - interval '1 day' * ${days}::float8
            * power(1 - row_number() over (order by id)::float8 / (count(*) over () + 1), 0.8) as at
        from contacts where business_id = ${businessId}
      ) joined
      where c.business_id = ${businessId} and c.id = joined.id
    `),
  )
}

export function backdateConsent(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      update consent_events e set created_at = c.created_at
      from contacts c
      where e.business_id = ${businessId} and c.business_id = ${businessId}
        and c.id = e.contact_id
    `),
  )
}

export function backdateActivity(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      update contact_activity a set created_at = c.created_at
      from contacts c
      where a.business_id = ${businessId} and c.business_id = ${businessId}
        and c.id = a.contact_id
    `),
  )
}

/** Spreads the submissions of each form over `days` days before now. */
export function backdateSubmissions(
  tx: Tx,
  businessId: Id<'business'>,
  { days, now }: { days: number; now: Date },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      update submissions s set created_at = sent.at
      from (
        select id, ${now}::timestamptz - interval '1 day' * ${days}::float8
            * (1 - row_number() over (partition by form_id order by id)::float8
              / (count(*) over (partition by form_id) + 1)) as at
        from submissions where business_id = ${businessId}
      ) sent
      where s.business_id = ${businessId} and s.id = sent.id
    `),
  )
}

/** Deletes the new events, so that no webhook and no mail reports them. */
export function dropEvents(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(sql`delete from events where business_id = ${businessId}`)
}

/** Deletes queued jobs of this business or this campaign. */
export function dropJobs(tx: Tx, id: Id<'business'> | Id<'campaign'>): Promise<number> {
  return tx.run(sql`delete from jobs where position(${id}::text in payload::text) > 0`)
}

/** Mails and calls of each day, fewer at the weekend, by a share that depends on the day. */
export function insertUsage(
  tx: Tx,
  businessId: Id<'business'>,
  { days, mails, calls, now }: { days: number; mails: number; calls: number; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into usage_days (business_id, metric, day, amount)
    select ${businessId}, metric, (${now}::timestamptz at time zone 'UTC')::date - ago,
      greatest(1, round(base * (0.6 + 0.4 * sin(ago / 9.0) * sin(ago * 2.3) + 0.004 * (90 - ago))
        * case when ago % 7 in (2, 3) then 0.45 else 1 end))
    from generate_series(1, ${days}::integer) as ago,
      (values ('emails', ${mails}::float8), ('calls', ${calls}::float8)) as kinds (metric, base)
    on conflict (business_id, metric, day) do nothing
  `)
}

/** Adds the mails of campaigns to their days. */
export function addCampaignUsage(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(sql`
    insert into usage_days as known (business_id, metric, day, amount)
    select ${businessId}, 'emails', (created_at at time zone 'UTC')::date, count(*)
    from messages where business_id = ${businessId} group by 3
    on conflict (business_id, metric, day)
    do update set amount = known.amount + excluded.amount
  `)
}

/** Sets the months to the sums of their days. */
export function sumMonths(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(sql`
    insert into usage_months as known (business_id, metric, month, amount)
    select business_id, metric, date_trunc('month', day::timestamp)::date, sum(amount)
    from usage_days
    where business_id = ${businessId} and metric in ('emails', 'sms') group by 1, 2, 3
    on conflict (business_id, metric, month) do update set amount = excluded.amount
  `)
}

/** The tables that the audience of a demo fills. */
export const audienceTables = [
  'contacts',
  'consent_events',
  'contact_activity',
  'submissions',
  'events',
]
/** The tables that its campaigns fill. */
export const campaignTables = ['campaign_recipients', 'messages', 'message_events']

/**
 * Updates the statistics of tables that were just filled. Without it, a statement that joins the
 * contacts with themselves was planned for a few rows, and read all eight thousand for each.
 */
export async function analyze(db: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await db.run({ name: '', text: `analyze ${table}`, values: [] })
  }
}
