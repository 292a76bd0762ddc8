/**
 * The built-in inbox: mail that never leaves this machine. Each message is stored exactly as it
 * would go over SMTP, so a page shows what a relay would receive.
 */

import type { Db } from '../../lib/db/types.ts'
import type { Envelope, MailConnection, Transport } from '../../lib/email/transport.ts'
import { type Clock, days, later } from '../../lib/time/clock.ts'
import { createConnectionPriority } from '../../lib/transport/connection-priority.ts'
import { newId } from '../ids.ts'
import { deleteInboxMessages, insertInboxMessage, type NewInboxMessage } from './mail-queries.ts'

const keptFor = days(30)
const connections = 4

/** Deletes old mail; returns how many messages were deleted. */
export function sweepInbox(db: Db, now: Date): Promise<number> {
  return deleteInboxMessages(db, later(now, -keptFor))
}

/** A mail as the inbox keeps it. */
export async function inboxMessageOf(
  { to, messageId }: Envelope,
  source: Buffer,
  now: Date,
): Promise<NewInboxMessage> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(source)
  return {
    id: newId('mail'),
    messageId: messageId ?? null,
    to,
    from: mail.from?.address ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? null,
    source,
    now,
  }
}

export function createInboxTransport({ db, clock }: { db: Db; clock: Clock }): Transport {
  const turns = createConnectionPriority(connections)
  const connection: MailConnection = {
    async send(envelope, source) {
      await insertInboxMessage(db, await inboxMessageOf(envelope, source, clock.now()))
      return { result: 'accepted', words: '250 2.0.0 Kept in the built-in inbox' }
    },
  }
  return {
    route: 'inbox',
    connections,
    rate: undefined,
    warmUp: false,
    use: (turn, work) => turns.take(turn, () => work(connection)),
    async close() {},
  }
}
