/** Statements about visits to tracked links. */

import { limits } from '../config.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

export interface MessageKey {
  businessId: Id<'business'>
  messageId: Id<'message'>
}

export interface LinkVisit extends MessageKey {
  /** Derived from link, visitor and second, so that repeated visits in a second are one. */
  id: string
  /** Null for the hidden link. */
  linkHash: Buffer | null
  /** The number of links in the message. */
  links: number
  visitor: Buffer
  machine: boolean
  at: Date
}

const mostKept = limits.visitsPerMessageMinute

/**
 * Inserts new visits, up to the limit per message and minute, and returns the inserted ones. Nodes
 * that insert at the same moment may together exceed the limit slightly. Judging deletes the
 * surplus.
 */
export function insertVisits(
  tx: Tx,
  visits: readonly LinkVisit[],
): Promise<Pick<LinkVisit, 'businessId' | 'messageId' | 'at'>[]> {
  // One statement cannot insert a row twice, and duplicates would use up the room of others.
  const once = [
    ...new Map(visits.map((visit) => [`${visit.messageId} ${visit.id}`, visit])).values(),
  ]
  return tx.all(sql`
    with new as (
      select *, to_timestamp(60 * floor(extract(epoch from visited_at) / 60)) as minute from unnest(
        ${once.map((visit) => visit.businessId)}::uuid[],
        ${once.map((visit) => visit.messageId)}::uuid[],
        ${once.map((visit) => visit.id)}::uuid[],
        ${once.map((visit) => visit.linkHash)}::bytea[],
        ${once.map((visit) => visit.links)}::smallint[],
        ${once.map((visit) => visit.visitor)}::bytea[],
        ${once.map((visit) => visit.machine)}::boolean[],
        ${once.map((visit) => visit.at)}::timestamptz[]
      ) as new (business_id, message_id, id, link_hash, links, visitor, machine, visited_at)
      where not exists (
        select from link_visits known where known.business_id = new.business_id
          and known.message_id = new.message_id and known.id = new.id
      )
    ), kept as (
      select business_id, message_id, minute, (
        select count(*) from link_visits known where known.business_id = one.business_id
          and known.message_id = one.message_id
          and known.visited_at >= one.minute
          and known.visited_at < one.minute + interval '1 minute'
      ) as count
      from (select distinct business_id, message_id, minute from new) one
    ), placed as (
      select new.*, kept.count + row_number() over (
        partition by new.business_id, new.message_id, new.minute order by visited_at, new.id
      ) as place
      from new join kept on kept.business_id = new.business_id
        and kept.message_id = new.message_id and kept.minute = new.minute
    )
    insert into link_visits (business_id, message_id, id, link_hash, links, visitor, machine,
      visited_at)
    select business_id, message_id, id, link_hash, links, visitor, machine, visited_at
    from placed where place <= ${mostKept}
    on conflict do nothing
    returning business_id as "businessId", message_id as "messageId", visited_at as at
  `)
}

/**
 * Deletes a message's visits beyond its limit in each minute since `since`. It uses an array,
 * because a join may be planned for few rows when an attack left many.
 */
export function deleteSurplus(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  since: Date,
): Promise<number> {
  return tx.run(sql`
    delete from link_visits
    where business_id = ${businessId} and message_id = ${messageId} and id = any(array(
      select id from (
        select id, row_number() over (
          partition by floor(extract(epoch from visited_at) / 60) order by visited_at, id
        ) as place
        from link_visits
        where business_id = ${businessId} and message_id = ${messageId}
          and visited_at >= to_timestamp(60 * floor(extract(epoch from ${since}::timestamptz) / 60))
      ) placed
      where place > ${mostKept}
    ))
  `)
}

export interface StoredVisit extends LinkVisit {
  judged: boolean
  url: string | null
}

/** Locks the visits to a message's links since a moment, oldest first. */
export function lockVisits(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  { since, limit }: { since: Date; limit: number },
): Promise<StoredVisit[]> {
  return tx.all(sql`
    select v.business_id as "businessId", v.message_id as "messageId", v.id,
      v.link_hash as "linkHash", v.links, v.visitor, v.machine, v.visited_at as at,
      v.judged_at is not null as judged, l.url
    from link_visits v
    left join tracked_links l on l.business_id = v.business_id and l.hash = v.link_hash
    where v.business_id = ${businessId} and v.message_id = ${messageId}
      and v.visited_at >= ${since}
    order by v.visited_at, v.id
    limit ${limit}
    for no key update of v
  `)
}

export function markJudged(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update link_visits set judged_at = ${now}
    where business_id = ${businessId} and message_id = ${messageId} and id = any(${ids}::uuid[])
  `)
}

export function deleteJudged(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  ids: readonly string[],
): Promise<number> {
  return tx.run(sql`
    delete from link_visits
    where business_id = ${businessId} and message_id = ${messageId} and id = any(${ids}::uuid[])
  `)
}

/** Messages with unjudged visits, of all businesses: work for the whole cluster. */
export function findUnjudged(db: Db, before: Date): Promise<(MessageKey & { since: Date })[]> {
  return db.all(sql`
    select business_id as "businessId", message_id as "messageId", min(visited_at) as since
    from link_visits where judged_at is null and visited_at < ${before}
    group by business_id, message_id limit 1000
  `)
}

export function deleteVisits(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from link_visits where visited_at < ${before}`)
}
