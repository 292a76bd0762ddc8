import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

/** The number of recipients by half hour since 1970. */
export type Counted = Record<string, number>

/** The recipients that the connection has ordered, locked until the transaction ends. */
export async function lockCounted(
  tx: Tx,
  businessId: Id<'business'>,
  connectionId: Id<'connection'>,
): Promise<Counted> {
  const { counted } = await tx.one<{ counted: Counted }>(sql`
    insert into key_recipients (business_id, connection_id, counted)
    values (${businessId}, ${connectionId}, '{}')
    on conflict (business_id, connection_id) do update set counted = key_recipients.counted
    returning counted
  `)
  return counted
}

export function saveCounted(
  tx: Tx,
  businessId: Id<'business'>,
  { connectionId, counted }: { connectionId: Id<'connection'>; counted: Counted },
): Promise<number> {
  return tx.run(sql`
    update key_recipients set counted = ${JSON.stringify(counted)}::json
    where business_id = ${businessId} and connection_id = ${connectionId}
  `)
}

export function selectCounted(
  db: Db,
  businessId: Id<'business'>,
  connections: readonly Id<'connection'>[],
): Promise<{ id: Id<'connection'>; counted: Counted }[]> {
  return db.all(sql`
    select connection_id as id, counted from key_recipients
    where business_id = ${businessId} and connection_id = any (${[...connections]}::uuid[])
  `)
}
