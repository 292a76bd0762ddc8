import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

/** The number of recipients by half hour since 1970. */
export type Counted = Record<string, number>

interface CountedOrders {
  /** Of messages of every kind. */
  counted: Counted
  transactional: Counted
}

/** That a person got a message: the hash of each, and the half hour. */
export type SentMessage = [message: string, person: string, halfHour: number]

interface LockedOrders extends CountedOrders {
  sameMessage: SentMessage[]
}

/** The recipients that the connection has ordered, locked until the transaction ends. */
export function lockCounted(
  tx: Tx,
  businessId: Id<'business'>,
  connectionId: Id<'connection'>,
): Promise<LockedOrders> {
  return tx.one(sql`
    insert into key_recipients (business_id, connection_id, counted)
    values (${businessId}, ${connectionId}, '{}')
    on conflict (business_id, connection_id) do update set counted = key_recipients.counted
    returning counted, transactional, same_message as "sameMessage"
  `)
}

export function saveCounted(
  tx: Tx,
  businessId: Id<'business'>,
  {
    connectionId,
    counted,
    transactional,
    sameMessage,
  }: LockedOrders & { connectionId: Id<'connection'> },
): Promise<number> {
  return tx.run(sql`
    update key_recipients set counted = ${JSON.stringify(counted)}::json,
      transactional = ${JSON.stringify(transactional)}::json,
      same_message = ${JSON.stringify(sameMessage)}::json
    where business_id = ${businessId} and connection_id = ${connectionId}
  `)
}

export function selectCounted(
  db: Db,
  businessId: Id<'business'>,
  connections: readonly Id<'connection'>[],
): Promise<(CountedOrders & { id: Id<'connection'> })[]> {
  return db.all(sql`
    select connection_id as id, counted, transactional from key_recipients
    where business_id = ${businessId} and connection_id = any (${[...connections]}::uuid[])
  `)
}
