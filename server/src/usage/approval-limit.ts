/**
 * The limit above which a person must approve marketing. It counts recipients, over campaigns and
 * single messages together, in every 24 hours. Counts are stored in half-hour buckets, so that a
 * recipient counts for 24 hours and up to one bucket longer, never shorter. The unsent recipients
 * of running campaigns count in every window, because they may be sent to at any moment. Moving a
 * recipient to the bucket of its sending therefore never needs more room than it had.
 */
import { readApprovalRules } from '../accounts/businesses/deploy-settings.ts'
import { type Fix, type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { minutes } from '../lib/time/clock.ts'

const bucketMs = minutes(30)
/** The greatest number of buckets between two moments less than 24 hours apart. */
const bucketsPerWindow = minutes(24 * 60) / bucketMs

export const bucketOf = (at: Date) => Math.floor(at.getTime() / bucketMs)

/** Recipients that a send reaches at one time. */
interface ReachedRecipients {
  businessId: Id<'business'>
  /** When the message is sent, or for when it is scheduled. */
  at: Date
  amount: number
}

/** The remaining allowance of the businesses, locked by a transaction. */
interface Allowance {
  /** Takes the amount if it fits without an approval. Returns whether it did. */
  take(wanted: ReachedRecipients): boolean
  /** The business's limit. Null for no limit. */
  limitOf(businessId: Id<'business'>): number | null
  needsTwoPeople(businessId: Id<'business'>): boolean
}

/** Opens the allowance. The count of each business stays locked until the transaction ends. */
export async function lockAllowance(
  tx: Tx,
  requests: readonly Omit<ReachedRecipients, 'amount'>[],
): Promise<Allowance> {
  const ids = [...new Set(requests.map(({ businessId }) => businessId))].sort()
  const pending = new Map(
    (await lockReach(tx, ids)).map((entry) => [entry.businessId, entry.pending]),
  )
  const due = requests.map(({ at }) => bucketOf(at))
  const range = {
    from: Math.min(...due) - bucketsPerWindow,
    to: Math.max(...due) + bucketsPerWindow,
  }
  const [buckets, rules] = await Promise.all([
    findBuckets(tx, ids, range),
    readApprovalRules(tx, ids),
  ])
  const amounts = new Map(ids.map((id) => [id, new Map<number, number>()]))
  for (const { businessId, bucket, amount } of buckets) amounts.get(businessId)?.set(bucket, amount)
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const limitOf = (id: Id<'business'>) => byId.get(id)?.deployLimit ?? null
  return {
    limitOf,
    needsTwoPeople: (id) => byId.get(id)?.twoPeople ?? false,
    take({ businessId, at, amount }) {
      const its = amounts.get(businessId) ?? new Map<number, number>()
      const bucket = bucketOf(at)
      const limit = limitOf(businessId)
      const used = fullestWindow(its, bucket) + (pending.get(businessId) ?? 0)
      if (limit !== null && used + amount > limit) return false
      its.set(bucket, (its.get(bucket) ?? 0) + amount)
      return true
    },
  }
}

/** The total of the fullest 24-hour window that contains this bucket. */
function fullestWindow(amounts: ReadonlyMap<number, number>, bucket: number): number {
  const of = (number: number) => amounts.get(number) ?? 0
  let sum = 0
  for (let past = bucket - bucketsPerWindow; past <= bucket; past++) sum += of(past)
  let fullest = sum
  for (let end = bucket + 1; end <= bucket + bucketsPerWindow; end++) {
    sum += of(end) - of(end - bucketsPerWindow - 1)
    fullest = Math.max(fullest, sum)
  }
  return fullest
}

/**
 * Counts recipients in the bucket of the time at which they are sent to. A negative amount returns
 * them.
 */
export async function countRecipients(
  tx: Tx,
  reached: readonly ReachedRecipients[],
): Promise<void> {
  const sums = new Map<string, Bucket>()
  for (const { businessId, at, amount } of reached) {
    const bucket = bucketOf(at)
    const name = `${businessId} ${bucket}`
    sums.set(name, { businessId, bucket, amount: amount + (sums.get(name)?.amount ?? 0) })
  }
  if (sums.size > 0) await addToBuckets(tx, [...sums.values()])
}

/** Counts the unsent recipients of a running campaign. A negative amount returns them. */
export async function countPending(
  tx: Tx,
  businessId: Id<'business'>,
  amount: number,
): Promise<void> {
  if (amount === 0) return
  await lockReach(tx, [businessId])
  await addPending(tx, businessId, amount)
}

/** Locks the business's count before rows that other transactions lock after it. */
export async function lockPendingCount(tx: Tx, businessId: Id<'business'>): Promise<void> {
  await lockReach(tx, [businessId])
}

/** Deletes buckets that are too old for any window. */
export async function deleteOldBuckets(db: Db, now: Date): Promise<void> {
  await deleteBuckets(db, bucketOf(now) - 2 * bucketsPerWindow)
}

/** The most characters of the caller's own text that a response repeats. */
const maxRepeatedCharacters = 4_000

export interface MarketingContent {
  channel: 'email' | 'sms'
  /** The content of a campaign with the same words, if it is known and short. */
  content?: Record<string, string | null>
}

/** The refusal of marketing that needs a person's approval. */
export function approvalRefusal(limit: number | null, marketing: MarketingContent): Refusal {
  const reached =
    limit === 0
      ? 'Nothing of marketing leaves this business without a person’s approval.'
      : `Marketing reaches at most ${limit} recipients in 24 hours without a person’s approval, and this would be more.`
  const text = `${reached} Make it a campaign: campaign.deploy then waits for a person to approve it.`
  return refuse('conflict', text, {
    field: 'kind',
    data: { reason: 'approval_limit', deploy_limit: limit },
    fix: asCampaign(marketing),
  })
}

/** The call that begins a campaign with the content, which it repeats if it is short. */
export function asCampaign({ channel, content = {} }: MarketingContent): Fix {
  const texts = Object.entries(content).filter(([, text]) => text !== null)
  const isShort = texts.length > 0 && JSON.stringify(texts).length <= maxRepeatedCharacters
  return {
    tool: 'campaign.generate',
    arguments: { channel, ...(isShort && { content: Object.fromEntries(texts) }) },
  }
}

interface Pending {
  businessId: Id<'business'>
  pending: number
}

/** Locks the row of each business until the transaction ends, in a fixed order. */
function lockReach(tx: Tx, ids: readonly Id<'business'>[]): Promise<Pending[]> {
  return tx.all(sql`
    insert into unapproved_reach (business_id, pending)
    select business_id, 0 from unnest(${ids}::uuid[]) as asked (business_id) order by business_id
    on conflict (business_id) do update set pending = unapproved_reach.pending
    returning business_id as "businessId", pending
  `)
}

interface Bucket {
  businessId: Id<'business'>
  bucket: number
  amount: number
}

function findBuckets(
  tx: Tx,
  ids: readonly Id<'business'>[],
  { from, to }: { from: number; to: number },
): Promise<Bucket[]> {
  return tx.all(sql`
    select business_id as "businessId", bucket, amount from unapproved_reach_buckets
    where business_id = any (${ids}::uuid[]) and bucket between ${from} and ${to}
  `)
}

/** Adds to buckets, each of which occurs once in the rows. An amount never goes below zero. */
function addToBuckets(tx: Tx, rows: readonly Bucket[]): Promise<number> {
  return tx.run(sql`
    insert into unapproved_reach_buckets as b (business_id, bucket, amount)
    select business_id, bucket, amount from unnest(
      ${rows.map((row) => row.businessId)}::uuid[], ${rows.map((row) => row.bucket)}::bigint[],
      ${rows.map((row) => row.amount)}::bigint[]
    ) as counted (business_id, bucket, amount)
    order by business_id, bucket
    on conflict (business_id, bucket)
    do update set amount = greatest(0, b.amount + excluded.amount)
  `)
}

function addPending(tx: Tx, businessId: Id<'business'>, amount: number): Promise<number> {
  return tx.run(sql`
    update unapproved_reach set pending = greatest(0, pending + ${amount})
    where business_id = ${businessId}
  `)
}

function deleteBuckets(db: Db, before: number): Promise<number> {
  return db.run(sql`delete from unapproved_reach_buckets where bucket < ${before}`)
}
