/** Copies the forms of a business into a new one, as drafts. */

import { type Copied, type Copy, copyLimit } from '../core/copying.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

export async function copyForms(tx: Tx, { from, to, now, ids }: Copy): Promise<Copied> {
  const originals = (await selectToCopy(tx, from, copyLimit + 1)).map(({ id }) => id)
  if (originals.length > copyLimit) {
    const text = `More than ${copyLimit} forms cannot be copied at once: leave them out.`
    throw refuse('conflict', text, {
      field: 'copy',
      data: { reason: 'too_many_to_copy', limit: copyLimit },
    })
  }
  const copies = originals.map((original) => {
    const copy = newId('form')
    ids.set(formatId('form', original), formatId('form', copy))
    return copy
  })
  await insertCopies(tx, to, { from, originals, copies, now })
  return { count: originals.length, leftOut: [] }
}

/** The oldest first, without archived ones. */
function selectToCopy(
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
function insertCopies(
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
