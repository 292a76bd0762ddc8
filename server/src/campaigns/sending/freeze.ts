/**
 * The freeze stores a row for everybody of the audience, with the reason for those who get nothing,
 * one range of contacts per tick. A tick is one transaction with its job, so an interrupted freeze
 * continues where it stopped.
 */

import { markAddresses } from '../../contacts/suppressions/hash-addresses.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { highestId } from '../../core/paging.ts'
import { plannedAnew, replanned, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { enqueue, type Job, type Verdict } from '../../lib/jobs/job.ts'
import { days, later } from '../../lib/time/clock.ts'
import type { RouteFactsOf } from '../../messages/relays/route-facts.ts'
import type { WarmUpOf } from '../../sender-domains/model/warm-up.ts'
import type { Senders } from '../../sender-domains/senders/senders.ts'
import { leftThisMonth } from '../../usage/reserve.ts'
import { findTest } from '../ab-test/variant-test.ts'
import { queueApprovalMails } from '../approvals/mail.ts'
import {
  type AudienceAsked,
  audienceRows,
  type Exclusion,
  type IdRange,
  plannedFor,
  rangeEnd,
} from '../audience/audience.ts'
import { type Clocks, clocksOf, isByClock } from '../audience/clocks.ts'
import { asPlanned } from '../audience/whole.ts'
import { findVariants, sourceOf } from '../campaign.ts'
import {
  findRun,
  insertRun,
  lockRunning,
  markFrozen,
  type Run,
  type RunKey,
  type RunningCampaign,
  saveRun,
} from '../campaign-run.ts'
import { withinMandate } from '../mandates/judge-campaign.ts'
import { type Mandate, mandateOfOrder, takePeople } from '../mandates/mandate.ts'
import { goesToReadersFirst } from '../preflight/warm-up.ts'
import { addCounts } from '../results/outcomes.ts'
import { holdFrozen, isCovered } from './approval-allowance.ts'
import { type CampaignPayload, keyOf, runInTick, runJob, type TickDeps } from './campaign-job.ts'
import { canaryOf } from './pace.ts'
import { queueSilence } from './silence.ts'
import { enterState, pauseCampaign } from './transitions.ts'

export interface FreezeDeps extends TickDeps {
  hmac: Hmac
  /** Starts the template threads, which takes about as long as the freeze. */
  templates: { warm(): void }
  senders: Senders
  warmUpOf: WarmUpOf
  routeOf: RouteFactsOf
}

/** Contacts per tick: a tenth of a second's work, and some megabytes on the database server. */
const perTick = 10_000

export async function freezeTick(deps: FreezeDeps, job: Job<CampaignPayload>): Promise<Verdict> {
  const key = keyOf(job)
  deps.templates.warm()
  await markAddresses(deps.db, deps.hmac, key.businessId)
  const readersFirst = await goesToReadersFirst(deps, key.businessId)
  const routes = {
    email: await deps.routeOf(key.businessId, 'email'),
    sms: await deps.routeOf(key.businessId, 'sms'),
  }
  return runInTick(deps, job, async (tx, now) => {
    const running = await lockRunning(tx, key)
    if (!running || running.frozenAt || !isGoingOn(running)) return { outcome: 'done' }
    const mandate = await mandateOfOrder(tx, key.businessId, key.campaignId)
    const filter = mandate ? withinMandate(running.filter, mandate) : running.filter
    const campaign = { ...running, filter }
    const run = (await findRun(tx, key)) ?? (await openRun(tx, key, campaign, now))
    const next = run && (await freezeRange(tx, key, { campaign, run, readersFirst, now }))
    if (next && next.frozenTo !== next.freezeEnd) return { outcome: 'again', at: now }
    const recipients = next?.recipients ?? 0
    if (next) await saveRun(tx, key, { ...next, canary: canaryOf(recipients) }, now)
    await markFrozen(tx, key, { recipients, route: routes[campaign.channel] }, now)
    await holdRecipients(tx, key, { campaign, mandate, recipients, now })
    await queueSilence(tx, key, now)
    await enqueue(tx, [runJob(key, now)], now)
    return { outcome: 'done' }
  })
}

/** A paused campaign is frozen too: a pause stops only the sending. */
const isGoingOn = ({ state }: RunningCampaign) => state === 'deployed' || state === 'paused'

/** Undefined if the business has no contacts at all. */
async function openRun(
  tx: Tx,
  key: RunKey,
  { channel, tier, units }: RunningCampaign,
  now: Date,
): Promise<Run | undefined> {
  const { businessId } = key
  const newest = await newestContact(tx, businessId)
  if (!newest) return undefined
  const metric = channel === 'email' ? 'emails' : 'sms'
  const remaining = await leftThisMonth(tx, { businessId, tier, metric, now })
  const quotaLeft = remaining === null ? null : Math.floor(remaining / units)
  const autoPauseFrom = { sent: 0, silent: 0, bounced: 0, complained: 0 }
  await insertRun(tx, key, { freezeEnd: newest.id, quotaLeft, autoPauseFrom }, now)
  return findRun(tx, key)
}

function newestContact(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ id: Id<'contact'> } | undefined> {
  return db.maybe(sql`
    select id from contacts where business_id = ${businessId} order by id desc limit 1
  `)
}

interface Range {
  campaign: RunningCampaign
  run: Run
  readersFirst: boolean
  now: Date
}

async function freezeRange(
  tx: Tx,
  key: RunKey,
  { campaign, run, readersFirst, now }: Range,
): Promise<Run> {
  const { businessId, campaignId } = key
  const { channel, topic, filter, timeZone: zone } = campaign
  const audience = asPlanned(campaign.audience, filter)
  const end = await rangeEnd(tx, businessId, { after: run.frozenTo, size: perTick })
  const upTo = end && end.id < run.freezeEnd ? end.id : run.freezeEnd
  const range = { after: run.frozenTo, upTo }
  const request = {
    businessId,
    campaignId,
    channel,
    topic,
    audience,
    range,
    now: run.askedAt ?? now,
    zone,
    source: sourceOf(campaign),
  }
  const counts = await insertRecipients(tx, {
    ...request,
    ...(await hoursOf(tx, businessId, { campaign, range })),
    quota: run.quotaLeft,
    ...(await sharesOf(tx, key)),
  })
  if (readersFirst && channel === 'email') {
    await putReadersFirst(tx, { businessId, campaignId, range }, now)
  }
  const chosen = counts.find(({ reason }) => reason === null)?.count ?? 0
  await addCounts(
    tx,
    counts.flatMap(({ reason, count: amount }) =>
      reason === null
        ? []
        : [{ businessId, campaignId, variant: 0, metric: `skipped:${reason}`, amount }],
    ),
  )
  const next = {
    ...run,
    frozenTo: upTo,
    recipients: run.recipients + chosen,
    quotaLeft: run.quotaLeft === null ? null : Math.max(0, run.quotaLeft - chosen),
  }
  await saveRun(tx, key, next, now)
  return next
}

/**
 * Puts those of a range first who opened or clicked within 90 days: whoever clicked, then whoever
 * opened, the latest first. They get a time that is long past, and recipients with a time are
 * dispatched before the others, in its order.
 */
function putReadersFirst(
  tx: Tx,
  {
    businessId,
    campaignId,
    range,
  }: { businessId: Id<'business'>; campaignId: Id<'campaign'>; range: IdRange },
  now: Date,
): Promise<number> {
  const since = later(now, -days(readDays))
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r set due_at = timestamptz 'epoch' + read.behind
      from (
        select contact_id, min(${now}::timestamptz - created_at
          + case type when 'message.opened' then interval '90 days' else interval '0' end) as behind
        from contact_activity
        where business_id = ${businessId} and type in ('message.opened', 'message.clicked')
          and created_at >= ${since} and machine is not true
          and contact_id > ${range.after ?? oldest} and contact_id <= ${range.upTo ?? highestId}
        group by contact_id
      ) read
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.contact_id = read.contact_id and r.state = 'pending' and r.due_at is null
    `),
  )
}

const oldest = '00000000-0000-0000-0000-000000000000'

/** For how many days somebody who opened or clicked counts as a reader. */
const readDays = 90

interface FrozenRange extends AudienceAsked {
  campaignId: Id<'campaign'>
  /** The time for each zone, and for all others; null for at once. */
  clocks: { zone: string; at: Date }[]
  otherwise: Date | null
  /** The shares of the variants; a variant without a share gets no recipients yet. */
  shares: { position: number; share: number }[]
  /**
   * The number of parts that the shares are counted in; recipients beyond all shares wait for the
   * winner of a test.
   */
  parts: number
}

interface FrozenCount {
  reason: Exclusion | null
  count: number
}

/**
 * Freezes a range; repeating it writes nothing. Returns the counts of recipients and of exclusions
 * by reason.
 */
export function insertRecipients(tx: Tx, range: FrozenRange): Promise<FrozenCount[]> {
  const { businessId, campaignId, clocks, otherwise, shares, parts, now } = range
  const ends = shares.map((_, i) =>
    shares.slice(0, i + 1).reduce((sum, share) => sum + share.share, 0),
  )
  const statement = sqlWithin`
    with shares as (
      select * from unnest(
        ${shares.map((share) => share.position)}::smallint[], ${ends}::int[]
      ) as given (position, part_end)
    ), frozen as (
      insert into campaign_recipients (business_id, campaign_id, contact_id, state, reason, clause,
        variant, due_at, updated_at)
      select ${businessId}, ${campaignId}, a.contact_id,
        case when a.reason is null then 'pending' else 'skipped' end, a.reason, a.clause,
        case when a.reason is null then (
          -- The last bytes of an id are random: each falls into a part by its own.
          select position from shares where part_end >
            (get_byte(uuid_send(a.contact_id), 15) * 256 + get_byte(uuid_send(a.contact_id), 14))
            % ${parts}::int
          order by part_end limit 1
        ) end,
        case when a.reason is not null then null
          when (get_byte(uuid_send(a.contact_id), 15) * 256 + get_byte(uuid_send(a.contact_id), 14))
            % ${parts}::int >= ${ends.at(-1) ?? 0}::int then 'infinity'
          else coalesce(clocks.at, ${otherwise}::timestamptz) end, ${now}
      from (${audienceRows(range)}) a
      left join unnest(
        ${clocks.map((clock) => clock.zone)}::text[], ${clocks.map((clock) => clock.at)}::timestamptz[]
      ) as clocks (zone, at) on clocks.zone = a.zone
      on conflict do nothing
      returning reason
    )
    select reason, count(*)::int as count from frozen group by reason
  `
  return tx.all(plannedFor(range.audience, statement))
}

interface ContactRange {
  after: Id<'contact'> | null
  upTo: Id<'contact'>
}

/** The local hours of the zones in the range, for a campaign that is sent by the clock. */
async function hoursOf(
  tx: Tx,
  businessId: Id<'business'>,
  { campaign, range }: { campaign: RunningCampaign; range: ContactRange },
): Promise<Clocks> {
  const zones = isByClock(campaign) ? await zonesWithin(tx, businessId, range) : []
  return clocksOf(campaign, zones)
}

/** The time zones of the contacts in a range. */
function zonesWithin(
  db: Db,
  businessId: Id<'business'>,
  { after, upTo }: IdRange,
): Promise<{ zone: string }[]> {
  return db.all(
    replanned(sql`
      select distinct zone from (
        select attributes ->> 'time_zone' as zone from contacts
        where business_id = ${businessId} and id > ${after ?? oldest} and id <= ${upTo}
        order by id
      ) range
      where zone is not null
    `),
  )
}

/** With a test, the variants share the sample, and the rest gets no variant yet. */
async function sharesOf(tx: Tx, key: RunKey) {
  const variants = await findVariants(tx, key.businessId, key.campaignId)
  const test = variants.length > 1 ? await findTest(tx, key) : undefined
  const sample = test?.sample ?? 100
  const shares = variants.map(({ position, share }) => ({ position, share: share * sample }))
  const whole = variants.reduce((sum, { share }) => sum + share, 0)
  return { shares, parts: Math.max(1, whole * 100) }
}

type OrderMandate = Mandate & { at: Date }

interface MandatedCampaign {
  id: Id<'campaign'>
  mandate: OrderMandate
}

interface Frozen {
  campaign: RunningCampaign
  mandate: OrderMandate | undefined
  recipients: number
  now: Date
}

/**
 * If more recipients were frozen than may be sent to without approval, or than its approval covers,
 * the campaign pauses until a person resumes it.
 */
async function holdRecipients(
  tx: Tx,
  { businessId, campaignId: id }: RunKey,
  { campaign, mandate, recipients, now }: Frozen,
): Promise<void> {
  const { approval, approvedRecipients, unapproved } = campaign
  const fits = mandate
    ? await holdMandated(tx, businessId, { id, mandate, recipients, now })
    : approval === 'approved'
      ? isCovered(recipients, approvedRecipients)
      : await holdFrozen(tx, businessId, { id, unapproved, recipients }, now)
  if (fits) return
  if (campaign.state === 'deployed') await pauseCampaign(tx, { businessId, id }, 'approval', now)
  // A scheduled campaign was not under way yet, so there is no pause to report as an event.
  else await enterState(tx, businessId, { id, state: 'paused', reason: 'approval' }, now)
  await queueApprovalMails(tx, { businessId, id }, now)
}

/** A mandate has no tolerance: the people of the week are counted again, as they were frozen. */
function holdMandated(
  tx: Tx,
  businessId: Id<'business'>,
  { id, mandate, recipients, now }: Pick<Frozen, 'recipients' | 'now'> & MandatedCampaign,
): Promise<boolean> {
  const order = { objectId: id, kind: 'campaign' as const, people: recipients, at: mandate.at }
  return takePeople(tx, businessId, { id: mandate.id, order, now })
}
