/** Statements that count marketing recipients reached without a person's approval. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

export interface Pending {
  businessId: Id<'business'>
  pending: number
}

/** Locks the row of each business until the transaction ends, in a fixed order. */
export function lockReach(tx: Tx, ids: readonly Id<'business'>[]): Promise<Pending[]> {
  return tx.all(sql`
    insert into unapproved_reach (business_id, pending)
    select business_id, 0 from unnest(${ids}::uuid[]) as asked (business_id) order by business_id
    on conflict (business_id) do update set pending = unapproved_reach.pending
    returning business_id as "businessId", pending
  `)
}

export interface Bucket {
  businessId: Id<'business'>
  bucket: number
  amount: number
}

export function findBuckets(
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
export function addToBuckets(tx: Tx, rows: readonly Bucket[]): Promise<number> {
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

export function addPending(tx: Tx, businessId: Id<'business'>, amount: number): Promise<number> {
  return tx.run(sql`
    update unapproved_reach set pending = greatest(0, pending + ${amount})
    where business_id = ${businessId}
  `)
}

export function deleteBuckets(db: Db, before: number): Promise<number> {
  return db.run(sql`delete from unapproved_reach_buckets where bucket < ${before}`)
}
