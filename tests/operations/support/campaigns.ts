/** Campaigns in every state, as many as the walks need, since each action uses one up. */

import type { CampaignState } from 'crier-server/campaigns/campaign.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'

/** Enough for walks that make every call as everybody; other tests use fewer. */
const campaignsPerState = 120

type Pool = Map<CampaignState, string[]>

const pools = new Map<string, Pool>()

/** Copies of a draft, in the states that months of use would leave. */
export async function fillPool(
  db: Db,
  businessId: Id<'business'>,
  draft: Id<'campaign'>,
  perState = campaignsPerState,
): Promise<void> {
  const pool: Pool = new Map()
  for (const state of ['draft', 'scheduled', 'awaiting_approval', 'deployed', 'paused'] as const) {
    const ids = Array.from({ length: perState }, () => newId('campaign'))
    await copy(db, { businessId, draft, state, ids })
    if (state === 'deployed') await addRecipients(db, businessId, ids)
    pool.set(
      state,
      ids.map((id) => formatId('campaign', id)),
    )
  }
  pools.set(formatId('business', businessId), pool)
}

/** Returns a campaign of the business in this state that no call has used yet. */
export function freshCampaign(business_id: string, state: CampaignState): string {
  const campaign_id = pools.get(business_id)?.get(state)?.shift()
  if (campaign_id === undefined)
    throw new Error(`no ${state} campaign is left: ask for more of them`)
  return campaign_id
}

/** The state that a campaign needs for the operation; a draft for all others. */
const states: Record<string, CampaignState> = {
  'campaign.pause': 'deployed',
  'campaign.resume': 'paused',
  'campaign.cancel': 'deployed',
  'campaign.unschedule': 'scheduled',
  'campaign.resend': 'deployed',
}

export const stateFor = (operation: string): CampaignState => states[operation] ?? 'draft'

interface Copies {
  businessId: Id<'business'>
  draft: Id<'campaign'>
  state: CampaignState
  ids: Id<'campaign'>[]
}

async function copy(db: Db, { businessId, draft, state, ids }: Copies): Promise<void> {
  await db.run(sql`
    insert into campaigns (business_id, id, name, channel, state, audience, version, written_by,
      zone_mode, recipients, created_at, updated_at)
    select business_id, copy.id, name, channel, ${state}, audience, version, written_by,
      zone_mode, 0, created_at, updated_at
    from campaigns c cross join unnest(${ids}::uuid[]) as copy (id)
    where c.business_id = ${businessId} and c.id = ${draft}
  `)
  await db.run(sql`
    insert into campaign_variants (business_id, campaign_id, position, template_id,
      template_version_id, share, subject)
    select business_id, copy.id, position, template_id, template_version_id, share, subject
    from campaign_variants v cross join unnest(${ids}::uuid[]) as copy (id)
    where v.business_id = ${businessId} and v.campaign_id = ${draft}
  `)
}

/** Adds two of the business's contacts as recipients to whom nothing was sent. */
async function addRecipients(db: Db, businessId: Id<'business'>, campaigns: Id<'campaign'>[]) {
  await db.run(sql`
    insert into campaign_recipients (business_id, campaign_id, contact_id, state, reason,
      updated_at)
    select ${businessId}, campaign.id, contact.id, 'skipped', 'not_subscribed', ${new Date()}
    from unnest(${campaigns}::uuid[]) as campaign (id)
    cross join (select id from contacts where business_id = ${businessId} limit 2) contact
  `)
}
