/**
 * A mail that asks for permission says that who does nothing gets no more news. Three weeks later that
 * is done: whoever got it and has not said yes since is taken out of marketing by email. A yes is a
 * consent on record, so it does not matter whether opens and clicks of the person are recorded.
 */
import { saveContacts } from '../../contacts/save.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue, type Job, type Verdict } from '../../lib/jobs/job.ts'
import { days, later } from '../../lib/time/clock.ts'
import type { RunKey } from '../campaign-run.ts'
import { answerDays } from '../preflight/gates/all.ts'
import type { CampaignPayload } from './campaign-job.ts'
import { keyOf, runInTick, type TickDeps } from './campaign-job.ts'

export const silenceJob = 'campaign.silence'

/** People per tick, each with their consent, event and activity. */
const perTick = 200
/** A campaign that is paused for longer than this is not waited for. */
const longestWait = days(120)

/** Queued when a campaign that asks for permission begins to send. */
export async function queueSilence(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  now: Date,
): Promise<void> {
  if (!(await asksForPermission(tx, { businessId, campaignId }))) return
  const payload: CampaignPayload = { business_id: businessId, campaign_id: campaignId }
  const dueAt = later(now, days(answerDays))
  await enqueue(tx, [{ kind: silenceJob, businessId, lane: campaignId, payload, dueAt }], now)
}

/** Takes some of the silent out of marketing, and runs again until all had their three weeks. */
export function silenceTick(
  deps: TickDeps & { hmac: Hmac },
  job: Job<CampaignPayload>,
): Promise<Verdict> {
  const key = keyOf(job)
  return runInTick(deps, job, async (tx, now) => {
    const campaign = await findAsking(tx, key)
    if (!campaign) return { outcome: 'done' }
    const askedUntil = later(now, -days(answerDays))
    const people = await findSilent(tx, key, { askedUntil, limit: perTick })
    await takeOut(tx, key, { campaign, people, hmac: deps.hmac, now })
    if (people.length === perTick) return { outcome: 'again', at: now }
    const next = await nextAsked(tx, key, askedUntil)
    if (next) return { outcome: 'again', at: later(next, days(answerDays)) }
    const isGoingOn = campaign.state === 'deployed' || campaign.state === 'paused'
    const isRecent = campaign.frozenAt !== null && later(campaign.frozenAt, longestWait) > now
    return isGoingOn && isRecent
      ? { outcome: 'again', at: later(now, days(1)) }
      : { outcome: 'done' }
  })
}

async function asksForPermission(tx: Tx, { businessId, campaignId }: RunKey): Promise<boolean> {
  const { asks } = await tx.one<{ asks: boolean }>(sql`
    select exists (
      select from campaign_variants v
      join templates t on t.business_id = v.business_id and t.id = v.template_id
      where v.business_id = ${businessId} and v.campaign_id = ${campaignId}
        and t.gallery = 're-permission'
    ) as asks
  `)
  return asks
}

interface AskingCampaign {
  name: string
  state: string
  frozenAt: Date | null
  tier: 'free' | 'growth' | 'scale'
}

function findAsking(
  tx: Tx,
  { businessId, campaignId }: RunKey,
): Promise<AskingCampaign | undefined> {
  return tx.maybe<AskingCampaign>(sql`
    select c.name, c.state, c.frozen_at as "frozenAt", b.tier
    from campaigns c join businesses b on b.id = c.business_id
    where c.business_id = ${businessId} and c.id = ${campaignId}
  `)
}

interface Silent {
  id: Id<'contact'>
  email: string
}

/** Who got the mail at least three weeks ago, still gets marketing, and has not said yes since. */
function findSilent(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { askedUntil, limit }: { askedUntil: Date; limit: number },
): Promise<Silent[]> {
  return tx.all<Silent>(sql`
    select c.id, c.email from contacts c
    join contact_activity a on a.business_id = c.business_id and a.contact_id = c.id
      and a.campaign_id = ${campaignId} and a.type = 'message.sent'
    left join messages m on m.business_id = a.business_id and m.id = a.message_id
    where c.business_id = ${businessId} and a.business_id = ${businessId}
      and a.created_at <= ${askedUntil} and c.email is not null and c.email_consent = 'subscribed'
      and coalesce(m.state, 'accepted') in ('accepted', 'delivered')
      and not exists (
        select from consent_events e
        where e.business_id = ${businessId} and e.contact_id = c.id and e.channel = 'email'
          and e.action = 'subscribed' and e.created_at >= a.created_at
      )
    order by c.id limit ${limit}
    for update of c
  `)
}

async function nextAsked(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  askedUntil: Date,
): Promise<Date | null> {
  const { next } = await tx.one<{ next: Date | null }>(sql`
    select min(created_at) as next from contact_activity
    where business_id = ${businessId} and campaign_id = ${campaignId} and type = 'message.sent'
      and created_at > ${askedUntil}
  `)
  return next
}

interface TakingOut {
  campaign: AskingCampaign
  people: readonly Silent[]
  hmac: Hmac
  now: Date
}

/** By the path that every change of a contact takes. The person can come back at any time. */
async function takeOut(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { campaign, people, hmac, now }: TakingOut,
): Promise<void> {
  if (people.length === 0) return
  const source = `no answer within ${answerDays} days to ${formatId('campaign', campaignId)}, which asked for permission: ${campaign.name}`
  const origin = { connectionId: null, callId: formatId('request', newId('request')) }
  const items = people.map(({ email }) => ({
    businessId,
    tier: campaign.tier,
    hmac,
    source: 'api' as const,
    origin,
    email,
    consent: { email: { status: 'unsubscribed' as const, source } },
  }))
  await saveContacts.save(tx, items, now)
}
