/** The statements that copy forms into a new business. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

/** The oldest first, without archived ones. */
export function selectToCopy(
  tx: Tx,
  businessId: Id<'business'>,
  limit: number,
): Promise<{ id: Id<'form'> }[]> {
  return tx.all(sql`
    select id from forms where business_id = ${businessId} and status <> 'archived'
    order by id limit ${limit}
  `)
}

/** The copies are drafts without submissions, so that nobody finds them before a person looked. */
export function insertCopies(
  tx: Tx,
  businessId: Id<'business'>,
  {
    from,
    originals,
    copies,
    now,
  }: {
    from: Id<'business'>
    originals: readonly Id<'form'>[]
    copies: readonly Id<'form'>[]
    now: Date
  },
): Promise<number> {
  return tx.run(sql`
    insert into forms (business_id, id, name, status, fields, tags, page, double_opt_in, version,
      submission_count, created_at, updated_at)
    select ${businessId}, copied.copy, f.name, 'draft', f.fields, f.tags, f.page, f.double_opt_in,
      1, 0, ${now}, ${now}
    from unnest(${originals}::uuid[], ${copies}::uuid[]) as copied (original, copy)
    join forms f on f.business_id = ${from} and f.id = copied.original
  `)
}
