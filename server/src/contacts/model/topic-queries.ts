/** All statements about topics only. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Topic } from './topic.ts'

const wholeTopic = sql`
  key, name, description, created_at as "createdAt", updated_at as "updatedAt",
  archived_at as "archivedAt"
`

/** Lists topics in the order in which they were created. */
export function listTopics(db: Db, businessId: Id<'business'>): Promise<Topic[]> {
  return db.all(sqlWithin`
    select ${wholeTopic} from topics where business_id = ${businessId} order by created_at, key
  `)
}

export function findTopic(
  db: Db,
  businessId: Id<'business'>,
  key: string,
): Promise<Topic | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeTopic} from topics where business_id = ${businessId} and key = ${key}
  `)
}

/**
 * The topics, locked so that no other call adds one meanwhile, if there is one already. A call that
 * waited for the lock reads the topics again.
 */
export async function lockTopics(tx: Tx, businessId: Id<'business'>): Promise<Topic[]> {
  await tx.run(sql`
    select from topics where business_id = ${businessId} order by key for update
  `)
  return listTopics(tx, businessId)
}

export function saveTopic(
  tx: Tx,
  businessId: Id<'business'>,
  { key, name, description, createdAt, updatedAt, archivedAt }: Topic,
): Promise<number> {
  return tx.run(sql`
    insert into topics (business_id, key, name, description, created_at, updated_at, archived_at)
    values (${businessId}, ${key}, ${name}, ${description}, ${createdAt}, ${updatedAt},
      ${archivedAt})
    on conflict (business_id, key) do update
    set name = excluded.name, description = excluded.description,
      updated_at = excluded.updated_at, archived_at = excluded.archived_at
  `)
}

/** Which of these topics exist. */
export function findTopics(
  db: Db,
  businessId: Id<'business'>,
  keys: readonly string[],
): Promise<{ key: string; isArchived: boolean }[]> {
  return db.all(sql`
    select key, archived_at is not null as "isArchived" from topics
    where business_id = ${businessId} and key = any (${keys}::text[])
  `)
}
