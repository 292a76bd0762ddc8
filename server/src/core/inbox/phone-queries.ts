/** Every statement that touches the phones of the built-in inbox. */

import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Id } from '../ids.ts'

export const textStates = ['taken', 'delivered', 'failed'] as const
export type TextState = (typeof textStates)[number]

/** A text that a phone of the built-in inbox received or sent. */
export interface PhoneText {
  id: Id<'text'>
  /** The phone's number (E.164). */
  phone: string
  /** The number at the other end: whom the phone wrote to, or who wrote to it. */
  other: string
  isSentByPhone: boolean
  body: string
  segments: number
  /** The business's message that the text is a copy of; null for a text that the phone sent. */
  messageId: Id<'message'> | null
  /** The latest delivery state that was reported for it. */
  state: TextState
  createdAt: Date
}

export function insertText(db: Db, text: PhoneText): Promise<number> {
  return db.run(sql`
    insert into inbox_texts (id, phone, other, is_sent_by_phone, body, segments, message_id, state,
      created_at)
    values (${text.id}, ${text.phone}, ${text.other}, ${text.isSentByPhone}, ${text.body},
      ${text.segments}, ${text.messageId}, ${text.state}, ${text.createdAt})
  `)
}

/** The latest text of each phone, most recent first. */
export function listPhones(db: Db, limit: number): Promise<PhoneText[]> {
  return db.all(sql`
    select id, phone, other, is_sent_by_phone as "isSentByPhone", body, segments,
      message_id as "messageId", state, created_at as "createdAt"
    from (select distinct on (phone) * from inbox_texts order by phone, id desc) latest
    order by id desc limit ${limit}
  `)
}

/** Lists texts, newest first; `phone: null` lists the texts of every phone. */
export function listTexts(db: Db, phone: string | null, limit: number): Promise<PhoneText[]> {
  return db.all(sql`
    select id, phone, other, is_sent_by_phone as "isSentByPhone", body, segments,
      message_id as "messageId", state, created_at as "createdAt"
    from inbox_texts where ${phone}::text is null or phone = ${phone}
    order by id desc limit ${limit}
  `)
}

export function findText(db: Db, id: Id<'text'>): Promise<PhoneText | undefined> {
  return db.maybe(sql`
    select id, phone, other, is_sent_by_phone as "isSentByPhone", body, segments,
      message_id as "messageId", state, created_at as "createdAt"
    from inbox_texts where id = ${id}
  `)
}

export function setTextState(db: Db, id: Id<'text'>, state: TextState): Promise<number> {
  return db.run(sql`update inbox_texts set state = ${state} where id = ${id}`)
}

export function deleteTexts(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from inbox_texts where created_at < ${before}`)
}
