/**
 * Changes to what a caller may do. Each is recorded in the transaction that makes it, so that a
 * node that caches what it read of callers (`oauth/connections/principals.ts`) learns of the
 * change at the next call. A statement that ends a connection, changes a membership, or changes a
 * business's name or tier goes through `withAccessChange`.
 */

import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import type { Id } from './ids.ts'

/** What a change is about: a connection, a person or a business. */
export type Subject = Id<'connection'> | Id<'user'> | Id<'business'>

export interface AccessChange {
  /** Grows with the order of commits: of two changes, the later one has the greater position. */
  position: number
  subject: Subject
}

/**
 * Adds the record of the change to a statement that returns the `subject` of each row it changed;
 * the combined statement returns the number of changes. It locks out other recorders until the
 * transaction ends, so it should be among the transaction's last statements.
 */
export function withAccessChange(change: Sql, now: Date): Sql {
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

/** Reads the changes after a position, in no particular order. */
export function selectAccessChanges(db: Db, position: number): Promise<AccessChange[]> {
  return db.all<AccessChange>(sql`
    select position, subject from access_changes where position > ${position}
  `)
}

export function deleteAccessChanges(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from access_changes where changed_at < ${before}`)
}
