/** The statements about links that were followed. */
import { type Db, sql, type Tx } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'

export interface LinkVisit {
  businessId: Id<'business'>
  messageId: Id<'message'>
  /** Made of link, visitor and second: whoever asks twice in a second asks once. */
  id: string
  /** Null: the link that no person sees. */
  linkHash: Buffer | null
  /** How many links the message has. */
  links: number
  visitor: Buffer
  machine: boolean
  at: Date
}

export function insertVisits(tx: Tx, visits: LinkVisit[]): Promise<number> {
  return tx.run(sql`
    insert into link_visits (business_id, message_id, id, link_hash, links, visitor, machine,
      visited_at)
    select * from unnest(
      ${visits.map((one) => one.businessId)}::uuid[],
      ${visits.map((one) => one.messageId)}::uuid[],
      ${visits.map((one) => one.id)}::uuid[],
      ${visits.map((one) => one.linkHash)}::bytea[],
      ${visits.map((one) => one.links)}::smallint[],
      ${visits.map((one) => one.visitor)}::bytea[],
      ${visits.map((one) => one.machine)}::boolean[],
      ${visits.map((one) => one.at)}::timestamptz[]
    )
    on conflict do nothing
  `)
}

export interface StoredVisit extends LinkVisit {
  judged: boolean
  url: string | null
}

/** Visits to the links of a message since a moment, locked, oldest first. */
export function lockVisits(
  tx: Tx,
  businessId: Id<'business'>,
  messageId: Id<'message'>,
  since: Date,
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
    for no key update of v
  `)
}

export function markJudged(
  tx: Tx,
  businessId: Id<'business'>,
  messageId: Id<'message'>,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update link_visits set judged_at = ${now}
    where business_id = ${businessId} and message_id = ${messageId} and id = any(${ids}::uuid[])
  `)
}

/** Messages with visits that nobody judged, over all businesses: work for the cluster. */
export function findUnjudged(
  db: Db,
  before: Date,
): Promise<{ businessId: Id<'business'>; messageId: Id<'message'>; since: Date }[]> {
  return db.all(sql`
    select business_id as "businessId", message_id as "messageId", min(visited_at) as since
    from link_visits where judged_at is null and visited_at < ${before}
    group by business_id, message_id limit 1000
  `)
}

export function deleteVisits(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from link_visits where visited_at < ${before}`)
}
