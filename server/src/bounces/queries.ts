/** Every statement about reports that came back. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

export interface ReportRow {
  businessId: Id<'business'>
  identity: Buffer
}

/** Gives those that are new: a report that was taken before leaves nothing. */
export function insertReports(
  tx: Tx,
  rows: ReportRow[],
  now: Date,
): Promise<{ identity: Buffer }[]> {
  return tx.all(sql`
    insert into delivery_reports (business_id, identity, created_at)
    select business_id, identity, ${now}
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[], ${rows.map((row) => row.identity)}::bytea[]
    ) as new (business_id, identity)
    on conflict do nothing
    returning identity
  `)
}

export function deleteReports(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from delivery_reports where created_at < ${before}`)
}

interface Address {
  businessId: Id<'business'>
  /** As suppressions know it. */
  mark: Buffer
}

/** Counts one more failure in a row. */
export function countSoftBounces(
  tx: Tx,
  { businessId, mark }: Address,
  now: Date,
): Promise<{ count: number }> {
  return tx.one(sql`
    insert into soft_bounces as seen (business_id, address_hmac, count, last_at)
    values (${businessId}, ${mark}, 1, ${now})
    on conflict (business_id, address_hmac) do update
    set count = seen.count + 1, last_at = excluded.last_at
    returning count
  `)
}

export function forgetSoftBounces(tx: Tx, addresses: Address[]): Promise<number> {
  return tx.run(sql`
    delete from soft_bounces using unnest(
      ${addresses.map((one) => one.businessId)}::uuid[],
      ${addresses.map((one) => one.mark)}::bytea[]
    ) as alive (business_id, mark)
    where soft_bounces.business_id = alive.business_id and soft_bounces.address_hmac = alive.mark
  `)
}

/** Rows that ended by themselves: nothing failed for so long. */
export function deleteSoftBounces(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from soft_bounces where last_at < ${before}`)
}
