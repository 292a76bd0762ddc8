/** Statements about the list of numbers that sent STOP. */

import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

export function insertStopped(tx: Tx, marks: Buffer[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into stopped_numbers (mark, created_at)
    select distinct mark, ${now}::timestamptz from unnest(${marks}::bytea[]) as new (mark)
    order by mark
    on conflict do nothing
  `)
}

export function deleteStopped(tx: Tx, marks: Buffer[]): Promise<number> {
  return tx.run(sql`delete from stopped_numbers where mark = any(${marks}::bytea[])`)
}
