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

/** Deletes the business's queued jobs, or those of one campaign. */
export function dropJobs(
  tx: Tx,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'> | null = null,
): Promise<number> {
  return tx.run(sql`
    delete from jobs
    where business_id = ${businessId}
      and (${campaignId}::text is null or position(${campaignId}::text in payload::text) > 0)
  `)
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

interface SequencePast {
  businessId: Id<'business'>
  sequenceId: Id<'sequence'>
  now: Date
}

/** How long ago the welcome series of the demo began, in days. */
const seriesDays = 45

/** A fifth of those who join get nothing, and of all it is judged who orders. */
export const seriesTrial = {
  goal: { did: 'order', since: 'entry' },
  goal_within: '14 days',
  holdout: 20,
} as const

/**
 * Whoever joined since the series began got the first mail then, and three days later the second. A
 * draw from 0 to 999 for each possible event depends only on the address, as with campaigns.
 */
export async function writeSequencePast(
  tx: Tx,
  { businessId, sequenceId, now }: SequencePast,
): Promise<void> {
  await tx.run(sql`
    update sequences set created_at = ${now}::timestamptz - interval '1 day' * ${seriesDays + 1}::int,
      updated_at = ${now}::timestamptz - interval '1 day' * ${seriesDays}::int
    where business_id = ${businessId} and id = ${sequenceId}
  `)
  await tx.run(sql`
    update sequence_versions set started_at = ${now}::timestamptz - interval '1 day' * ${seriesDays}::int
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
  await tx.run(
    plannedAnew(sql`
      insert into sequence_entries (business_id, sequence_id, id, contact_id, version, cause, state,
        reason, step, due_at, event, entered_at, stepped_at, ended_at)
      select ${businessId}, ${sequenceId},
        (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
          || '7' || substr(digest, 1, 3) || 'a' || substr(digest, 4, 15))::uuid,
        id, 1, 'demo ' || id, case when held_out then 'holdout' when leaves then 'left'
          when at + interval '3 days' < ${now} then 'finished' else 'active' end,
        case when leaves then 'unsubscribed' end, case when held_out then 1 when leaves then 3
          when at + interval '3 days' < ${now} then 0 else 3 end,
        case when not (leaves or held_out) and at + interval '3 days' >= ${now}
          then at + interval '3 days' end,
        '{}', at, case when held_out or leaves or at + interval '3 days' >= ${now} then at
          else at + interval '3 days' end,
        case when leaves then at + interval '1 day'
          when not held_out and at + interval '3 days' < ${now} then at + interval '3 days' end
      from (
        select id, at, digest, held_out, not held_out and leaves as leaves
        from (
          select id, created_at as at, md5(email || 'welcome') as digest,
            ('x' || substr(md5(email || 'leaves'), 1, 4))::bit(16)::integer % 1000 < 12
              and created_at + interval '1 day' < ${now} as leaves,
            ('x' || substr(md5(email || 'held out'), 1, 4))::bit(16)::integer % 100
              < ${seriesTrial.holdout}::int as held_out
          from contacts
          where business_id = ${businessId} and email_consent = 'subscribed' and email is not null
            and created_at > ${now}::timestamptz - interval '1 day' * ${seriesDays}::int
            and created_at <= ${now}
        ) drawn
      ) joined
    `),
  )
  await tx.run(
    plannedAnew(sql`
      insert into sequence_outcomes (business_id, sequence_id, contact_id, entry_id, is_holdout,
        entered_at, judge_at, reached)
      select ${businessId}, ${sequenceId}, contact_id, id, is_holdout, entered_at,
        case when not is_over then entered_at + ${seriesTrial.goal_within}::interval end,
        case when is_over then draw < case when is_holdout then 60 else 170 end end
      from (
        select contact_id, id, state = 'holdout' as is_holdout, entered_at,
          entered_at + ${seriesTrial.goal_within}::interval <= ${now} as is_over,
          ('x' || substr(md5(id::text || 'orders'), 1, 4))::bit(16)::integer % 1000 as draw
        from sequence_entries
        where business_id = ${businessId} and sequence_id = ${sequenceId}
      ) entered
    `),
  )
  await tx.run(
    plannedAnew(sql`
      insert into sequence_steps (business_id, sequence_id, entry_id, step, outcome, message_id,
        done_at)
      select ${businessId}, ${sequenceId}, e.id, steps.step, 'done',
        case when steps.step <> 2 then
          (lpad(to_hex((extract(epoch from e.entered_at + steps.later) * 1000)::bigint), 12, '0')
            || '7' || substr(md5(e.id::text || steps.step), 1, 3) || 'a'
            || substr(md5(e.id::text || steps.step), 4, 15))::uuid end,
        e.entered_at + steps.later
      from sequence_entries e
      join (values (1, interval '0'), (2, interval '0'), (3, interval '3 days'))
        as steps (step, later) on steps.step < 3 or e.state = 'finished'
      where e.state <> 'holdout' and e.business_id = ${businessId} and e.sequence_id = ${sequenceId}
    `),
  )
  await tx.run(
    plannedAnew(sql`
      insert into messages (business_id, id, kind, contact_id, recipient, recipient_mark,
        template_id, template_version_id, state, attempts, due_at, queued_at, created_at,
        updated_at, channel)
      select ${businessId}, s.message_id, 'marketing', e.contact_id, c.email, c.email_mark,
        v.template_id, v.id, 'delivered', 1, s.done_at, s.done_at, s.done_at,
        s.done_at + interval '2 seconds', 'email'
      from sequence_steps s
      join sequence_entries e on e.business_id = ${businessId} and e.sequence_id = ${sequenceId}
        and e.id = s.entry_id
      join contacts c on c.business_id = ${businessId} and c.id = e.contact_id
      join templates t on t.business_id = ${businessId}
        and t.gallery = case when s.step = 1 then 'welcome-1' else 'welcome-2' end
      join template_versions v on v.business_id = ${businessId} and v.template_id = t.id
      where s.business_id = ${businessId} and s.sequence_id = ${sequenceId}
        and s.message_id is not null
    `),
  )
  await tx.run(
    plannedAnew(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, code, words, url,
        machine, created_at)
      select ${businessId}, s.message_id,
        (lpad(to_hex((extract(epoch from s.done_at) * 1000)::bigint + kind.place), 12, '0') || '7'
          || substr(md5(s.message_id::text || kind.type), 1, 3) || 'b'
          || substr(md5(s.message_id::text || kind.type), 4, 15))::uuid,
        kind.type, least(${now}::timestamptz, s.done_at + kind.later), kind.code, kind.words,
        case when kind.type = 'clicked' then 'https://brindlequay.example/favourites' end,
        kind.machine, least(${now}::timestamptz, s.done_at + kind.later)
      from sequence_steps s
      join (values
        (1, 'accepted', interval '1 second', '250', '2.0.0 OK, queued', null::boolean, 1000),
        (2, 'delivered', interval '2 seconds', '2.0.0', null, null, 1000),
        (3, 'opened', interval '3 hours', null, null, false, 540),
        (4, 'clicked', interval '184 minutes', null, null, false, 130)
      ) as kind (place, type, later, code, words, machine, share)
        on ('x' || substr(md5(s.message_id::text), 1, 4))::bit(16)::integer % 1000 < kind.share
          - case when kind.share < 1000 and s.step = 3 then 60 else 0 end
      where s.business_id = ${businessId} and s.sequence_id = ${sequenceId}
        and s.message_id is not null
    `),
  )
}
