/**
 * A deployed campaign is sent in ticks: each looks at the outcomes so far, dispatches as many
 * recipients as may be sent to now, and sets the time of the next tick. The campaign's single job
 * is the only one that dispatches, so its limits hold however many workers send.
 */

import { covers } from '../../contacts/consent/covers.ts'
import { fitsOf } from '../../contacts/segments/fits.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Hmac, Origin } from '../../core/operation.ts'
import { emitAll } from '../../events/emit.ts'
import { plannedAnew, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Job, Outcome, Verdict } from '../../lib/jobs/job.ts'
import { quietUntil } from '../../lib/phone/quiet-hours.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { type Attention, hasAnyCap, readAttention, takePlace } from '../../messages/attention.ts'
import { insertCampaignMessages } from '../../messages/campaign-messages.ts'
import type { Outcomes } from '../../messages/campaign-outcomes.ts'
import { cancelMessages, waitingOf } from '../../messages/holds.ts'
import { versionConditions } from '../../templates/owned.ts'
import { lockPendingCount } from '../../usage/approval-limit.ts'
import { reserve } from '../../usage/reserve.ts'
import { decideTest } from '../ab-test/pick-winner.ts'
import { type CampaignChannel, findVariants, sourceOf } from '../campaign.ts'
import {
  countTally,
  findOpen,
  findRun,
  lockRunning,
  type Run,
  type RunKey,
  type RunningCampaign,
  saveRun,
} from '../campaign-run.ts'
import type { PlanParties } from '../preflight/dependencies.ts'
import { heldEvent, holdProviders } from '../providers/hold.ts'
import { addCounts, type RecipientState } from '../results/outcomes.ts'
import { countSent } from './approval-allowance.ts'
import { autoPauseOf } from './auto-pause.ts'
import { type CampaignPayload, keyOf, runInTick, type TickDeps } from './campaign-job.ts'
import { paceOf, perTick, untilNext } from './pace.ts'
import { completeCampaign, lockCampaign, pauseCampaign } from './transitions.ts'

export interface RunDeps extends TickDeps, CloseDeps, Pick<PlanParties, 'canaryWaitMs'> {
  hmac: Hmac
}

/** How often it ticks while messages are being sent, so that they never run out. */
const soon = 250
/**
 * How often it ticks while the last messages of the canary or the campaign are being sent, because
 * the next step waits for them.
 */
const sooner = 100
/** How often it ticks while all that is left was deferred by remote servers. */
const seldom = seconds(5)

export async function runTick(deps: RunDeps, job: Job<CampaignPayload>): Promise<Verdict> {
  const key = keyOf(job)
  return runInTick(deps, job, async (tx, now) => {
    const campaign = await lockRunning(tx, key)
    const run = campaign && (await findRun(tx, key))
    if (!campaign || campaign.state === 'paused') return { outcome: 'done' }
    if (campaign.state === 'cancelled') return closeTick(deps, tx, { key, run, now })
    // The freeze queues this job again when it is done.
    if (campaign.state !== 'deployed' || !campaign.frozenAt) return { outcome: 'done' }
    // A business without contacts has no run, and nothing to do.
    if (!run) return complete(tx, key, campaign, now)
    const reason = autoPauseOf(await countTally(tx, key), run.autoPauseFrom)
    if (reason) {
      await pauseCampaign(tx, { businessId: key.businessId, id: key.campaignId }, reason, now)
      return { outcome: 'done' }
    }
    for (const share of await holdProviders(tx, key, now)) {
      await emitAll(tx, [heldEvent(key, campaign, share)], now)
    }
    await decideTest(tx, key, { campaign, frozenAt: campaign.frozenAt, now })
    return tick(deps, tx, { key, campaign, run, now })
  })
}

interface TickState {
  key: RunKey
  campaign: RunningCampaign
  run: Run
  now: Date
}

/** Dispatches as many recipients as may be sent to now, and chooses the time of the next tick. */
async function tick(deps: RunDeps, tx: Tx, state: TickState): Promise<Outcome> {
  const { key, campaign, now } = state
  const { channel, throttlePerMinute: throttle } = campaign
  const { jobs } = await waitingOf(tx, { ...key, channel }, now)
  const run = afterCanary(deps, state, jobs)
  const pace = paceOf(run, { throttle, jobs, now })
  const room = waitsForCanary(run, now) ? 0 : pace.room
  const dispatch =
    room > 0 ? await dispatchRecipients(deps, tx, { key, campaign, run, room, now }) : undefined
  const sent = (dispatch?.run.dispatched ?? run.dispatched) - run.dispatched
  const isAll = dispatch !== undefined && dispatch.looked < room
  const open = isAll ? await findOpen(tx, key, run.endedTo) : undefined
  if (isAll && !open) return complete(tx, key, campaign, now)
  const next: Run = {
    ...(dispatch?.run ?? run),
    endedTo: open?.id ?? run.endedTo,
    tokens: Math.max(0, pace.tokens - sent),
    pacedAt: now,
  }
  await saveRun(tx, key, next, now)
  if (isAll && jobs === 0 && sent === 0) {
    return { outcome: 'again', at: await nextHourOr(tx, key, now) }
  }
  // The room was used up, and the throttle did not limit it: the next tick follows at once.
  const isFull = dispatch !== undefined && !isAll && (throttle === null || room === perTick)
  return { outcome: 'again', at: isFull ? now : later(now, waitMs(pace.tokens, throttle, jobs)) }
}

/** How long until the next tick while there are recipients or messages left. */
function waitMs(tokens: number, throttle: number | null, jobs: number): number {
  if (throttle === null) return jobs <= 1 ? sooner : soon
  return tokens < 1 ? Math.min(seldom, Math.max(soon, untilNext(tokens, throttle))) : soon
}

/** The canary's messages have all been tried: the wait of the others starts now. */
function afterCanary({ canaryWaitMs }: RunDeps, { run, now }: TickState, jobs: number): Run {
  const { canary, dispatched, canaryUntil } = run
  if (canary === 0 || dispatched < canary || canaryUntil !== null || jobs > 0) return run
  return { ...run, canaryUntil: later(now, canaryWaitMs) }
}

function waitsForCanary({ canary, dispatched, canaryUntil }: Run, now: Date): boolean {
  return canary > 0 && dispatched >= canary && (canaryUntil === null || canaryUntil > now)
}

async function nextHourOr(tx: Tx, key: RunKey, now: Date): Promise<Date> {
  const hour = (await nextHour(tx, key))?.at
  const at = later(now, seldom)
  return hour && hour < at ? hour : at
}

/** When the next recipient with a local hour is due, among those not dispatched yet. */
export function nextHour(
  db: Db,
  { businessId, campaignId }: RunKey,
): Promise<{ at: Date; reason: string | null } | undefined> {
  return db.maybe(
    plannedAnew(sql`
      select due_at as at, reason from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and due_at is not null and state = 'pending'
      order by due_at limit 1
    `),
  )
}

/** Completes the campaign once its rows show that no recipient is open. */
async function complete(
  tx: Tx,
  key: RunKey,
  { state }: RunningCampaign,
  now: Date,
): Promise<Outcome> {
  // The campaign as it is after this tick's own statements.
  const campaign = await lockCampaign(tx, key.businessId, key.campaignId)
  if (campaign) await completeCampaign(tx, { ...campaign, state }, key.businessId, now)
  return { outcome: 'done' }
}

interface DispatchInput {
  key: RunKey
  campaign: RunningCampaign
  run: Run
  room: number
  now: Date
}

interface DispatchResult {
  run: Run
  /** How many rows were examined. If they are fewer than there was room for, none are left. */
  looked: number
}

interface NextRecipient {
  contactId: Id<'contact'>
  variant: number | null
  /** Null if the contact no longer exists, or no longer has such an address. */
  address: string | null
  mark: Buffer | null
  consent: string | null
  /** Whether the contact's choices cover the topic; null where the contact is gone. */
  isCovered: boolean | null
  zone: string | null
}

/** A recipient to whom it can be sent now. */
type Reachable = NextRecipient & { address: string; mark: Buffer }

export interface DispatchedRow {
  contactId: Id<'contact'>
  state: RecipientState
  reason: string | null
  messageId: Id<'message'> | null
  /** When the recipient is looked at again. */
  dueAt: Date | null
}

/**
 * Dispatches recipients: writes their rows, the messages with jobs and events, and the tier's
 * usage, all in the transaction of the tick.
 */
async function dispatchRecipients(
  { hmac }: Pick<RunDeps, 'hmac'>,
  tx: Tx,
  { key, campaign, run, room, now }: DispatchInput,
): Promise<DispatchResult> {
  const isCounted = campaign.approval !== 'approved'
  if (isCounted || (await hasAnyCap(tx, key.businessId))) {
    await lockPendingCount(tx, key.businessId)
  }
  const { channel, topic } = campaign
  const request = { ...key, channel, topic, limit: room }
  const timed = await findTimed(tx, request, now)
  const rest = room - timed.length
  const inOrder = rest > 0 ? await findNext(tx, { ...request, limit: rest }, run.dispatchedTo) : []
  const next = [...timed, ...inOrder]
  const rows: DispatchedRow[] = []
  const contactIds = next.map(({ contactId }) => contactId)
  const query = { businessId: key.businessId, source: sourceOf(campaign), now }
  const attention = await readAttention(tx, contactIds, query)
  const reachable = next.filter((recipient): recipient is Reachable => {
    const own = attention.get(recipient.contactId)
    const row =
      rowIfNotSentNow(recipient, campaign, now) ?? rowIfNoRoom(recipient.contactId, own, now)
    if (row) rows.push(row)
    return row === undefined
  })
  const afforded = await affordable(tx, key, { campaign, reachable, now })
  rows.push(...reachable.map(({ contactId }, i) => dispatchedRow(contactId, afforded[i])))
  const messages = await withShownBlocks(
    tx,
    afforded.filter((message) => message !== undefined),
    { businessId: key.businessId, hmac, now },
  )
  const sent = messages.length
  if (isCounted) {
    const { unapproved } = campaign
    await countSent(tx, key.businessId, { id: key.campaignId, unapproved, sent }, now)
  }
  await record(tx, key, {
    campaign,
    rows,
    messages,
    variants: new Map(next.map((recipient) => [recipient.contactId, recipient.variant])),
    now,
  })
  return {
    looked: next.length,
    run: {
      ...run,
      dispatchedTo: inOrder.at(-1)?.contactId ?? run.dispatchedTo,
      dispatched: run.dispatched + sent,
    },
  }
}

interface NextRecipientsQuery extends RunKey {
  channel: CampaignChannel
  topic: string | null
  limit: number
}

/** The next recipients in the order of contacts, without those who have a local hour. */
export function findNext(
  db: Db,
  { businessId, campaignId, channel, topic, limit }: NextRecipientsQuery,
  after: Id<'contact'> | null,
): Promise<NextRecipient[]> {
  return db.all(
    plannedAnew(sqlWithin`
      select r.contact_id as "contactId", r.variant,
        case when ${channel} = 'email' then c.email else c.phone end as address,
        case when ${channel} = 'email' then c.email_mark else c.phone_mark end as mark,
        case when ${channel} = 'email' then c.email_consent else c.sms_consent end as consent,
        ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })} as "isCovered",
        c.attributes ->> 'time_zone' as zone
      from (
        select contact_id, variant from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
          and contact_id > ${after ?? oldest} and state = 'pending' and due_at is null
        order by contact_id limit ${limit}
      ) r
      left join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
      order by r.contact_id
    `),
  )
}

const oldest = '00000000-0000-0000-0000-000000000000'

/** Recipients whose local hour has come. */
export function findTimed(
  db: Db,
  { businessId, campaignId, channel, topic, limit }: NextRecipientsQuery,
  now: Date,
): Promise<NextRecipient[]> {
  return db.all(
    plannedAnew(sqlWithin`
      select r.contact_id as "contactId", r.variant,
        case when ${channel} = 'email' then c.email else c.phone end as address,
        case when ${channel} = 'email' then c.email_mark else c.phone_mark end as mark,
        case when ${channel} = 'email' then c.email_consent else c.sms_consent end as consent,
        ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })} as "isCovered",
        c.attributes ->> 'time_zone' as zone
      from (
        select contact_id, variant from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
          and due_at <= ${now} and state = 'pending'
        order by due_at limit ${limit}
      ) r
      left join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
    `),
  )
}

/** The row of a recipient who does not get it, or does not get it at this hour. */
function rowIfNotSentNow(
  { contactId, address, mark, consent, isCovered, zone }: NextRecipient,
  { channel }: RunningCampaign,
  now: Date,
): DispatchedRow | undefined {
  const row = { contactId, messageId: null, dueAt: null }
  if (consent === null) return { ...row, state: 'skipped', reason: 'erased' }
  if (address === null || mark === null) {
    return { ...row, state: 'skipped', reason: channel === 'email' ? 'no_email' : 'no_phone' }
  }
  if (consent !== 'subscribed') return { ...row, state: 'skipped', reason: 'unsubscribed' }
  if (!isCovered) return { ...row, state: 'skipped', reason: 'topic_not_chosen' }
  const dueAt = channel === 'sms' ? quietUntil(address, zone ?? undefined, now) : undefined
  return dueAt && { ...row, state: 'pending', reason: 'quiet_hours', dueAt }
}

/** The row of a recipient who has had enough, or had another message a moment ago. */
function rowIfNoRoom(
  contactId: NextRecipient['contactId'],
  attention: Attention | undefined,
  now: Date,
): DispatchedRow | undefined {
  const row = { contactId, messageId: null, dueAt: null }
  if (takePlace(attention, now)) return { ...row, state: 'skipped', reason: 'capped' }
  const dueAt = attention?.gapUntil
  return dueAt ? { ...row, state: 'pending', reason: 'gap', dueAt } : undefined
}

type Message = Parameters<typeof insertCampaignMessages>[1][number]

/** A message for each recipient that the tier allows, in order; undefined for the rest. */
async function affordable(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { campaign, reachable, now }: { campaign: RunningCampaign; reachable: Reachable[]; now: Date },
): Promise<(Message | undefined)[]> {
  if (reachable.length === 0) return []
  const { channel, topic, tier, units } = campaign
  const metric = channel === 'email' ? 'emails' : 'sms'
  const amount = reachable.length * units
  const demand = { businessId, metric, amount, tier, partial: true, each: units } as const
  const [granted = 0] = await reserve(tx, [demand], now)
  const variants = await findVariants(tx, businessId, campaignId)
  return reachable.map(({ contactId, address, mark, variant }, i) => {
    const content = variants.find(({ position }) => position === variant) ?? variants[0]
    if (i * units >= granted || !content) return undefined
    const { templateId, versionId: templateVersionId } = content
    const id = newId('message')
    const message = { templateId, templateVersionId, to: address, mark }
    return { businessId, campaignId, id, channel, topic, contactId, ...message }
  })
}

/** Decides for each recipient which blocks the message shows; with it the message is stored. */
async function withShownBlocks(
  tx: Tx,
  messages: Message[],
  at: { businessId: Id<'business'>; hmac: Hmac; now: Date },
): Promise<Message[]> {
  const versionIds = [...new Set(messages.map(({ templateVersionId }) => templateVersionId))]
  if (versionIds.length === 0) return messages
  const blockBits = new Map<Id<'contact'>, number>()
  for (const { versionId, conditions } of await versionConditions(tx, at.businessId, versionIds)) {
    const contactIds = messages.flatMap(({ templateVersionId, contactId }) =>
      templateVersionId === versionId ? [contactId] : [],
    )
    const filters = conditions.map(({ filter }) => filter)
    const fits = await fitsOf(tx, { ...at, filters, contactIds })
    for (const [contactId, bits] of fits) blockBits.set(contactId, bits)
  }
  if (blockBits.size === 0) return messages
  return messages.map((message) => ({
    ...message,
    shownBlocks: blockBits.get(message.contactId) ?? null,
  }))
}

function dispatchedRow(
  contactId: NextRecipient['contactId'],
  message: Message | undefined,
): DispatchedRow {
  return message
    ? { contactId, state: 'taken', reason: null, messageId: message.id, dueAt: null }
    : { contactId, state: 'skipped', reason: 'tier_quota', messageId: null, dueAt: null }
}

interface Recorded {
  campaign: RunningCampaign
  rows: DispatchedRow[]
  messages: Message[]
  variants: ReadonlyMap<NextRecipient['contactId'], number | null>
  now: Date
}

async function record(
  tx: Tx,
  key: RunKey,
  { campaign, rows, messages, variants, now }: Recorded,
): Promise<void> {
  if (rows.length === 0) return
  const skipped = rows.flatMap(({ contactId, state, reason }) => {
    const variant = variants.get(contactId) ?? 0
    return state === 'skipped' ? [{ ...key, variant, metric: `skipped:${reason}`, amount: 1 }] : []
  })
  await Promise.all([
    updateDispatched(tx, key, rows, now),
    addCounts(tx, skipped),
    insertCampaignMessages(tx, messages, { origin: originOf(campaign), now }),
  ])
}

/**
 * Uses `any` in addition to the join, which alone reads the whole campaign while the planner
 * expects a single row.
 */
export function updateDispatched(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  rows: DispatchedRow[],
  now: Date,
): Promise<number> {
  const contactIds = rows.map((row) => row.contactId)
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r
      set state = new.state, reason = new.reason, message_id = new.message_id,
        due_at = new.due_at, updated_at = ${now}
      from unnest(
        ${contactIds}::uuid[],
        ${rows.map((row) => row.state)}::text[],
        ${rows.map((row) => row.reason)}::text[],
        ${rows.map((row) => row.messageId)}::uuid[],
        ${rows.map((row) => row.dueAt)}::timestamptz[]
      ) as new (contact_id, state, reason, message_id, due_at)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.contact_id = any(${contactIds}::uuid[])
        and r.contact_id = new.contact_id and r.state = 'pending'
    `),
  )
}

function originOf({ connectionId, callId }: RunningCampaign): Origin | undefined {
  return callId === null ? undefined : { connectionId, callId: formatId('request', callId) }
}

interface CloseDeps {
  outcomes: Outcomes
}

interface Closing {
  key: RunKey
  run: Run | undefined
  now: Date
}

const cancelledPerTick = 5_000
/** How long to wait for messages that are being sent or were deferred. */
const lookAgain = seconds(5)

/** Closes a cancelled campaign: unsent messages are cancelled, and their recipients marked so. */
async function closeTick(
  { outcomes }: CloseDeps,
  tx: Tx,
  { key, run, now }: Closing,
): Promise<Outcome> {
  if (!run) return { outcome: 'done' }
  const again = { outcome: 'again', at: now } as const
  const pending = await cancelPending(tx, key, { limit: cancelledPerTick, after: run.endedTo, now })
  const cancelled = pending.map(({ variant }) => {
    return { ...key, variant, metric: 'cancelled', amount: 1 }
  })
  await addCounts(tx, cancelled)
  if (pending.length === cancelledPerTick) return again
  const open = await findOpen(tx, key, run.endedTo)
  if (!open) return { outcome: 'done' }
  await saveRun(tx, key, { ...run, endedTo: open.id }, now)
  const openMessages = await findOpenMessages(tx, key, { from: open.id, limit: cancelledPerTick })
  const ids = openMessages.map(({ messageId }) => messageId)
  await cancelMessages(tx, outcomes, { businessId: key.businessId, ids }, now)
  // If many were deferred, the first ones may still be on a connection.
  return openMessages.length === cancelledPerTick
    ? again
    : { outcome: 'again', at: later(now, lookAgain) }
}

/** Cancels up to `limit` recipients who were not dispatched; returns them. */
export function cancelPending(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { after, limit, now }: { after: Id<'contact'> | null; limit: number; now: Date },
): Promise<{ id: Id<'contact'>; variant: number }[]> {
  return tx.all(
    plannedAnew(sql`
      update campaign_recipients
      set state = 'cancelled', reason = 'campaign_cancelled', due_at = null, updated_at = ${now}
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and contact_id = any(array(
          select contact_id from campaign_recipients
          where business_id = ${businessId} and campaign_id = ${campaignId}
            and contact_id > ${after ?? oldest} and state = 'pending'
          order by contact_id limit ${limit}
        ))
      returning contact_id as id, coalesce(variant, 0)::int as variant
    `),
  )
}

/** Messages of dispatched recipients that have not reached a final state. */
export function findOpenMessages(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { from, limit }: { from: Id<'contact'>; limit: number },
): Promise<{ contactId: Id<'contact'>; messageId: Id<'message'> }[]> {
  return tx.all(
    plannedAnew(sql`
      select contact_id as "contactId", message_id as "messageId" from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and contact_id >= ${from} and state = 'taken' and message_id is not null
      order by contact_id limit ${limit}
    `),
  )
}
