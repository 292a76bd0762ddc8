/** Statements that count a campaign's past, and set the state that it reached. */

import type { Id } from '../core/ids.ts'
import { plannedAnew, sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import type { PastCampaign } from './campaign-queries.ts'

export function insertCounts(tx: Tx, { businessId, campaignId }: PastCampaign): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into campaign_counts (business_id, campaign_id, variant, metric, amount, slot)
      select ${businessId}, ${campaignId}, 0, metric, count(*), 0
      from campaign_recipients r, lateral (values
        (case when r.state in ('delivered', 'bounced') then 'sent' end),
        (case when r.state in ('delivered', 'bounced') then r.state end),
        (case when r.state = 'skipped' then 'skipped:' || r.reason end),
        (case when r.marks & 1 > 0 then 'opened' end),
        (case when r.marks & 2 > 0 then 'opened_by_machine' end),
        (case when r.marks & 4 > 0 then 'clicked' end),
        (case when r.marks & 32 > 0 then 'unsubscribed' end)
      ) as counted (metric)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and metric is not null
      group by metric
    `),
  )
}

/** In steps of ten minutes. People open and click over two days, most of them at first. */
export function insertSeries(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  now: Date,
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into campaign_series (business_id, campaign_id, at, metric, slot, amount)
      select ${businessId}, ${campaignId},
        to_timestamp(floor(extract(epoch from least(${now}::timestamptz, at)) / 600) * 600),
        metric, 0, count(*)
      from campaign_recipients r, lateral (values
        ('sent', r.updated_at, r.state in ('delivered', 'bounced')),
        ('delivered', r.updated_at, r.state = 'delivered'),
        ('bounced', r.updated_at, r.state = 'bounced'),
        ('opened', r.updated_at + interval '1 hour' * power(
          get_byte(uuid_send(r.message_id), 15) / 40.0, 2), r.marks & 1 > 0),
        ('clicked', r.updated_at + interval '1 hour' * power(
          get_byte(uuid_send(r.message_id), 15) / 40.0, 2), r.marks & 4 > 0)
      ) as counted (metric, at, counts)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId} and counts
      group by 3, 4
    `),
  )
}

export function insertLink(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  { url, hash }: { url: string; hash: Buffer },
): Promise<number> {
  return tx.run(sql`
    insert into campaign_links (business_id, campaign_id, url_hash, url)
    values (${businessId}, ${campaignId}, ${hash}, ${url})
  `)
}

export function insertFollowers(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  hash: Buffer,
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
      select ${businessId}, ${campaignId}, ${hash}, contact_id, false from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId} and marks & 4 > 0
    `),
  )
}

/** Suppresses addresses that do not exist. */
export function suppressBounced(
  tx: Tx,
  { businessId, campaignId, until }: PastCampaign,
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
      select ${businessId}, 'email', c.email_mark, 'bounce', 'report', ${until}
      from campaign_recipients r
      join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.state = 'bounced'
      on conflict do nothing
    `),
  )
}

/** Writes the run as a worker would have left it, so that a worker continues from there. */
export function insertRun(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  now: Date,
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into campaign_runs (business_id, campaign_id, freeze_end, frozen_to, recipients,
        taken_to, taken, ended_to, canary, tokens, paced_at, brake_from, updated_at, asked_at)
      select ${businessId}, ${campaignId}, all_of.last, all_of.last, all_of.recipients,
        all_of.reached, all_of.taken, all_of.reached, 0, 0, ${now},
        '{"sent":0,"bounced":0,"complained":0}', ${now}, ${now}
      from (
        select max(contact_id::text)::uuid as last,
          count(*) filter (where state <> 'skipped') as recipients,
          max(contact_id::text) filter (where message_id is not null)::uuid as reached,
          count(*) filter (where message_id is not null) as taken
        from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
      ) all_of
    `),
  )
}

export interface CampaignDates {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  state: 'completed' | 'deployed'
  began: Date
  completed: Date | null
}

export function setDates(
  tx: Tx,
  { businessId, campaignId, state, began, completed }: CampaignDates,
): Promise<number> {
  return tx.run(sql`
    update campaigns set state = ${state}, deployed_at = ${began}, frozen_at = ${began},
      completed_at = ${completed}, updated_at = coalesce(${completed}::timestamptz, ${began}),
      created_at = ${began}::timestamptz - interval '2 hours', approval = 'approved',
      recipients = (
        select count(*) from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
          and state <> 'skipped'
      )
    where business_id = ${businessId} and id = ${campaignId}
  `)
}
