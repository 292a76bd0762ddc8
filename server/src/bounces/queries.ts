/** All statements about delivery reports and soft bounces. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

export interface ReportRow {
  businessId: Id<'business'>
  identity: Buffer
}

/** Inserts reports, and returns the new ones. A report that was processed before is ignored. */
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
  /** The address hash that suppressions use. */
  mark: Buffer
}

/** Counts one more consecutive soft bounce, and returns the count. */
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
      ${addresses.map((address) => address.businessId)}::uuid[],
      ${addresses.map((address) => address.mark)}::bytea[]
    ) as alive (business_id, mark)
    where soft_bounces.business_id = alive.business_id and soft_bounces.address_hmac = alive.mark
  `)
}

/** Deletes the counts of addresses whose last failure is older than `before`. */
export function deleteSoftBounces(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from soft_bounces where last_at < ${before}`)
}
