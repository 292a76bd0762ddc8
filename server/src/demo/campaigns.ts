/** The campaigns of the demo, one in every state, including one that is being sent. */
import { runJob } from '../campaigns/sending/run-job.ts'
import { type Id, parseId } from '../core/ids.ts'
import { sha256 } from '../lib/crypto/vault.ts'
import { plannedAnew, sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/enqueue.ts'
import { days, hours, later, minutes } from '../lib/time/clock.ts'
import type { DemoCalls } from './calls.ts'
import {
  insertActivity,
  insertMessageEvents,
  insertMessages,
  insertRecipients,
  type PastCampaign,
} from './campaign-queries.ts'
import { dropJobs } from './past-queries.ts'
import { contentOf, type DemoCampaign, type Story } from './story.ts'

interface CampaignScene {
  db: Database
  calls: DemoCalls
  businessId: Id<'business'>
  story: Story
  now: Date
}

/** Mails per minute of the campaign that is being sent; it continues for half an hour or more. */
const slowly = 90

export async function makeCampaigns(scene: CampaignScene): Promise<void> {
  const { calls, story } = scene
  const site = `https://${story.domain.startsWith('mail.') ? story.domain.slice(5) : story.domain}`
  for (const campaign of story.campaigns) {
    const { campaign_id } = await calls<{ campaign_id: string }>('campaign.generate', {
      channel: 'email',
      name: campaign.name,
      content: contentOf(campaign, site),
      ...(story.topics[0] && campaign.fate === 'draft' && { topic: story.topics[0].topic }),
    })
    const campaignId = parseId('campaign', campaign_id)
    if (!campaignId) throw new Error('a campaign without an id')
    await bringTo(scene, { campaign, campaignId, named: { campaign_id }, url: `${site}/read` })
  }
}

interface RecipientOutcome {
  campaign: DemoCampaign
  campaignId: Id<'campaign'>
  named: { campaign_id: string }
  url: string
}

async function bringTo(scene: CampaignScene, fate: RecipientOutcome): Promise<void> {
  const { calls, story, now } = scene
  const { campaign, named } = fate
  if (campaign.fate === 'sent') {
    if (story.settings['archive']) await calls('campaign.save', { ...named, archive: true })
    return writePast(scene, fate)
  }
  if (campaign.fate === 'scheduled' || campaign.fate === 'cancelled') {
    const send_at = later(now, days(campaign.fate === 'scheduled' ? 3 : 1)).toISOString()
    await calls('campaign.deploy', { ...named, send_at })
    if (campaign.fate === 'cancelled') await calls('campaign.cancel', named)
  }
  if (campaign.fate === 'awaiting_approval') {
    await calls('business.save', { two_people: true })
    await calls('campaign.deploy', named)
  }
  if (campaign.fate === 'sending' || campaign.fate === 'paused') {
    await calls('campaign.deploy', { ...named, throttle_per_minute: slowly })
    await writePast(scene, fate)
    if (campaign.fate === 'paused') await calls('campaign.pause', named)
  }
}

async function writePast(
  scene: CampaignScene,
  { campaign, campaignId, url }: RecipientOutcome,
): Promise<void> {
  const { db, businessId, story, now } = scene
  const { fate, daysAgo = 0, opens = 0, clicks = 0 } = campaign
  const isOver = fate === 'sent'
  const began = later(now, isOver ? -days(daysAgo) : -minutes(fate === 'sending' ? 54 : 26 * 60))
  const past: PastCampaign = {
    businessId,
    campaignId,
    seed: `${story.name} ${campaign.name}`,
    share: isOver ? 1 : fate === 'sending' ? 0.62 : 0.24,
    began,
    until: isOver || fate === 'paused' ? later(began, hours(1)) : now,
    opens,
    clicks,
  }
  const link = { url, hash: sha256(url) }
  await db.tx(async (tx: Tx) => {
    await insertRecipients(tx, past)
    await insertMessages(tx, past)
    await insertMessageEvents(tx, past, { url, now })
    await insertActivity(tx, past, { linkHash: link.hash.subarray(0, 16), now })
    await insertCounts(tx, past)
    await insertSeries(tx, past, now)
    await insertLink(tx, past, link)
    await insertFollowers(tx, past, link.hash)
    await suppressBounced(tx, past)
    const completed = isOver ? later(past.until, minutes(3)) : null
    const state = isOver ? 'completed' : 'deployed'
    await setDates(tx, { businessId, campaignId, state, began, completed })
    if (isOver) return
    await insertRun(tx, past, now)
    // Its audience is frozen already, so the job that freezes it has nothing to do.
    await dropJobs(tx, campaignId)
    await enqueue(tx, [runJob({ businessId, campaignId }, now)], now)
  })
}

function insertCounts(tx: Tx, { businessId, campaignId }: PastCampaign): Promise<number> {
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
function insertSeries(
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

function insertLink(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  { url, hash }: { url: string; hash: Buffer },
): Promise<number> {
  return tx.run(sql`
    insert into campaign_links (business_id, campaign_id, url_hash, url)
    values (${businessId}, ${campaignId}, ${hash}, ${url})
  `)
}

function insertFollowers(
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
function suppressBounced(tx: Tx, { businessId, campaignId, until }: PastCampaign): Promise<number> {
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
function insertRun(tx: Tx, { businessId, campaignId }: PastCampaign, now: Date): Promise<number> {
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

interface CampaignDates {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  state: 'completed' | 'deployed'
  began: Date
  completed: Date | null
}

function setDates(
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
