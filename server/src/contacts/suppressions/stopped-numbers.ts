/**
 * Which numbers sent STOP to which sender. A number that several businesses send from is one sender
 * to the person: no business that sends from it, now or later, may write to them. Each business's
 * own suppressions hold only addresses that it has dealt with.
 */
import type { Hmac } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

/** Normalises a sender: networks write a number with or without its plus, and names in any case. */
export function senderKey(sender: string): string {
  const text = sender.trim()
  return /^\+?\d+$/.test(text) ? text.replace('+', '') : text.toLowerCase()
}

/** The hash by which the list knows the pair. @param phone E.164. */
export function stoppedMark(hmac: Hmac, sender: string, phone: string): Buffer {
  return hmac('stopped-number', `${senderKey(sender)} ${phone}`)
}

interface Stop {
  senders: readonly string[]
  phone: string
}

export async function stopNumber(
  tx: Tx,
  hmac: Hmac,
  { senders, phone }: Stop,
  now: Date,
): Promise<void> {
  await insertStopped(tx, marksOf(hmac, senders, phone), now)
}

export async function allowNumber(tx: Tx, hmac: Hmac, { senders, phone }: Stop): Promise<void> {
  await deleteStopped(tx, marksOf(hmac, senders, phone))
}

function marksOf(hmac: Hmac, senders: readonly string[], phone: string): Buffer[] {
  return senders.map((sender) => stoppedMark(hmac, sender, phone))
}

export function insertStopped(tx: Tx, marks: Buffer[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into stopped_numbers (mark, created_at)
    select distinct mark, ${now}::timestamptz from unnest(${marks}::bytea[]) as new (mark)
    order by mark
    on conflict do nothing
  `)
}

function deleteStopped(tx: Tx, marks: Buffer[]): Promise<number> {
  return tx.run(sql`delete from stopped_numbers where mark = any(${marks}::bytea[])`)
}
