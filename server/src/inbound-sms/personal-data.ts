import type { PersonPage, PersonPart, PersonRow } from '../contacts/exporting/person-part.ts'
import type { ErasedPerson, MergedContact, PersonalData } from '../contacts/personal-data.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

/** Moves and erases a person's texts. STOP is stored elsewhere, by a hash of the number. */
export const replyPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveReplies(tx, moved)
  },
  async forget(tx, erased) {
    await deleteRepliesOf(tx, erased)
    return true
  },
}

export const replyPersonPart: PersonPart = {
  name: 'replies',
  tables: ['replies'],
  page: (db, { businessId, contact }, page) => replyRows(db, { ...contact, businessId }, page),
}

/** Statements about replies by contact. No index serves them, because the queries are rare. */
function moveReplies(tx: Tx, { businessId, from, to }: MergedContact): Promise<number> {
  return tx.run(sql`
    update replies set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

function deleteRepliesOf(
  tx: Tx,
  { businessId, contactIds, addresses }: ErasedPerson,
): Promise<number> {
  return tx.run(sql`
    delete from replies
    where business_id = ${businessId}
      and (contact_id = any(${contactIds}::uuid[]) or phone = any(${addresses}::text[]))
  `)
}

/** Includes replies that came from the person's number before it belonged to a contact. */
function replyRows(
  db: Db,
  {
    businessId,
    id,
    phone,
  }: { businessId: Id<'business'>; id: Id<'contact'>; phone: string | null },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select r.id::text as key, to_jsonb(r) - '{business_id,contact_id}'::text[] as row
    from replies r
    where r.business_id = ${businessId} and (r.contact_id = ${id} or r.phone = ${phone})
      and r.id::text > ${after}
    order by r.id::text limit ${limit}
  `)
}
