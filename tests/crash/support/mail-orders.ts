/** Mail to be sent, half of it marketing to people who agreed. */
import { saveContacts } from '../../../server/src/contacts/save.ts'
import { type MessageToSave, saveMessages } from '../../../server/src/messages/save.ts'
import type { Database } from '../../../server/src/platform/db.ts'
import { isRefusal } from '../../../server/src/platform/errors.ts'
import { formatId, type Id } from '../../../server/src/platform/ids.ts'
import type { Hmac } from '../../../server/src/platform/operation.ts'
import { someOrigin } from '../../support/business.ts'
import type { Order } from './send-loop.ts'

const perFlush = 200

/** Queues as many messages, each to a contact of its own. */
export async function orderMail(
  db: Database,
  where: { businessId: Id<'business'>; hmac: Hmac; messages: number },
): Promise<Order[]> {
  const orders: Order[] = []
  for (let at = 0; at < where.messages; at += perFlush) {
    const numbers = Array.from(
      { length: Math.min(perFlush, where.messages - at) },
      (_, i) => at + i,
    )
    await agree(db, where, numbers)
    const items = numbers.map((n) => orderOf(where, n))
    const saved = await db.tx((tx) => saveMessages.save(tx, items, new Date()))
    for (const [i, one] of saved.entries()) {
      if (isRefusal(one)) throw one
      // The beginning of its Message-ID.
      const name = formatId('message', one.id)
      orders.push({ id: one.id, name, kind: items[i]?.kind ?? 'marketing' })
    }
  }
  return orders
}

interface Where {
  businessId: Id<'business'>
  hmac: Hmac
}

const addressOf = (n: number) => `person-${n}@example.net`

async function agree(db: Database, { businessId, hmac }: Where, numbers: number[]): Promise<void> {
  const people = numbers.map((n) => ({
    email: addressOf(n),
    consent: { email: { status: 'subscribed' as const, source: 'a test' } },
    businessId,
    tier: 'scale' as const,
    source: 'api' as const,
    origin: someOrigin(),
    hmac,
  }))
  const saved = await db.tx((tx) => saveContacts.save(tx, people, new Date()))
  for (const one of saved) if (isRefusal(one)) throw one
}

function orderOf({ businessId, hmac }: Where, n: number): MessageToSave {
  return {
    businessId,
    channel: 'email',
    units: 1,
    tier: 'scale',
    origin: someOrigin(),
    hmac,
    kind: n % 2 === 0 ? 'transactional' : 'marketing',
    contactId: undefined,
    to: addressOf(n),
    template: undefined,
    content: {
      subject: `Number ${n}`,
      html: null,
      text: `This is number ${n}.`,
      variables: null,
      attachments: null,
      trackOpens: true,
      trackClicks: true,
    },
    sendAt: undefined,
    allowDuplicate: false,
  }
}
