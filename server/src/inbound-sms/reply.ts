/**
 * A reply: an inbound text that a person sent to one of the installation's numbers
 * (docs/design/sms-replies.md). The files, in the order in which a reader needs them: `hooks.ts` reads
 * what providers send, `receive-part.ts` joins long texts, `receive-sms.ts` handles one with `intent.ts`,
 * `keywords.ts` and `routing.ts`, `list.ts` and `decide.ts` are for people, `ingest-receipts.ts` records
 * receipts, `inbound-sms.ts` builds the parts, and `personal-data.ts` forgets and moves people.
 */

import type { Id } from '../core/ids.ts'
import { highestId, type Page } from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Meaning } from './intent.ts'

/** For a possible opt-out: whether a person has reviewed it, and what they decided. */
export const reviews = ['open', 'opted_out', 'kept'] as const
export type Review = (typeof reviews)[number]

export interface Reply {
  businessId: Id<'business'>
  id: Id<'reply'>
  /** The person's number (E.164). */
  phone: string
  /** The number it was sent to, as the network names it. */
  sender: string
  contactId: Id<'contact'> | null
  body: string
  meaning: Meaning
  review: Review | null
  createdAt: Date
}

/** Returns 1 if the text is new. A repeated delivery changes nothing. */
export function claimText(tx: Tx, identity: Buffer, now: Date): Promise<number> {
  return tx.run(sql`
    insert into taken_texts (identity, created_at) values (${identity}, ${now})
    on conflict do nothing
  `)
}

export interface Answering {
  mark: Buffer
  kind: 'confirmation' | 'help'
}

/**
 * Reserves the answer to a number. Returns 1 if it was free. The upsert itself compares the time,
 * so that only one of two simultaneous texts gets an answer.
 */
export function claimAnswer(
  tx: Tx,
  { mark, kind }: Answering,
  now: Date,
  before: Date,
): Promise<number> {
  return tx.run(sql`
    insert into text_answers (mark, kind, answered_at) values (${mark}, ${kind}, ${now})
    on conflict (mark, kind) do update set answered_at = excluded.answered_at
    where text_answers.answered_at <= ${before}
  `)
}

export function insertReply(tx: Tx, reply: Reply): Promise<number> {
  const { businessId, id, phone, sender, contactId, body, meaning, review, createdAt } = reply
  return tx.run(sql`
    insert into replies (business_id, id, phone, sender, contact_id, body, meaning, review,
      created_at)
    values (${businessId}, ${id}, ${phone}, ${sender}, ${contactId}, ${body}, ${meaning},
      ${review}, ${createdAt})
  `)
}

export function listReplies(
  db: Db,
  businessId: Id<'business'>,
  { open, before, limit }: Page<'reply'> & { open: boolean },
): Promise<Reply[]> {
  return db.all(sql`
    select business_id as "businessId", id, phone, sender, contact_id as "contactId", body,
      meaning, review, created_at as "createdAt"
    from replies
    where business_id = ${businessId} and id < ${before ?? highestId}
      and (not ${open}::boolean or review = 'open')
    order by id desc limit ${limit}
  `)
}

export function lockReply(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'reply'>,
): Promise<Reply | undefined> {
  return tx.maybe(sql`
    select business_id as "businessId", id, phone, sender, contact_id as "contactId", body,
      meaning, review, created_at as "createdAt"
    from replies where business_id = ${businessId} and id = ${id} for no key update
  `)
}

export function setReview(
  tx: Tx,
  { businessId, id }: Pick<Reply, 'businessId' | 'id'>,
  review: Review,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update replies set review = ${review}, decided_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

export function deleteReplies(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from replies where created_at < ${before}`)
}

export function deleteTaken(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from taken_texts where created_at < ${before}`)
}

export function deleteAnswers(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from text_answers where answered_at <= ${before}`)
}
