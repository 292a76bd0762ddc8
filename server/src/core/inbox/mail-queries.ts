/** Every statement that touches the built-in inbox. */

import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Id } from '../ids.ts'

export interface NewInboxMessage {
  id: Id<'mail'>
  /** The business's message that this mail is a copy of; null for sign-in mail. */
  messageId: Id<'message'> | null
  to: string
  from: string
  subject: string
  text: string
  html: string | null
  source: Buffer
  now: Date
}

export function insertInboxMessage(db: Db, message: NewInboxMessage): Promise<number> {
  return db.run(sql`
    insert into inbox_messages
      (id, message_id, recipient, sender, subject, body_text, body_html, source, created_at)
    values (${message.id}, ${message.messageId}, ${message.to}, ${message.from},
      ${message.subject}, ${message.text}, ${message.html}, ${message.source}, ${message.now})
  `)
}

export interface InboxMessage {
  id: Id<'mail'>
  messageId: Id<'message'> | null
  to: string
  from: string
  subject: string
  text: string
  html: string | null
  createdAt: Date
}

/** Lists mail, newest first; `to: null` lists the mail of every recipient. */
export function listInbox(db: Db, to: string | null, limit: number): Promise<InboxMessage[]> {
  return db.all(sql`
    select id, message_id as "messageId", recipient as "to", sender as "from", subject, body_text as text,
      body_html as html, created_at as "createdAt"
    from inbox_messages
    where ${to}::text is null or recipient = ${to}
    order by id desc limit ${limit}
  `)
}

export function findInboxMessage(
  db: Db,
  id: Id<'mail'>,
): Promise<(InboxMessage & { source: Buffer }) | undefined> {
  return db.maybe(sql`
    select id, message_id as "messageId", recipient as "to", sender as "from", subject, body_text as text,
      body_html as html, created_at as "createdAt", source
    from inbox_messages where id = ${id}
  `)
}

export function deleteInboxMessages(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from inbox_messages where created_at < ${before}`)
}
