/** Campaigns that are sent over a relay of the test's choice, and their results. */

import { parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { OwnTestbed } from '../../operations/support/testbed.ts'
import type { ServiceOptions } from '../processes/service.ts'
import { eventually } from '../time/eventually.ts'
import { type CampaignPlace, manyContacts, stateOf } from './campaign-drafts.ts'
import { campaignScene } from './campaigns.ts'

/** Settings of a service that sends campaigns to a relay. */
export function relaySettings(smtpUrl: string, more: ServiceOptions['settings'] = {}) {
  const from = { SENDER_GATE: 'off', MAIL_FROM: 'Shop <hello@shop.example>' }
  return { settings: { SMTP_URL: smtpUrl, CANARY_SECONDS: '0', ...from, ...more } }
}

export interface Running extends CampaignPlace {
  /** The formatted id. */
  name: string
  scene: Awaited<ReturnType<typeof campaignScene>>
}

/** Creates a draft to `count` contacts of a new business. */
export async function draftTo(
  testbed: OwnTestbed,
  count: number,
  input: object = {},
): Promise<Running> {
  const scene = await campaignScene(testbed)
  await manyContacts(testbed.db, scene.businessId, count)
  const { campaign_id: name } = await scene.draft(input)
  const campaignId = parseId('campaign', name)
  if (!campaignId) throw new Error(`no campaign: ${name}`)
  return { db: testbed.db, businessId: scene.businessId, campaignId, name, scene }
}

export async function countsOf({ db, campaignId }: CampaignPlace): Promise<Record<string, number>> {
  const rows = await db.all<{ metric: string; amount: number }>(sql`
    select metric, sum(amount)::int as amount from campaign_counts
    where campaign_id = ${campaignId} group by metric having sum(amount) <> 0 order by metric
  `)
  return Object.fromEntries(rows.map(({ metric, amount }) => [metric, amount]))
}

/** Waits for a state, and returns the state at the end. */
export function awaitState(running: CampaignPlace, state: string, ms?: number): Promise<string> {
  return eventually(
    () => stateOf(running),
    (now) => now === state,
    ms,
  )
}
