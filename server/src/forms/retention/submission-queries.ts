/** Statements about old submissions. Ids grow with time, so the key finds them within a form. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'

interface Old {
  businessId: Id<'business'>
  /** The ids of older submissions are below this id. */
  below: Id<'submission'>
  most: number
}

function old({ businessId, below, most }: Old): Sql {
  return sql`
    select s.form_id, s.id from forms f
    cross join lateral (
      select form_id, id from submissions
      where business_id = ${businessId} and form_id = f.id and id < ${below}
      order by id limit ${most}
    ) s
    where f.business_id = ${businessId} limit ${most}`
}

export async function countOldSubmissions(db: Db, asked: Old): Promise<number> {
  const { n } = await db.one<{ n: number }>(sqlWithin`
    select count(*)::int as n from (${old(asked)}) old
  `)
  return n
}

export function deleteOldSubmissions(tx: Tx, asked: Old): Promise<number> {
  return tx.run(sqlWithin`
    delete from submissions
    where business_id = ${asked.businessId} and (form_id, id) in (${old(asked)})
  `)
}
