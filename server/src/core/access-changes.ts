/**
 * What a caller may do has changed: noted with the change, in its transaction, so that a node
 * that keeps what it read of callers (`oauth/connections/principals.ts`) learns of it at the next call. A
 * statement that ends a connection, changes a membership, or a business's name or tier, goes
 * through `noted`.
 */

import { sql } from '../lib/db/db.ts'
import { sqlWithin } from '../lib/db/sql-within.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import type { Id } from './ids.ts'

/** A connection, a person or a business. */
export type Subject = Id<'connection'> | Id<'user'> | Id<'business'>

export interface AccessChange {
  /** Of two changes, the one that committed later has the greater. */
  position: number
  subject: Subject
}

/**
 * The statement, which returns the `subject` of what it changes, and the note of it; gives the
 * number of changes. Whoever notes holds off others until their transaction ends, so it is best
 * among its last.
 */
export function noted(change: Sql, now: Date): Sql {
  return sqlWithin`
    with changed as (${change}), head as (
      update access_head set position = position + 1
      from (select count(*) as changes from changed) as counted
      where changes > 0
      returning position
    )
    insert into access_changes (position, subject, changed_at)
    select head.position, changed.subject, ${now} from head cross join changed
  `
}

/** Those after the position, in no order. */
export function selectAccessChanges(db: Db, position: number): Promise<AccessChange[]> {
  return db.all<AccessChange>(sql`
    select position, subject from access_changes where position > ${position}
  `)
}

export function deleteAccessChanges(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from access_changes where changed_at < ${before}`)
}
