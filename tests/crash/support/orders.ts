/** Messages to send, half of them marketing, each to its own contact with consent. */

import type { Person } from '../../../server/src/contacts/contact.ts'
import { saveContacts } from '../../../server/src/contacts/save.ts'
import { isRefusal } from '../../../server/src/core/errors.ts'
import type { Id } from '../../../server/src/core/ids.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'
import { saveMessages } from '../../../server/src/messages/save.ts'
import type { MessageToSave } from '../../../server/src/messages/to-save.ts'
import { someOrigin } from '../../support/businesses/business.ts'
import type { Order, QueueOrders } from './loops/send-loop.ts'

export interface OrderedChannel extends Pick<MessageToSave, 'channel'> {
  to(n: number): string
  person(n: number): Person
  says(n: number): Partial<MessageToSave['content']>
  /** The name by which the remote server knows a message. */
  nameOf(message: { id: Id<'message'>; to: string }): string
}

const perFlush = 200

/** Queues messages of this channel, half of them marketing. */
export function ordersBy(way: OrderedChannel): QueueOrders {
  return async (db, where) => {
    const orders: Order[] = []
    for (let at = 0; at < where.messages; at += perFlush) {
      const count = Math.min(perFlush, where.messages - at)
      const numbers = Array.from({ length: count }, (_, i) => at + i)
      await agree(db, way, { where, numbers })
      const items = numbers.map((n) => ({ to: way.to(n), item: messageOf(way, where, n) }))
      const saved = await db.tx((tx) =>
        saveMessages.save(
          tx,
          items.map(({ item }) => item),
          new Date(),
        ),
      )
      for (const [i, { to, item }] of items.entries()) {
        const message = saved[i]
        if (!message || isRefusal(message)) throw new Error(JSON.stringify(message))
        const { id } = message
        orders.push({ id, name: way.nameOf({ id, to }), kind: item.kind })
      }
    }
    return orders
  }
}

type OrderContext = Parameters<QueueOrders>[1]

async function agree(
  db: Database,
  way: OrderedChannel,
  { where: { businessId, hmac }, numbers }: { where: OrderContext; numbers: number[] },
): Promise<void> {
  const people = numbers.map((n) => ({
    ...way.person(n),
    consent: { [way.channel]: { status: 'subscribed' as const, source: 'a test' } },
    businessId,
    tier: 'scale' as const,
    source: 'api' as const,
    origin: someOrigin(),
    hmac,
  }))
  const saved = await db.tx((tx) => saveContacts.save(tx, people, new Date()))
  for (const one of saved) if (isRefusal(one)) throw one
}

function messageOf(
  way: OrderedChannel,
  { businessId, hmac }: OrderContext,
  n: number,
): MessageToSave {
  return {
    businessId,
    channel: way.channel,
    units: 1,
    tier: 'scale',
    origin: someOrigin(),
    hmac,
    kind: n % 2 === 0 ? 'transactional' : 'marketing',
    contactId: undefined,
    to: way.to(n),
    template: undefined,
    content: {
      subject: null,
      html: null,
      text: `This is number ${n}.`,
      variables: null,
      attachments: null,
      trackOpens: false,
      trackClicks: false,
      ...way.says(n),
    },
    sendAt: undefined,
    allowDuplicate: false,
  }
}
