/** kill -9 while texts go out to an SMSC. */
import { saveContacts } from '../../../server/src/contacts/save.ts'
import { type MessageToSave, saveMessages } from '../../../server/src/messages/save.ts'
import type { Database } from '../../../server/src/platform/db.ts'
import { isRefusal } from '../../../server/src/platform/errors.ts'
import { someOrigin } from '../../support/business.ts'
import { startSmsc } from '../../support/smsc.ts'
import { zoneWhereItIs } from '../../support/zones.ts'
import {
  type Order,
  type QueueOrders,
  type SendLoopOptions,
  type SendReport,
  sendLoop,
} from './send-loop.ts'

export interface TextLoopOptions extends SendLoopOptions {
  /** Texts that the SMSC has not answered, at once. */
  window: number
}

export async function textLoop({ window, ...options }: TextLoopOptions): Promise<SendReport> {
  const smsc = await startSmsc()
  const farEnd = {
    env: { SMS_URL: smsc.url(`?window=${window}&from=12345`) },
    taken: async () =>
      smsc.all('submit').map((seen) => `+${plainNumber(seen['destination_addr'])}`),
    stop: () => smsc.stop(),
  }
  return sendLoop(farEnd, orderTexts, options)
}

const plainNumber = (address: unknown) => String(address).replace(/^\+/, '')

const perFlush = 200

/** Half of them marketing to people who agreed, where it is day for as long as this lasts. */
const orderTexts: QueueOrders = async (db, where) => {
  const orders: Order[] = []
  for (let at = 0; at < where.messages; at += perFlush) {
    const count = Math.min(perFlush, where.messages - at)
    const numbers = Array.from({ length: count }, (_, i) => at + i)
    await agree(db, where, numbers)
    const items = numbers.map((n) => textOf(where, n))
    const saved = await db.tx((tx) => saveMessages.save(tx, items, new Date()))
    for (const [i, one] of saved.entries()) {
      const item = items[i]
      if (isRefusal(one) || !item?.to) throw one
      orders.push({ id: one.id, name: item.to, kind: item.kind })
    }
  }
  return orders
}

type Where = Parameters<QueueOrders>[1]

const phoneOf = (n: number) => `+336${12_000_000 + n}`

async function agree(db: Database, { businessId, hmac }: Where, numbers: number[]): Promise<void> {
  const people = numbers.map((n) => ({
    phone: phoneOf(n),
    attributes: { time_zone: zoneWhereItIs(10) },
    consent: { sms: { status: 'subscribed' as const, source: 'a test' } },
    businessId,
    tier: 'scale' as const,
    source: 'api' as const,
    origin: someOrigin(),
    hmac,
  }))
  const saved = await db.tx((tx) => saveContacts.save(tx, people, new Date()))
  for (const one of saved) if (isRefusal(one)) throw one
}

function textOf({ businessId, hmac }: Where, n: number): MessageToSave {
  return {
    businessId,
    channel: 'sms',
    units: 1,
    tier: 'scale',
    origin: someOrigin(),
    hmac,
    kind: n % 2 === 0 ? 'transactional' : 'marketing',
    contactId: undefined,
    to: phoneOf(n),
    template: undefined,
    content: {
      subject: null,
      html: null,
      text: `This is number ${n}.`,
      variables: null,
      attachments: null,
      trackOpens: false,
      trackClicks: false,
    },
    sendAt: undefined,
    allowDuplicate: false,
  }
}
