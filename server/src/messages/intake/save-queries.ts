/** Statements that insert messages. */

import type { Channel } from '../../contacts/contact.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { MessageState } from '../model/message.ts'

export interface Recent {
  businessId: Id<'business'>
  hash: Buffer
  messageId: Id<'message'>
}

/**
 * Reserves each content for two minutes. Returns those that were free. The upsert itself compares
 * the time, so that only one of two simultaneous calls gets the reservation. The two minutes are
 * `limits.duplicateMs`, written out because a plan of a conflict takes no parameters.
 */
export function claimRecent(tx: Tx, rows: Recent[], now: Date): Promise<Recent[]> {
  return tx.all(sql`
    insert into recent_messages (business_id, content_hash, message_id, created_at)
    select business_id, hash, message_id, ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.hash)}::bytea[],
      ${rows.map((row) => row.messageId)}::uuid[]
    ) as new (business_id, hash, message_id)
    order by business_id, hash
    on conflict (business_id, content_hash) do update
    set message_id = excluded.message_id, created_at = excluded.created_at
    where excluded.created_at - recent_messages.created_at >= interval '120 seconds'
    returning business_id as "businessId", content_hash as hash, message_id as "messageId"
  `)
}

export interface First {
  hash: Buffer
  id: Id<'message'>
  state: MessageState
}

/** Returns the messages that hold the reservations. */
export function findFirst(tx: Tx, rows: Omit<Recent, 'messageId'>[]): Promise<First[]> {
  return tx.all(sql`
    select r.content_hash as hash, m.id, m.state
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[], ${rows.map((row) => row.hash)}::bytea[]
    ) as asked (business_id, hash)
    join recent_messages r on r.business_id = asked.business_id and r.content_hash = asked.hash
    join messages m on m.business_id = r.business_id and m.id = r.message_id
  `)
}

/** Releases the reservations of messages that are not sent after all. */
export function freeRecent(tx: Tx, rows: Recent[]): Promise<number> {
  return tx.run(sql`
    delete from recent_messages r
    using unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.hash)}::bytea[],
      ${rows.map((row) => row.messageId)}::uuid[]
    ) as freed (business_id, hash, message_id)
    where r.business_id = freed.business_id and r.content_hash = freed.hash
      and r.message_id = freed.message_id
  `)
}

export function deleteRecent(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from recent_messages where created_at < ${before}`)
}

export interface MessageRow {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  kind: string
  topic: string | null
  isReply: boolean
  segments: number | null
  contactId: Id<'contact'> | null
  recipient: string
  mark: Buffer | null
  templateId: Id<'template'> | null
  templateVersionId: string | null
  shownBlocks: number | null
  state: MessageState
  dueAt: Date
  queuedAt: Date | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  subject: string | null
  html: string | null
  text: string | null
  /** JSON text, like the attachments. */
  variables: string | null
  attachments: string | null
  trackOpens: boolean
  trackClicks: boolean
  /** JSON text. */
  labels: string | null
  /** JSON text. */
  fields: string | null
  language: string | null
  /** The message that this one is a copy of. */
  copyOf: Id<'message'> | null
}

/** Inserts the messages with their content. */
export async function insertMessages(tx: Tx, rows: MessageRow[], now: Date): Promise<void> {
  await Promise.all([
    insertContents(tx.pipelined, rows, now),
    insertStates(tx.pipelined, rows, now),
  ])
}

function insertContents(tx: Tx, rows: MessageRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into message_contents (business_id, message_id, subject, html, body_text, variables,
      attachments, track_opens, track_clicks, header_fields, copy_of, language, created_at)
    select business_id, id, subject, html, body_text, variables, attachments, track_opens,
      track_clicks, header_fields, copy_of, language, ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.html)}::text[],
      ${rows.map((row) => row.text)}::text[],
      ${rows.map((row) => row.variables)}::json[],
      ${rows.map((row) => row.attachments)}::json[],
      ${rows.map((row) => row.trackOpens)}::boolean[],
      ${rows.map((row) => row.trackClicks)}::boolean[],
      ${rows.map((row) => row.fields)}::jsonb[],
      ${rows.map((row) => row.copyOf)}::uuid[],
      ${rows.map((row) => row.language)}::text[]
    ) as new (business_id, id, subject, html, body_text, variables, attachments, track_opens,
      track_clicks, header_fields, copy_of, language)
  `)
}

function insertStates(tx: Tx, rows: MessageRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into messages (business_id, id, channel, kind, topic, is_reply, segments, contact_id,
      recipient, recipient_mark, template_id, template_version_id, shown_blocks, state, attempts,
      due_at, queued_at, connection_id, call_id, labels, created_at, updated_at)
    select business_id, id, channel, kind, topic, is_reply, segments, contact_id, recipient, mark,
      template_id, template_version_id, shown_blocks, state, 0, due_at, queued_at, connection_id, call_id, labels,
      ${now}::timestamptz, ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => row.topic)}::text[],
      ${rows.map((row) => row.isReply)}::boolean[],
      ${rows.map((row) => row.segments)}::smallint[],
      ${rows.map((row) => row.contactId)}::uuid[],
      ${rows.map((row) => row.recipient)}::text[],
      ${rows.map((row) => row.mark)}::bytea[],
      ${rows.map((row) => row.templateId)}::uuid[],
      ${rows.map((row) => row.templateVersionId)}::uuid[],
      ${rows.map((row) => row.shownBlocks)}::smallint[],
      ${rows.map((row) => row.state)}::text[],
      ${rows.map((row) => row.dueAt)}::timestamptz[],
      ${rows.map((row) => row.queuedAt)}::timestamptz[],
      ${rows.map((row) => row.connectionId)}::uuid[],
      ${rows.map((row) => row.callId)}::uuid[],
      ${rows.map((row) => row.labels)}::jsonb[]
    ) as new (business_id, id, channel, kind, topic, is_reply, segments, contact_id, recipient, mark,
      template_id, template_version_id, shown_blocks, state, due_at, queued_at, connection_id, call_id, labels)
  `)
}
