/** A service with a relay of the test's choice, and a caller that sends over it. */

import { type Id, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { type OwnTestbed, openTestbed } from '../../operations/support/testbed.ts'
import type { ToolCaller } from '../clients/tool-caller.ts'
import type { ServiceOptions } from '../processes/service.ts'
import { eventually } from '../time/eventually.ts'

export interface ShownMessage {
  message_id: string
  status: string
  attempts: number
  due_at: string
  events: { type: string; code?: string; untrusted?: { words: string } }[]
}

export interface MailService {
  testbed: OwnTestbed
  businessId: Id<'business'>
  owner: ToolCaller
  /** Returns the message's id. */
  send(to: string, more?: Record<string, unknown>): Promise<string>
  get(messageId: string): Promise<ShownMessage>
  /** The message once it meets the condition, or its last state if it never does. */
  until(messageId: string, status: string): Promise<ShownMessage>
  /** Makes deferred messages due now. */
  hurry(messageId: string): Promise<void>
  close(): Promise<void>
}

export async function mailService(
  smtpUrl: string | undefined,
  options: ServiceOptions = {},
): Promise<MailService> {
  const testbed = await openTestbed({
    ...options,
    settings: {
      ...(smtpUrl !== undefined && { SMTP_URL: smtpUrl }),
      SENDER_GATE: 'off',
      MAIL_FROM: 'Shop <hello@shop.example>',
      ...options.settings,
    },
  })
  const { businessId, owner } = await testbed.someone()
  const get = (message_id: string) => owner.get<ShownMessage>('message.get', { message_id })
  return {
    testbed,
    businessId,
    owner,
    get,
    async send(to, more = {}) {
      const words = { subject: 'A word', text: 'Hello' }
      const sent = await owner.get<{ message_id: string }>('email.send', { to, ...words, ...more })
      return sent.message_id
    },
    until: (id, status) =>
      eventually(
        () => get(id),
        (shown) => shown.status === status,
      ),
    hurry: (id) => hurry(testbed.db, parseId('message', id)),
    close: () => testbed.close(),
  }
}

async function hurry(db: Database, id: Id<'message'> | undefined): Promise<void> {
  await db.run(sql`update messages set due_at = '2020-01-01' where id = ${id}`)
  await db.run(sql`
    update jobs set due_at = '2020-01-01'
    where kind = 'message.email' and lease is null and payload::text like ${`%${id}%`}
  `)
  await db.run(sql`update lanes set next_at = '2020-01-01' where kind = 'message.email'`)
}
