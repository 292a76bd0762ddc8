/**
 * Deletes who got a campaign that ended long ago. Its totals, its series over time and how many
 * people followed each link stay.
 */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

interface OldCampaigns {
  businessId: Id<'business'>
  /** Campaigns that ended before this are old. */
  before: Date
  limit: number
}

/** How many recipients the campaigns had, up to the limit. */
export async function countOldRecipients(
  db: Db,
  { businessId, before, limit }: OldCampaigns,
): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from (
      select from campaigns c
      join campaign_recipients r on r.business_id = ${businessId} and r.campaign_id = c.id
      where c.business_id = ${businessId} and c.state in ('completed', 'cancelled')
        and coalesce(c.completed_at, c.cancelled_at) < ${before}
        and c.recipients_deleted_at is null
      limit ${limit}
    ) old
  `)
  return n
}

/** Deletes some recipients of the next such campaign. `isLast`: there is none left. */
export async function deleteOldRecipients(
  tx: Tx,
  old: OldCampaigns,
  now: Date,
): Promise<{ count: number; isLast: boolean }> {
  const { businessId, limit } = old
  const campaign = await lockNext(tx, old)
  if (!campaign) return { count: 0, isLast: true }
  const of = { businessId, campaignId: campaign.id, limit }
  const count = await deleteRecipients(tx, of)
  const visits = await deleteLinkPeople(tx, of)
  if (count < limit && visits < limit) await markDeleted(tx, of, now)
  return { count, isLast: false }
}

function lockNext(
  tx: Tx,
  { businessId, before }: OldCampaigns,
): Promise<{ id: Id<'campaign'> } | undefined> {
  return tx.maybe(sql`
    select id from campaigns
    where business_id = ${businessId} and state in ('completed', 'cancelled')
      and coalesce(completed_at, cancelled_at) < ${before} and recipients_deleted_at is null
    order by id limit 1 for no key update
  `)
}

interface OfCampaign {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  limit: number
}

function deleteRecipients(tx: Tx, { businessId, campaignId, limit }: OfCampaign): Promise<number> {
  return tx.run(sql`
    delete from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId} and contact_id in (
      select contact_id from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
      order by contact_id limit ${limit}
    )
  `)
}

async function deleteLinkPeople(
  tx: Tx,
  { businessId, campaignId, limit }: OfCampaign,
): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    with deleted as (
      delete from campaign_link_people
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and (url_hash, contact_id, machine) in (
          select url_hash, contact_id, machine from campaign_link_people
          where business_id = ${businessId} and campaign_id = ${campaignId}
          order by url_hash, contact_id, machine limit ${limit}
        )
      returning url_hash, machine
    ), counted as (
      update campaign_links l
      set people = l.people + followed.people, machines = l.machines + followed.machines
      from (
        select url_hash, count(*) filter (where not machine) as people,
          count(*) filter (where machine) as machines
        from deleted group by url_hash
      ) followed
      where l.business_id = ${businessId} and l.campaign_id = ${campaignId}
        and l.url_hash = followed.url_hash
    )
    select count(*)::int as n from deleted
  `)
  return n
}

function markDeleted(tx: Tx, { businessId, campaignId }: OfCampaign, now: Date): Promise<number> {
  return tx.run(sql`
    update campaigns set recipients_deleted_at = ${now}
    where business_id = ${businessId} and id = ${campaignId}
  `)
}
