/** Inserts campaigns and their contacts directly into a database, in any number. */

import { randomBytes } from 'node:crypto'
import type { Audience } from 'crier-server/campaigns/campaign.ts'
import { saveDraft } from 'crier-server/campaigns/draft.ts'
import { lockCampaign, startSending } from 'crier-server/campaigns/sending/transitions.ts'
import { type Id, newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { createTemplates } from 'crier-server/templates/compile.ts'
import { checkContent } from 'crier-server/templates/owned.ts'
import { newBusiness, someOrigin } from './business.ts'

export interface CampaignPlace {
  db: Database
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}

const perStatement = 10_000

/** Adds contacts who agreed to email: `WORD-1@example.com` and so on. */
export async function manyContacts(
  db: Database,
  businessId: Id<'business'>,
  count: number,
): Promise<void> {
  const word = randomBytes(4).toString('hex')
  for (let at = 0; at < count; at += perStatement) {
    const n = Math.min(perStatement, count - at)
    const ids = Array.from({ length: n }, () => newId('contact'))
    await db.run(sql`
      insert into contacts (business_id, id, email, name, attributes, tags, email_consent,
        sms_consent, source, created_at, updated_at)
      select ${businessId}, id, ${word} || '-' || (n + ${at}::int) || '@example.com',
        'Person ' || n, '{}', '{}', 'subscribed', 'none', 'import', ${new Date()}, ${new Date()}
      from unnest(${ids}::uuid[]) with ordinality as new (id, n)
    `)
  }
}

export interface DraftWords {
  subject: string
  html: string
  text?: string
}

const news: DraftWords = {
  subject: 'News, {{ contact.name }}',
  html: '<p>Hello {{ contact.name }}, here is what is new.</p>',
}

/** Creates a draft to `count` contacts of a new business. */
export async function draftIn(
  db: Database,
  count: number,
  words: DraftWords = news,
): Promise<CampaignPlace> {
  const businessId = await newBusiness(db)
  await manyContacts(db, businessId, count)
  return { db, businessId, campaignId: await draftFor(db, businessId, words) }
}

/** Creates a draft, to all contacts of the business unless an audience is given. */
export async function draftFor(
  db: Database,
  businessId: Id<'business'>,
  words: DraftWords = news,
  audience: Audience = {},
): Promise<Id<'campaign'>> {
  const templates = createTemplates()
  const asked = { ...words, channel: 'email' as const, name: 'News' }
  const content = await checkContent({ db, templates }, asked, { businessId })
  await templates.close()
  const campaignId = newId('campaign')
  const now = new Date()
  const draft = { id: campaignId, audience, content, writtenBy: 'caller' as const }
  await db.tx((tx) => saveDraft(tx, businessId, { ...draft, origin: someOrigin(), now }))
  return campaignId
}

/** Starts sending without the plan, the gates and the limit, which have their own tests. */
export async function sendOff({ db, businessId, campaignId }: CampaignPlace): Promise<void> {
  await db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, businessId, campaignId)
    if (!campaign) throw new Error('no such campaign')
    await tx.run(sql`update businesses set deploy_limit = null where id = ${businessId}`)
    await startSending(tx, campaign, { businessId }, new Date())
  })
}

/** Recipients by state and reason: `{ sent: 98, 'skipped:unsubscribed': 2 }`. */
export async function standings({
  db,
  campaignId,
}: Pick<CampaignPlace, 'db' | 'campaignId'>): Promise<Record<string, number>> {
  const rows = await db.all<{ name: string; n: number }>(sql`
    select case when state = 'skipped' then state || ':' || reason else state end as name,
      count(*)::int as n
    from campaign_recipients where campaign_id = ${campaignId} group by name order by name
  `)
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

export async function stateOf({ db, campaignId }: CampaignPlace): Promise<string> {
  const { state } = await db.one<{ state: string }>(sql`
    select state from campaigns where id = ${campaignId}
  `)
  return state
}
