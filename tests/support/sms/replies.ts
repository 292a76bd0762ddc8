/** Texts that people send to a business of a test, and their results. */

import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { createReplies, type Replies } from 'crier-server/inbound-sms/inbound-sms.ts'
import type { TextReport } from 'crier-server/inbound-sms/ingest-receipts.ts'
import { insertReply } from 'crier-server/inbound-sms/reply.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { InboundText, SmsReceipt } from 'crier-server/lib/sms/transport.ts'
import { newBusiness } from '../businesses/business.ts'
import { saveOne, toSave } from '../businesses/contacts.ts'
import { testVault } from '../clients/calls.ts'
import { ManualClock } from '../time/manual-clock.ts'

export const route = 'smpp:us@smsc.test:2775'

export interface Place {
  clock: ManualClock
  replies: Replies
  /** The reports that were passed on. */
  reports: TextReport[]
  /** A business with its own sender number; without one it uses the installation's. */
  business(sender?: string): Promise<Id<'business'>>
  /** A contact with a number and consent to texts. */
  contact(businessId: Id<'business'>, phone: string): Promise<Id<'contact'>>
  /** Records that a text was sent to the number a while ago. */
  texted(businessId: Id<'business'>, phone: string, sender: string): Promise<Id<'message'>>
  /** Receives a text from the person. */
  write(text: Partial<InboundText> & { body: string }): ReturnType<Replies['text']>
  /** The answers to the number, oldest first. */
  answers(phone: string): Promise<{ businessId: Id<'business'>; text: string }[]>
}

export const ana = '+33612345678'
export const ourNumber = '+33700000001'

export function placeOf(db: Database): Place {
  const clock = new ManualClock()
  const reports: TextReport[] = []
  const replies = createReplies({
    db,
    clock,
    hmac: testVault.hmac,
    wake() {},
    async ingestReports(told) {
      reports.push(...told)
      return told.length
    },
  })
  return {
    clock,
    replies,
    reports,
    async business(sender) {
      const id = await newBusiness(db)
      if (sender !== undefined) {
        await db.run(sql`update businesses set sms_sender = ${sender} where id = ${id}`)
      }
      await setBusiness(db, id, { key: 'name', value: `Shop ${id.slice(-4)}`, now: clock.now() })
      return id
    },
    async contact(businessId, phone) {
      const consent = { sms: { status: 'subscribed', source: 'checkout' } } as const
      const saved = await saveOne(db, toSave(businessId, { phone, consent }))
      if (!('id' in saved)) throw saved
      return saved.id
    },
    async texted(businessId, phone, sender) {
      const id = newId('message')
      await db.run(sql`
        insert into messages (business_id, id, channel, kind, recipient, state, attempts, due_at,
          queued_at, route, sender_domain, taken_as, created_at, updated_at)
        values (${businessId}, ${id}, 'sms', 'marketing', ${phone}, 'accepted', 1, ${clock.now()},
          ${clock.now()}, ${route}, ${sender}, ${`taken-${id}`}, ${clock.now()}, ${clock.now()})
      `)
      return id
    },
    write: (text) =>
      replies.text(route, {
        from: ana,
        to: ourNumber,
        providerId: newId('message'),
        at: clock.now(),
        ...text,
      }),
    answers: (phone) =>
      db.all(sql`
        select m.business_id as "businessId", c.body_text as text
        from messages m
        join message_contents c on c.business_id = m.business_id and c.message_id = m.id
        where m.recipient = ${phone} and m.is_reply order by m.id
      `),
  }
}

export function receiptOf(message: Id<'message'>, changes: Partial<SmsReceipt> = {}): SmsReceipt {
  return {
    providerId: `taken-${message}`,
    state: 'delivered',
    final: true,
    at: new Date('2026-11-20T10:00:00Z'),
    identity: `taken-${message}:2`,
    ...changes,
  }
}

/** A stored text from a person, which waits for a decision. */
export async function keptReply(
  db: Database,
  businessId: Id<'business'>,
  body: string,
  phone = ana,
): Promise<string> {
  const id = newId('reply')
  const common = { businessId, id, phone, sender: ourNumber, contactId: null } as const
  await db.tx((tx) =>
    insertReply(tx, { ...common, body, meaning: 'opt_out', review: 'open', createdAt: new Date() }),
  )
  return formatId('reply', id)
}
