/** Statements about texts that arrive in parts. */

import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

/** The key of a text that arrives in parts. */
export interface PartsKey {
  phone: string
  sender: string
  reference: number
  total: number
}

export interface Part extends PartsKey {
  part: number
  /** The body in UTF-16. */
  body: Buffer
}

/** A part that arrives again replaces the first one. */
export function keepPart(
  tx: Tx,
  { phone, sender, reference, total, part, body }: Part,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into text_parts (phone, sender, reference, total, part, body, received_at)
    values (${phone}, ${sender}, ${reference}, ${total}, ${part}, ${body}, ${now})
    on conflict (phone, sender, reference, total, part)
    do update set body = excluded.body, received_at = excluded.received_at
  `)
}

export function countParts(
  tx: Tx,
  { phone, sender, reference, total }: PartsKey,
): Promise<{ count: number }> {
  return tx.one(sql`
    select count(*)::int as count from text_parts
    where phone = ${phone} and sender = ${sender} and reference = ${reference}
      and total = ${total}
  `)
}

/** Takes the parts that have arrived, so that no other process gets them. */
export function receiveParts(
  tx: Tx,
  { phone, sender, reference, total }: PartsKey,
): Promise<Pick<Part, 'part' | 'body'>[]> {
  return tx.all(sql`
    delete from text_parts
    where phone = ${phone} and sender = ${sender} and reference = ${reference}
      and total = ${total}
    returning part, body
  `)
}

/** Returns texts of which no further part has arrived since `before`. */
export function waitingSince(db: Db, before: Date, limit: number): Promise<PartsKey[]> {
  return db.all(sql`
    select phone, sender, reference, total from text_parts
    group by phone, sender, reference, total
    having max(received_at) <= ${before} order by max(received_at) limit ${limit}
  `)
}
