/**
 * The limit above which a person approves marketing. It counts recipients, over campaigns and
 * single messages together, in every 24 hours: a bucket for each half hour, so that a recipient
 * is counted for 24 hours and up to one bucket longer, never shorter. What campaigns under way
 * have not sent yet stands in every window, since it may be sent at any moment; moving it to the
 * bucket of the moment it is sent never needs more room than it had.
 */

import { approvalRulesOf } from '../accounts/businesses/deploying.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { minutes } from '../lib/time/clock.ts'
import {
  addPending,
  addToBuckets,
  type Bucket,
  deleteBuckets,
  findBuckets,
  lockReach,
} from './approval-queries.ts'

const bucketMs = minutes(30)
/** Two moments less than 24 hours apart lie at most so many buckets apart. */
const apart = minutes(24 * 60) / bucketMs

export const bucketOf = (at: Date) => Math.floor(at.getTime() / bucketMs)

export interface Reached {
  businessId: Id<'business'>
  /** When it is sent, or will be. */
  at: Date
  amount: number
}

export interface Allowance {
  /** Whether so many more need no approval; what fits is taken from it at once. */
  take(wanted: Reached): boolean
  /** The limit; null for none. */
  limitOf(businessId: Id<'business'>): number | null
  needsTwoPeople(businessId: Id<'business'>): boolean
}

/** Holds the count of each business until the transaction ends. */
export async function openAllowance(
  tx: Tx,
  wanted: readonly Omit<Reached, 'amount'>[],
): Promise<Allowance> {
  const ids = [...new Set(wanted.map(({ businessId }) => businessId))].sort()
  const pending = new Map((await lockReach(tx, ids)).map((one) => [one.businessId, one.pending]))
  const due = wanted.map(({ at }) => bucketOf(at))
  const range = { from: Math.min(...due) - apart, to: Math.max(...due) + apart }
  const [buckets, rules] = await Promise.all([
    findBuckets(tx, ids, range),
    approvalRulesOf(tx, ids),
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
      const used = fullest(its, bucket) + (pending.get(businessId) ?? 0)
      if (limit !== null && used + amount > limit) return false
      its.set(bucket, (its.get(bucket) ?? 0) + amount)
      return true
    },
  }
}

/** What the fullest window with this bucket in it holds. */
function fullest(amounts: ReadonlyMap<number, number>, bucket: number): number {
  const of = (one: number) => amounts.get(one) ?? 0
  let sum = 0
  for (let one = bucket - apart; one <= bucket; one++) sum += of(one)
  let most = sum
  for (let end = bucket + 1; end <= bucket + apart; end++) {
    sum += of(end) - of(end - apart - 1)
    most = Math.max(most, sum)
  }
  return most
}

/** Counts what was sent, or is to be at its hour; a negative amount is given back. */
export async function countReached(tx: Tx, reached: readonly Reached[]): Promise<void> {
  const sums = new Map<string, Bucket>()
  for (const { businessId, at, amount } of reached) {
    const bucket = bucketOf(at)
    const name = `${businessId} ${bucket}`
    sums.set(name, { businessId, bucket, amount: amount + (sums.get(name)?.amount ?? 0) })
  }
  if (sums.size > 0) await addToBuckets(tx, [...sums.values()])
}

/** Counts recipients of a campaign under way; a negative amount is given back. */
export async function countPending(
  tx: Tx,
  businessId: Id<'business'>,
  amount: number,
): Promise<void> {
  if (amount === 0) return
  await lockReach(tx, [businessId])
  await addPending(tx, businessId, amount)
}

/** Holds the count before rows that others lock after it. */
export async function holdCount(tx: Tx, businessId: Id<'business'>): Promise<void> {
  await lockReach(tx, [businessId])
}

/** Drops what no window can hold any more. */
export async function forgetReached(db: Db, now: Date): Promise<void> {
  await deleteBuckets(db, bucketOf(now) - 2 * apart)
}

/** Characters of own words that an answer repeats. */
const mostRepeated = 4_000

interface Wording {
  channel: 'email' | 'sms'
  /** What a campaign of the same words would say, where it is known and short. */
  content?: Record<string, string | null>
}

/** What is answered to marketing that only a person may let out. */
export function needsApproval(limit: number | null, { channel, content = {} }: Wording): Refusal {
  const said = Object.entries(content).filter(([, text]) => text !== null)
  const isShort = said.length > 0 && JSON.stringify(said).length <= mostRepeated
  const reached =
    limit === 0
      ? 'Nothing of marketing leaves this business without a person’s approval.'
      : `Marketing reaches at most ${limit} recipients in 24 hours without a person’s approval, and this would be more.`
  const text = `${reached} Make it a campaign: campaign.deploy then waits for a person to approve it.`
  return refuse('conflict', text, {
    field: 'kind',
    data: { reason: 'approval_limit', deploy_limit: limit },
    fix: {
      tool: 'campaign.generate',
      arguments: { channel, ...(isShort && { content: Object.fromEntries(said) }) },
    },
  })
}
