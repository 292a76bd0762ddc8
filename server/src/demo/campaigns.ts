/** The campaigns of the demo, one in every state, including one that is being sent. */

import { runJob } from '../campaigns/sending/run-job.ts'
import { type Id, parseId } from '../core/ids.ts'
import { sha256 } from '../lib/crypto/vault.ts'
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
import {
  insertCounts,
  insertFollowers,
  insertLink,
  insertRun,
  insertSeries,
  setDates,
  suppressBounced,
} from './outcome-queries.ts'
import { dropJobs } from './past-queries.ts'
import { contentOf, type DemoCampaign, type Story } from './story.ts'

export interface CampaignScene {
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
