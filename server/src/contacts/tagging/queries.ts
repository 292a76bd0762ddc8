/** Statements about taggings, and the one that finds the contacts whose tags change. */

import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import { plannedAnew, sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'
import type { Tagging } from './tagging.ts'

const wholeTagging = sql`
  t.id, t.filter, t.add_tags as "addTags", t.remove_tags as "removeTags", t.contacts, t.looked,
  t.changed, t.refused, t.looked_to as "lookedTo", t.asked_at as "askedAt",
  t.finished_at as "finishedAt", t.connection_id as "connectionId", t.call_id as "callId"
`

export function insertTagging(tx: Tx, businessId: Id<'business'>, one: Tagging): Promise<number> {
  return tx.run(sql`
    insert into taggings (business_id, id, filter, add_tags, remove_tags, contacts, looked, changed,
      refused, looked_to, asked_at, connection_id, call_id)
    values (${businessId}, ${one.id}, ${JSON.stringify(one.filter)}, ${one.addTags},
      ${one.removeTags}, ${one.contacts}, 0, 0, 0, ${one.lookedTo}, ${one.askedAt},
      ${one.connectionId}, ${one.callId})
  `)
}

export function findTagging(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'tagging'>,
): Promise<Tagging | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeTagging} from taggings t where t.business_id = ${businessId} and t.id = ${id}
  `)
}

export type RunningTagging = Tagging & { tier: Tier; zone: string }

/**
 * The tagging, with the data of its business that a run needs; locked, so that nobody else runs it
 * meanwhile.
 */
export function lockTagging(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'tagging'>,
): Promise<RunningTagging | undefined> {
  return tx.maybe(sqlWithin`
    select ${wholeTagging}, b.tier, b.time_zone as zone
    from taggings t join businesses b on b.id = t.business_id
    where t.business_id = ${businessId} and t.id = ${id}
    for update of t
  `)
}

export function saveProgress(tx: Tx, businessId: Id<'business'>, one: Tagging): Promise<number> {
  return tx.run(sql`
    update taggings set looked = ${one.looked}, changed = ${one.changed}, refused = ${one.refused},
      looked_to = ${one.lookedTo}, finished_at = ${one.finishedAt}
    where business_id = ${businessId} and id = ${one.id}
  `)
}

export function countUnderWay(db: Db, businessId: Id<'business'>): Promise<{ n: number }> {
  return db.one(sql`
    select count(*) as n from taggings where business_id = ${businessId} and finished_at is null
  `)
}

export function forgetFinished(tx: Tx, businessId: Id<'business'>, before: Date): Promise<number> {
  return tx.run(sql`
    delete from taggings where business_id = ${businessId} and finished_at < ${before}
  `)
}

export function newestContact(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ id: Id<'contact'> } | undefined> {
  return db.maybe(sql`
    select id from contacts where business_id = ${businessId} order by id desc limit 1
  `)
}

export interface ToTag {
  email: string | null
  phone: string | null
}

interface TaggingRange {
  where: Sql
  from: Id<'contact'> | null
  upTo: Id<'contact'>
}

/**
 * Locks the contacts that a condition on rows `c` matches, so that none is deleted or merged
 * meanwhile.
 */
export function lockMatching(
  tx: Tx,
  businessId: Id<'business'>,
  { where, from, upTo }: TaggingRange,
): Promise<ToTag[]> {
  return tx.all(
    plannedAnew(sqlWithin`
      select c.email, c.phone from contacts c
      where c.business_id = ${businessId} and c.id >= ${from ?? oldest} and c.id <= ${upTo}
        and ${where}
      order by c.id
      for update of c
    `),
  )
}

const oldest = '00000000-0000-0000-0000-000000000000'

/** The last of the next `size` contacts, counting from `upTo` inclusive, and how many they are. */
export async function floorFrom(
  db: Db,
  businessId: Id<'business'>,
  { upTo, size }: { upTo: Id<'contact'>; size: number },
): Promise<{ floor: Id<'contact'> | null; next: Id<'contact'> | null; count: number }> {
  return db.one(sql`
    select (array_agg(id order by id))[case when count(*) > ${size} then 2 else 1 end] as floor,
      case when count(*) > ${size} then (array_agg(id order by id))[1] end as next,
      least(count(*), ${size}) as count
    from (
      select id from contacts where business_id = ${businessId} and id <= ${upTo}
      order by id desc limit ${size + 1}
    ) range
  `)
}

export interface NamingTagging {
  id: Id<'tagging'>
  filter: unknown
}

/** Taggings in whose filter the text occurs, whatever its case. */
export function findTaggingsNaming(
  tx: Tx,
  businessId: Id<'business'>,
  text: string,
): Promise<NamingTagging[]> {
  return tx.all(sql`
    select id, filter from taggings
    where business_id = ${businessId} and strpos(lower(filter::text), lower(${text})) > 0
    order by id for update
  `)
}

export function replaceFilter(
  tx: Tx,
  businessId: Id<'business'>,
  { id, filter }: NamingTagging,
): Promise<number> {
  return tx.run(sql`
    update taggings set filter = ${JSON.stringify(filter)}
    where business_id = ${businessId} and id = ${id}
  `)
}
