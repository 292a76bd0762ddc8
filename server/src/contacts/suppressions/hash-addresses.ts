import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { markOf } from './suppression.ts'

const perStatement = 5_000

/**
 * Hashes addresses of contacts that were saved before hashes were stored; call it before a
 * statement that joins suppressions. If there is nothing to do, it costs one look at an empty
 * index.
 */
export async function markAddresses(db: Db, hmac: Hmac, businessId: Id<'business'>): Promise<void> {
  for (;;) {
    const rows = await findToMark(db, businessId, perStatement)
    if (rows.length === 0) return
    const mark = (address: string | null) =>
      address === null ? null : markOf(hmac, businessId, address)
    const marked = rows.map((entry) => {
      return { ...entry, emailMark: mark(entry.email), phoneMark: mark(entry.phone) }
    })
    await markContacts(db, businessId, marked)
    if (rows.length < perStatement) return
  }
}

interface ToMark {
  id: Id<'contact'>
  email: string | null
  phone: string | null
}

function findToMark(db: Db, businessId: Id<'business'>, limit: number): Promise<ToMark[]> {
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

interface Marked extends ToMark {
  emailMark: Buffer | null
  phoneMark: Buffer | null
}

/** Updates contacts whose addresses are still the ones that were hashed. */
function markContacts(db: Db, businessId: Id<'business'>, rows: Marked[]): Promise<number> {
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
