/** Retention of message bodies, where the message and its outcome stay, and of whole messages. */
import type { RetainedData } from '../accounts/businesses/retention.ts'
import { type Id, lowestIdAt } from '../core/ids.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'

export const retainedMessages: RetainedData = {
  kind: 'messages',

  count: (db, { businessId, before }, limit) =>
    countBodies(db, { businessId, below: lowestIdAt('message', before), limit }),

  async deleteSome(tx, { businessId, before, after, size }) {
    const below = lowestIdAt('message', before)
    const { deleted, last, looked } = await deleteBodies(tx, { businessId, below, after, size })
    return { count: deleted, next: looked < size ? null : last }
  },
}

interface Old {
  businessId: Id<'business'>
  /** The ids of older messages are below this id. */
  below: Id<'message'>
}

/** A message that is still to be sent needs its body. */
const isFinished = sql`m.state in ('accepted', 'delivered', 'bounced', 'failed', 'unknown',
  'suppressed', 'cancelled')`

/** Statements about the bodies of old messages. Ids grow with time, so the key finds them. */
async function countBodies(
  db: Db,
  { businessId, below, limit }: Old & { limit: number },
): Promise<number> {
  const { n } = await db.one<{ n: number }>(sqlWithin`
    select count(*)::int as n from (
      select from message_contents c
      join messages m on m.business_id = ${businessId} and m.id = c.message_id
      where c.business_id = ${businessId} and c.message_id < ${below} and ${isFinished}
      limit ${limit}
    ) old
  `)
  return n
}

interface OldMessages {
  businessId: Id<'business'>
  before: Date
  limit: number
}

/** Finished messages, the oldest first. */
const oldMessages = ({ businessId, before, limit }: OldMessages): Sql => sqlWithin`
  select m.id from messages m
  where m.business_id = ${businessId} and m.id < ${lowestIdAt('message', before)} and ${isFinished}
  order by m.id limit ${limit}`

export async function countOldMessages(db: Db, old: OldMessages): Promise<number> {
  const { n } = await db.one<{ n: number }>(sqlWithin`
    select count(*)::int as n from (${oldMessages(old)}) old
  `)
  return n
}

/** Deletes messages with their bodies; their events end with their month's partition. */
export async function deleteOldMessages(tx: Tx, old: OldMessages): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sqlWithin`
    with old as materialized (${oldMessages(old)}), bodies as (
      delete from message_contents
      where business_id = ${old.businessId} and message_id in (select id from old)
    ), deleted as (
      delete from messages where business_id = ${old.businessId} and id in (select id from old)
      returning id
    )
    select count(*)::int as n from deleted
  `)
  return n
}

function deleteBodies(
  tx: Tx,
  { businessId, below, after, size }: Old & { after: string | null; size: number },
): Promise<{ deleted: number; looked: number; last: string | null }> {
  return tx.one(sqlWithin`
    with old as (
      select message_id from message_contents
      where business_id = ${businessId} and message_id < ${below}
        and (${after}::uuid is null or message_id > ${after}::uuid)
      order by message_id limit ${size}
    ), deleted as (
      delete from message_contents c using messages m
      where c.business_id = ${businessId} and c.message_id in (select message_id from old)
        and m.business_id = ${businessId} and m.id = c.message_id and ${isFinished}
      returning c.message_id
    )
    select (select count(*)::int from deleted) as deleted, count(*)::int as looked,
      max(message_id::text) as last
    from old
  `)
}
