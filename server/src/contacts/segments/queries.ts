/** Statements about segments. */

import type { Id } from '../../core/ids.ts'
import { highestId, type Page } from '../../core/paging.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Segment } from './segment.ts'

const wholeSegment = sql`
  id, name, filter, version, created_at as "createdAt", updated_at as "updatedAt"
`

/** Undefined if another segment of the business has the name. */
export function insertSegment(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name, filter, updatedAt }: Omit<Segment, 'version' | 'createdAt'>,
): Promise<Segment | undefined> {
  return tx.maybe(sqlWithin`
    insert into segments (business_id, id, name, filter, version, created_at, updated_at)
    values (${businessId}, ${id}, ${name}, ${JSON.stringify(filter)}, 1, ${updatedAt},
      ${updatedAt})
    on conflict do nothing
    returning ${wholeSegment}
  `)
}

export function updateSegment(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name, filter, version, updatedAt }: Segment,
): Promise<number> {
  return tx.run(sql`
    update segments set name = ${name}, filter = ${JSON.stringify(filter)}, version = ${version},
      updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}
  `)
}

/** The segment, locked until the transaction ends. */
export function lockSegment(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'segment'>,
): Promise<Segment | undefined> {
  return tx.maybe(sqlWithin`
    select ${wholeSegment} from segments
    where business_id = ${businessId} and id = ${id} and deleted_at is null
    for update
  `)
}

export function findSegment(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'segment'>,
): Promise<Segment | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeSegment} from segments
    where business_id = ${businessId} and id = ${id} and deleted_at is null
  `)
}

export function findSegments(
  db: Db,
  businessId: Id<'business'>,
  ids: readonly Id<'segment'>[],
): Promise<Segment[]> {
  return db.all(sqlWithin`
    select ${wholeSegment} from segments
    where business_id = ${businessId} and id = any (${ids}::uuid[]) and deleted_at is null
  `)
}

/** Segments whose filters refer to other segments, or to the given one. */
export function findReferring(
  db: Db,
  businessId: Id<'business'>,
  segmentId: string,
): Promise<Pick<Segment, 'id' | 'name' | 'filter'>[]> {
  return db.all(sql`
    select id, name, filter from segments
    where business_id = ${businessId} and deleted_at is null
      and position(${segmentId}::text in filter::text) > 0
  `)
}

/** Another segment with this name, ignoring case. */
export function findNamesake(
  db: Db,
  businessId: Id<'business'>,
  { id, name }: Pick<Segment, 'id' | 'name'>,
): Promise<{ id: Id<'segment'> } | undefined> {
  return db.maybe(sql`
    select id from segments
    where business_id = ${businessId} and lower(name) = lower(${name}) and id <> ${id}
      and deleted_at is null
  `)
}

/** Lists segments, newest first. */
export function listSegments(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: Page<'segment'>,
): Promise<Segment[]> {
  return db.all(sqlWithin`
    select ${wholeSegment} from segments
    where business_id = ${businessId} and id < ${before ?? highestId} and deleted_at is null
    order by id desc limit ${limit}
  `)
}

export function countSegments(db: Db, businessId: Id<'business'>): Promise<{ n: number }> {
  return db.one(sql`
    select count(*) as n from segments where business_id = ${businessId} and deleted_at is null
  `)
}

/**
 * Deletes everything of the segment but the fact that it existed, even if it is deleted already.
 */
export function deleteSegment(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'segment'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update segments set name = '', filter = '{}', deleted_at = coalesce(deleted_at, ${now})
    where business_id = ${businessId} and id = ${id}
  `)
}

export function forgetDeleted(tx: Tx, businessId: Id<'business'>, before: Date): Promise<number> {
  return tx.run(sql`
    delete from segments where business_id = ${businessId} and deleted_at < ${before}
  `)
}

/** Which of these businesses has the segment. */
export function findOwner(
  db: Db,
  businessIds: readonly Id<'business'>[],
  id: Id<'segment'>,
): Promise<{ businessId: Id<'business'> } | undefined> {
  return db.maybe(sql`
    select business_id as "businessId" from segments
    where business_id = any(${businessIds}::uuid[]) and id = ${id}
  `)
}

export interface NamingFilter {
  id: Id<'segment'>
  filter: unknown
}

/** Segments in whose filter the text occurs, whatever its case. */
export function findFiltersNaming(
  tx: Tx,
  businessId: Id<'business'>,
  text: string,
): Promise<NamingFilter[]> {
  return tx.all(sql`
    select id, filter from segments
    where business_id = ${businessId} and strpos(lower(filter::text), lower(${text})) > 0
    order by id for update
  `)
}

/** Replaces a filter without making a new version, because it matches the same people. */
export function replaceFilter(
  tx: Tx,
  businessId: Id<'business'>,
  { id, filter }: NamingFilter,
): Promise<number> {
  return tx.run(sql`
    update segments set filter = ${JSON.stringify(filter)}
    where business_id = ${businessId} and id = ${id}
  `)
}
