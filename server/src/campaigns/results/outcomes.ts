/**
 * Records the outcomes of a campaign's messages: the state of each recipient, the counts and the series,
 * in the transaction in which they commit. docs/design/campaign-runs.md draws a recipient's states.
 */

import type { Id } from '../../core/ids.ts'
import { plannedAnew, sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { minutes } from '../../lib/time/clock.ts'
import type { Outcomes, Settled } from '../../messages/campaign-outcomes.ts'
import type { MessageState } from '../../messages/message.ts'
import { countProviders, type ProviderNews } from '../providers/counts.ts'
import { countLinks } from './links.ts'

interface RecipientKey {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  contactId: Id<'contact'>
}

export type RecipientState =
  | 'pending'
  | 'taken'
  | 'sent'
  | 'delivered'
  | 'bounced'
  | 'failed'
  | 'unknown'
  | 'skipped'
  | 'cancelled'

export interface ChangedRecipient extends RecipientKey {
  state: RecipientState
  reason: string | null
  marks: number
}

interface CountDelta {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  variant: number
  metric: string
  amount: number
}

export const campaignOutcomes: Outcomes = {
  async settled(tx, rows, now) {
    const byMessage = Map.groupBy(
      rows.filter(({ contactId }) => contactId !== null),
      ({ messageId }) => messageId,
    )
    const recipients = await lockRecipients(tx, [...byMessage.values()].flatMap(keyOf))
    const anonymous = rows.filter(({ isAnonymous }) => isAnonymous)
    if (anonymous.length > 0) await countAnonymous(tx, anonymous, recipients)
    const identified = rows.filter(({ isAnonymous }) => !isAnonymous)
    const news = Map.groupBy(identified, ({ messageId }) => messageId)
    const changes: ChangedRecipient[] = []
    const deltas: CountDelta[] = []
    const byProvider: ProviderNews[] = []
    for (const recipient of recipients) {
      // After a resend, only the last message counts for the recipient.
      const its = recipient.messageId && news.get(recipient.messageId)
      if (!its) continue
      const change = changeOf(recipient, its)
      const added = change ? countsOf(recipient, change) : []
      if (change) changes.push(change)
      deltas.push(...added)
      byProvider.push({ recipient, news: its, deltas: added })
    }
    if (changes.length > 0) await write(tx, { changes, deltas, now })
    await countProviders(tx, byProvider)
    const clicks = identified.filter(({ event }) => event === 'clicked')
    if (clicks.length > 0) await countLinks(tx, clicks)
  },
}

interface LockedRecipient extends RecipientKey {
  messageId: Id<'message'> | null
  variant: number | null
  state: RecipientState
  marks: number
}

/**
 * Locks recipients in a fixed order, each looked up separately, as in `contacts/rows.ts`.
 */
export function lockRecipients(tx: Tx, keys: RecipientKey[]): Promise<LockedRecipient[]> {
  return tx.all(
    plannedAnew(sql`
      select r.business_id as "businessId", r.campaign_id as "campaignId",
        r.contact_id as "contactId", r.message_id as "messageId", r.variant, r.state, r.marks
      from (
        select distinct * from unnest(
          ${keys.map((key) => key.businessId)}::uuid[],
          ${keys.map((key) => key.campaignId)}::uuid[],
          ${keys.map((key) => key.contactId)}::uuid[]
        ) as asked (business_id, campaign_id, contact_id)
        order by business_id, campaign_id, contact_id
      ) asked
      cross join lateral (
        select * from campaign_recipients
        where business_id = asked.business_id and campaign_id = asked.campaign_id
          and contact_id = asked.contact_id
        limit 1 for no key update
      ) r
    `),
  )
}

/** Leaves out visits by machines, which nobody needs to know of people who are not tracked. */
async function countAnonymous(
  tx: Tx,
  rows: readonly Settled[],
  recipients: readonly LockedRecipient[],
): Promise<void> {
  const visits = rows.filter(({ machine }) => !machine)
  const variants = new Map(recipients.map((recipient) => [recipient.messageId, recipient.variant]))
  const deltas = visits.map(({ businessId, campaignId, messageId, event }) => ({
    businessId,
    campaignId,
    variant: variants.get(messageId) ?? 0,
    metric: `${event}_anonymously`,
    amount: 1,
  }))
  await addCounts(tx, deltas)
}

export async function addCounts(tx: Tx, deltas: readonly CountDelta[]): Promise<void> {
  const sums = new Map<string, CountDelta>()
  for (const delta of deltas) {
    const name = `${delta.campaignId} ${delta.variant} ${delta.metric}`
    const before = sums.get(name)?.amount ?? 0
    sums.set(name, { ...delta, amount: before + delta.amount })
  }
  const changed = [...sums.values()].filter(({ amount }) => amount !== 0)
  if (changed.length === 0) return
  await addToCounts(tx, anySlot(), changed)
}

const anySlot = () => Math.floor(Math.random() * slots)

function addToCounts(tx: Tx, slot: number, rows: CountDelta[]): Promise<number> {
  return tx.run(sql`
    insert into campaign_counts (business_id, campaign_id, slot, variant, metric, amount)
    select business_id, campaign_id, ${slot}, variant, metric, amount
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.campaignId)}::uuid[],
      ${rows.map((row) => row.variant)}::smallint[],
      ${rows.map((row) => row.metric)}::text[],
      ${rows.map((row) => row.amount)}::bigint[]
    ) as new (business_id, campaign_id, variant, metric, amount)
    order by business_id, campaign_id, variant, metric
    on conflict (business_id, campaign_id, slot, variant, metric) do update
    set amount = campaign_counts.amount + excluded.amount
  `)
}

/** Rows per counter: two simultaneous flushes seldom use the same one. */
const slots = 8

interface Written {
  changes: ChangedRecipient[]
  deltas: CountDelta[]
  now: Date
}

async function write(tx: Tx, { changes, deltas, now }: Written): Promise<void> {
  await Promise.all([
    updateRecipients(tx, changes, now),
    addCounts(tx, deltas),
    addSeries(tx, deltas, now),
  ])
}

async function addSeries(tx: Tx, deltas: readonly CountDelta[], now: Date): Promise<void> {
  const rows = deltas.filter(({ metric, amount }) => seriesMetrics.includes(metric) && amount !== 0)
  if (rows.length === 0) return
  const at = new Date(Math.floor(now.getTime() / finestMs) * finestMs)
  await addToSeries(tx, { at, slot: anySlot() }, rows)
}

function addToSeries(
  tx: Tx,
  { at, slot }: { at: Date; slot: number },
  rows: readonly Omit<CountDelta, 'variant'>[],
): Promise<number> {
  return tx.run(sql`
    insert into campaign_series (business_id, campaign_id, at, metric, slot, amount)
    select business_id, campaign_id, ${at}, metric, ${slot}, sum(amount)
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.campaignId)}::uuid[],
      ${rows.map((row) => row.metric)}::text[],
      ${rows.map((row) => row.amount)}::bigint[]
    ) as new (business_id, campaign_id, metric, amount)
    group by business_id, campaign_id, metric
    order by business_id, campaign_id, metric
    on conflict (business_id, campaign_id, at, metric, slot) do update
    set amount = campaign_series.amount + excluded.amount
  `)
}

export function updateRecipients(tx: Tx, rows: ChangedRecipient[], now: Date): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r
      set state = new.state, reason = new.reason, marks = new.marks, updated_at = ${now}
      from unnest(
        ${rows.map((row) => row.businessId)}::uuid[],
        ${rows.map((row) => row.campaignId)}::uuid[],
        ${rows.map((row) => row.contactId)}::uuid[],
        ${rows.map((row) => row.state)}::text[],
        ${rows.map((row) => row.reason)}::text[],
        ${rows.map((row) => row.marks)}::smallint[]
      ) as new (business_id, campaign_id, contact_id, state, reason, marks)
      where r.business_id = new.business_id and r.campaign_id = new.campaign_id
        and r.contact_id = new.contact_id
    `),
  )
}

/** Counters that also have a series over time. */
export const seriesMetrics: readonly string[] = [
  'sent',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'unsubscribed',
]
const finestMs = minutes(10)

function keyOf([first]: Settled[]) {
  if (!first?.contactId) return []
  const { businessId, campaignId, contactId } = first
  return [{ businessId, campaignId, contactId }]
}

/** The recipient's change; undefined if the events change nothing. */
function changeOf(recipient: LockedRecipient, news: Settled[]): ChangedRecipient | undefined {
  const last = news.at(-1)
  if (!last) return undefined
  const next = eligibilityOf(last)
  const marks = news.reduce((all, settled) => all | marksOf(settled), recipient.marks)
  const state = next.state ?? recipient.state
  if (state === recipient.state && marks === recipient.marks) return undefined
  const { businessId, campaignId, contactId } = recipient
  return { businessId, campaignId, contactId, state, reason: next.reason, marks }
}

/** The bit that an event sets; 0 for events that are not an engagement. */
export function marksOf({ event, machine = false }: Pick<Settled, 'event' | 'machine'>): number {
  if (event === 'opened') return machine ? engagementBits.opened_by_machine : engagementBits.opened
  if (event === 'clicked')
    return machine ? engagementBits.clicked_by_machine : engagementBits.clicked
  return event === 'complained' || event === 'unsubscribed' ? engagementBits[event] : 0
}

interface Eligibility {
  /** Undefined if the state stays as it is. */
  state: RecipientState | undefined
  reason: string | null
}

export function eligibilityOf({ state, reason }: Pick<Settled, 'state' | 'reason'>): Eligibility {
  const next = states[state]
  if (next !== 'skipped') return { state: next, reason: reason ?? null }
  if (reason === 'campaign_cancelled') return { state: 'cancelled', reason }
  if (state === 'suppressed') return { state: next, reason: reasons[reason ?? ''] ?? 'suppressed' }
  return { state: next, reason: reason ?? 'unsubscribed' }
}

/** The recipient's state by the state of the message; undefined while the message is being sent. */
const states: Partial<Record<MessageState, RecipientState>> = {
  accepted: 'sent',
  delivered: 'delivered',
  bounced: 'bounced',
  failed: 'failed',
  unknown: 'unknown',
  suppressed: 'skipped',
  cancelled: 'skipped',
}

/** The reason of a denied attempt, as the plan names it. */
const reasons: Readonly<Record<string, string>> = {
  bounce: 'invalid',
  unsubscribed: 'unsubscribed',
}

/** What a recipient did, as bits of the column `marks`; each adds once to the counter of its name. */
export const engagementBits = {
  opened: 1,
  opened_by_machine: 2,
  clicked: 4,
  clicked_by_machine: 8,
  complained: 16,
  unsubscribed: 32,
} as const

function countsOf(recipient: LockedRecipient, change: ChangedRecipient): CountDelta[] {
  const { businessId, campaignId, variant, state: was, marks: had } = recipient
  const { state, reason, marks } = change
  return [...deltasOf({ was, state, reason, had, marks })].map(([metric, amount]) => {
    return { businessId, campaignId, variant: variant ?? 0, metric, amount }
  })
}

export interface RecipientChange {
  was: RecipientState
  state: RecipientState
  reason: string | null
  had: number
  marks: number
}

/**
 * The changes of counters, by name. `sent` counts all recipients whose message the next hop accepted
 * or bounced, at once or later, so that the other rates are shares of it. All other counters count
 * recipients by their current state.
 */
export function deltasOf({ was, state, reason, had, marks }: RecipientChange): Map<string, number> {
  const deltas = new Map<string, number>()
  const add = (metric: string, n: number) => deltas.set(metric, (deltas.get(metric) ?? 0) + n)
  if (was !== state) {
    for (const metric of metricsOf(was, null)) add(metric, -1)
    for (const metric of metricsOf(state, reason)) add(metric, 1)
    const wasSent = metricsOf(was, null).includes('sent')
    if (wasSent && !metricsOf(state, reason).includes('sent')) add('sent', 1)
  }
  for (const engagement of newEngagements(had, marks)) add(engagement, 1)
  return new Map([...deltas].filter(([, n]) => n !== 0))
}

function metricsOf(state: RecipientState, reason: string | null): string[] {
  if (state === 'pending' || state === 'taken') return []
  if (state === 'delivered' || state === 'bounced') return ['sent', state]
  return [state === 'skipped' && reason !== null ? `skipped:${reason}` : state]
}

type Engagement = keyof typeof engagementBits

/** The names of the bits that `has` adds to `had`. */
function newEngagements(had: number, has: number): Engagement[] {
  const names = Object.keys(engagementBits) as Engagement[]
  return names.filter((name) => (has & ~had & engagementBits[name]) !== 0)
}
