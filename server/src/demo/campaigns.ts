/** The campaigns of the demo, one in every state, including one that is being sent. */
import { linkHash } from '../campaigns/results/links.ts'
import { runJob } from '../campaigns/sending/campaign-job.ts'
import { type Id, parseId } from '../core/ids.ts'
import { plannedAnew, sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { days, hours, later, minutes } from '../lib/time/clock.ts'
import type { DemoCalls } from './calls.ts'
import { dropJobs } from './past-queries.ts'
import { contentOf, type DemoCampaign, type Story } from './story.ts'

interface CampaignScene {
  db: Database
  calls: DemoCalls
  businessId: Id<'business'>
  story: Story
  pictures: DemoPictures
  now: Date
}

/** The addresses of a brand's pictures and what they show, by their names. */
export type DemoPictures = Record<string, { src: string; alt: string }>

/** Mails per minute of the campaign that is being sent; it continues for half an hour or more. */
const slowly = 90

export async function makeCampaigns(scene: CampaignScene): Promise<void> {
  const { calls, story, pictures } = scene
  const site = `https://${story.domain.startsWith('mail.') ? story.domain.slice(5) : story.domain}`
  for (const campaign of story.campaigns) {
    const { campaign_id } = await calls<{ campaign_id: string }>('campaign.generate', {
      channel: 'email',
      name: campaign.name,
      content: contentOf(campaign, { site, pictures }),
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
  const link = { url, hash: linkHash(url) }
  await db.tx(async (tx: Tx) => {
    await insertRecipients(tx, past)
    await insertMessages(tx, past)
    await insertMessageEvents(tx, past, { url, now })
    await insertActivity(tx, past, { linkHash: link.hash, now })
    await insertCounts(tx, past)
    await insertSeries(tx, past, now)
    await insertLink(tx, past, link)
    await insertFollowers(tx, past, { hash: link.hash, share: 256 })
    const shop = url.replace('/read', '/shop')
    const second = { url: shop, hash: linkHash(shop) }
    await insertLink(tx, past, second)
    await insertFollowers(tx, past, { hash: second.hash, share: 70 })
    await suppressBounced(tx, past)
    const completed = isOver ? later(past.until, minutes(3)) : null
    const state = isOver ? 'completed' : 'deployed'
    await setDates(tx, { businessId, campaignId, state, began, completed })
    if (isOver) return
    await insertRun(tx, past, now)
    // Its audience is frozen already, so the job that freezes it has nothing to do.
    await dropJobs(tx, businessId, campaignId)
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

/** About `share` in 256 of those who clicked also clicked this link. */
function insertFollowers(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  { hash, share }: { hash: Buffer; share: number },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
      select ${businessId}, ${campaignId}, ${hash}, contact_id, false from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId} and marks & 4 > 0
        and get_byte(uuid_send(message_id), 14) < ${share}::integer
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

interface PastCampaign {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  /** The seed of the random draws. */
  seed: string
  /** The share of its recipients who have been sent it so far. */
  share: number
  began: Date
  /** When it was sent to the last of these recipients. */
  until: Date
  /** Per thousand. */
  opens: number
  clicks: number
}

/**
 * Each contact as a recipient, in the order of a real campaign. A draw from 0 to 999 for each
 * possible event depends only on the address, so that every demo is the same.
 */
function insertRecipients(tx: Tx, past: PastCampaign): Promise<number> {
  const { businessId, campaignId, seed, share, began, until, opens, clicks } = past
  return tx.run(
    plannedAnew(sql`
      insert into campaign_recipients (business_id, campaign_id, contact_id, state, reason, variant,
        message_id, updated_at, marks)
      select ${businessId}, ${campaignId}, id,
        case when refused is not null then 'skipped' when not reached then 'pending'
          when bounces then 'bounced' else 'delivered' end,
        coalesce(refused, case when reached and bounces then '5.1.1' end),
        case when refused is null then 0 end,
        case when refused is null and reached then (
          lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
          || '7' || substr(digest, 1, 3) || 'a' || substr(digest, 4, 15))::uuid end,
        case when refused is null and reached then at else ${began}::timestamptz end,
        case when refused is not null or not reached or bounces then 0 else
          case when opened < ${opens}::integer then 1 else 0 end
          + case when opened between 600 and 780 then 2 else 0 end
          + case when opened < ${clicks}::integer then 4 else 0 end
          + case when opened between 990 and 996 then 32 else 0 end end
      from (
        select *, turn <= ${share}::float8 * everybody as reached,
          ${began}::timestamptz + (${until}::timestamptz - ${began}::timestamptz)
            * (turn / greatest(1, ${share}::float8 * everybody)) as at
        from (
          select c.id, refused, digest,
            ('x' || substr(digest, 20, 4))::bit(16)::integer % 1000 as opened,
            ('x' || substr(digest, 26, 4))::bit(16)::integer % 1000 < 8 as bounces,
            count(*) filter (where refused is null) over (order by c.id) as turn,
            count(*) filter (where refused is null) over () as everybody
          from (
            select id, md5(email || ${seed}::text) as digest,
              case when email_consent <> 'subscribed' then 'not_subscribed'
                when exists (
                  select from suppressions s where s.business_id = ${businessId}
                    and s.channel = 'email' and s.address_hmac = contacts.email_mark
                ) then 'invalid' end as refused
            from contacts
            where business_id = ${businessId} and email is not null
              and created_at <= ${until}
          ) c
        ) ordered
      ) turned
    `),
  )
}

/** A message for each recipient who was sent the campaign. */
function insertMessages(tx: Tx, { businessId, campaignId }: PastCampaign): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into messages (business_id, id, kind, contact_id, recipient, recipient_mark,
        template_id, template_version_id, state, attempts, due_at, queued_at, created_at,
        updated_at, channel, campaign_id)
      select ${businessId}, r.message_id, 'marketing', r.contact_id, c.email, c.email_mark,
        v.template_id, v.template_version_id, r.state, 1, r.updated_at, r.updated_at,
        r.updated_at, r.updated_at + interval '2 seconds', 'email', ${campaignId}
      from campaign_recipients r
      join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
      join campaign_variants v on v.business_id = ${businessId} and v.campaign_id = ${campaignId}
        and v.position = 0
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.message_id is not null
    `),
  )
}

/** The events of each message, by the marks of its recipient. */
function insertMessageEvents(
  tx: Tx,
  { businessId, campaignId, until }: PastCampaign,
  { url, now }: { url: string; now: Date },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, code, words, url,
        machine, created_at)
      select ${businessId}, r.message_id,
        (lpad(to_hex((extract(epoch from r.updated_at) * 1000)::bigint + kind.place), 12, '0') || '7'
          || substr(md5(r.message_id::text || kind.type), 1, 3) || 'b'
          || substr(md5(r.message_id::text || kind.type), 4, 15))::uuid,
        kind.type, least(${now}::timestamptz, r.updated_at + kind.later), kind.code, kind.words,
        case when kind.type = 'clicked' then ${url}::text end, kind.machine,
        least(${now}::timestamptz, r.updated_at + kind.later)
      from campaign_recipients r
      join (values
        (1, 'accepted', interval '1 second', '250', '2.0.0 OK, queued', null::boolean, 0),
        (2, 'delivered', interval '2 seconds', '2.0.0', null, null, 0),
        (3, 'bounced', interval '2 seconds', '5.1.1', '550 5.1.1 no such user here', null, 0),
        (4, 'opened', interval '35 seconds', null, null, true, 2),
        (5, 'opened', interval '3 hours', null, null, false, 1),
        (6, 'clicked', interval '184 minutes', null, null, false, 4)
      ) as kind (place, type, later, code, words, machine, mark)
        on (kind.type = 'accepted')
          or (kind.type = r.state)
          or (kind.mark > 0 and r.marks & kind.mark > 0)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.message_id is not null
        and (kind.mark = 0 or r.updated_at + kind.later < ${now} or ${until} < ${now})
    `),
  )
}

/** The same events on the timelines of the contacts. */
function insertActivity(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  { linkHash, now }: { linkHash: Buffer; now: Date },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into contact_activity (business_id, contact_id, id, type, details, created_at,
        message_id, campaign_id, channel, link_hash, machine)
      select ${businessId}, r.contact_id,
        (lpad(to_hex((extract(epoch from r.updated_at) * 1000)::bigint + kind.place), 12, '0') || '7'
          || substr(md5(r.message_id::text || kind.type), 1, 3) || 'c'
          || substr(md5(r.message_id::text || kind.type), 4, 15))::uuid,
        kind.type, '{}', least(${now}::timestamptz, r.updated_at + kind.later),
        r.message_id, ${campaignId}, 'email',
        case when kind.mark = 4 then ${linkHash}::bytea end, kind.machine
      from campaign_recipients r
      join (values
        (1, 'message.sent', interval '0', 'any', 0, null::boolean),
        (2, 'message.bounced', interval '2 seconds', 'bounced', 0, null),
        (3, 'message.opened', interval '3 hours', 'delivered', 1, false),
        (4, 'message.clicked', interval '184 minutes', 'delivered', 4, false)
      ) as kind (place, type, later, state, mark, machine)
        on (kind.state = 'any' or kind.state = r.state)
          and (kind.mark = 0 or r.marks & kind.mark > 0)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.message_id is not null
    `),
  )
}
