/** Statements that compute missing address hashes of contacts. */

import type { Id } from '../../core/ids.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface ToMark {
  id: Id<'contact'>
  email: string | null
  phone: string | null
}

export function findToMark(db: Db, businessId: Id<'business'>, limit: number): Promise<ToMark[]> {
  return db.all(
    replanned(sql`
      select id, email, phone from contacts
      where business_id = ${businessId}
        and ((email is not null and email_mark is null)
          or (phone is not null and phone_mark is null))
      limit ${limit}
    `),
  )
}

export interface Marked extends ToMark {
  emailMark: Buffer | null
  phoneMark: Buffer | null
}

/** Updates contacts whose addresses are still the ones that were hashed. */
export function markContacts(db: Db, businessId: Id<'business'>, rows: Marked[]): Promise<number> {
  return db.run(
    replanned(sql`
      update contacts c set email_mark = new.email_mark, phone_mark = new.phone_mark
      from unnest(
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.email)}::text[],
        ${rows.map((row) => row.phone)}::text[],
        ${rows.map((row) => row.emailMark)}::bytea[],
        ${rows.map((row) => row.phoneMark)}::bytea[]
      ) as new (id, email, phone, email_mark, phone_mark)
      where c.business_id = ${businessId} and c.id = new.id
        and c.email is not distinct from new.email and c.phone is not distinct from new.phone
    `),
  )
}
