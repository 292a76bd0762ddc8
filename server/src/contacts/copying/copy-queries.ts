/** The statements that copy topics and segments into a new business. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Filter } from '../filters/filter.ts'

/** Topics keep their keys, by which forms and segments name them. */
export function insertCopiedTopics(
  tx: Tx,
  businessId: Id<'business'>,
  { from, now }: { from: Id<'business'>; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into topics (business_id, key, name, description, created_at, updated_at, archived_at)
    select ${businessId}, key, name, description, created_at, ${now}, archived_at
    from topics where business_id = ${from}
  `)
}

export interface SegmentToCopy {
  id: Id<'segment'>
  name: string
  filter: Filter
}

export function selectSegments(tx: Tx, businessId: Id<'business'>): Promise<SegmentToCopy[]> {
  return tx.all(sql`
    select id, name, filter from segments
    where business_id = ${businessId} and deleted_at is null
    order by id
  `)
}

export function insertSegments(
  tx: Tx,
  businessId: Id<'business'>,
  segments: readonly SegmentToCopy[],
  now: Date,
): Promise<number> {
  const rows = segments.map(({ id, name, filter }) => ({
    id,
    name,
    filter: JSON.stringify(filter),
  }))
  return tx.run(sql`
    insert into segments (business_id, id, name, filter, version, created_at, updated_at)
    select ${businessId}, id, name, filter::json, 1, ${now}, ${now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ filter }) => filter)}::text[]) as copied (id, name, filter)
  `)
}
