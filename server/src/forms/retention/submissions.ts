/** Retention of form answers: submissions are deleted, the contact and its timeline stay. */
import type { RetainedData } from '../../accounts/businesses/retention.ts'
import { type Id, lowestIdAt } from '../../core/ids.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'

export const retainedSubmissions: RetainedData = {
  kind: 'submissions',

  count: (db, { businessId, before }, limit) =>
    countOldSubmissions(db, { businessId, below: lowestIdAt('submission', before), limit }),

  async deleteSome(tx, { businessId, before, size }) {
    const below = lowestIdAt('submission', before)
    const count = await deleteOldSubmissions(tx, { businessId, below, limit: size })
    // Every row that a batch examines is deleted, so each batch starts again at the oldest row.
    return { count, next: count < size ? null : below }
  },
}

interface Old {
  businessId: Id<'business'>
  /** The ids of older submissions are below this id. */
  below: Id<'submission'>
  limit: number
}

function old({ businessId, below, limit }: Old): Sql {
  return sql`
    select s.form_id, s.id from forms f
    cross join lateral (
      select form_id, id from submissions
      where business_id = ${businessId} and form_id = f.id and id < ${below}
      order by id limit ${limit}
    ) s
    where f.business_id = ${businessId} limit ${limit}`
}

/** Statements about old submissions. Ids grow with time, so the key finds them within a form. */
async function countOldSubmissions(db: Db, request: Old): Promise<number> {
  const { n } = await db.one<{ n: number }>(sqlWithin`
    select count(*)::int as n from (${old(request)}) old
  `)
  return n
}

function deleteOldSubmissions(tx: Tx, request: Old): Promise<number> {
  return tx.run(sqlWithin`
    delete from submissions
    where business_id = ${request.businessId} and (form_id, id) in (${old(request)})
  `)
}
