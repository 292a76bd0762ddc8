/** Measures how long another business waits for its mail, its upserts and its webhooks. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from 'crier-server/core/ids.ts'
import type { Testbed } from '../../operations/support/testbed.ts'
import { startFakeRelay } from '../mail/fake-relay.ts'

export const measures = ['send', 'upsert', 'webhook'] as const
export type Waits = Record<(typeof measures)[number], number[]>

export interface World {
  smtpUrl: string
  webhookUrl: string
  /** The time (`performance.now`) at which the relay got a recipient's mail. */
  mailTaken(to: string): Promise<number>
  told(contactId: string): Promise<number>
  close(): Promise<void>
}

/** One-time events by name, which may be awaited before or after they happen. */
function moments() {
  const known = new Map<string, PromiseWithResolvers<number>>()
  const of = (name: string) => {
    const one = known.get(name) ?? Promise.withResolvers<number>()
    known.set(name, one)
    return one
  }
  return {
    came: (name: string) => of(name).resolve(performance.now()),
    wait: (name: string) => of(name).promise.finally(() => known.delete(name)),
  }
}

/** Starts a relay and a webhook receiver that accept everything. */
export async function openWorld(): Promise<World> {
  const mails = moments()
  const events = moments()
  const relay = await startFakeRelay({
    onData(stream, { envelope }, done) {
      stream.resume().on('end', () => {
        for (const { address } of envelope.rcptTo) {
          if (address.startsWith('neighbour-')) mails.came(address)
        }
        done()
      })
    },
  })
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const id = request.url === '/neighbour' ? /"(con_[a-z0-9]+)"/.exec(body)?.[1] : undefined
      if (id) events.came(id)
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    smtpUrl: relay.url(),
    webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mailTaken: mails.wait,
    told: events.wait,
    async close() {
      server.close()
      server.closeAllConnections()
      await relay.stop()
    },
  }
}

export const worldSettings = ({ smtpUrl }: World) => ({
  SMTP_URL: smtpUrl,
  SENDER_GATE: 'off',
  MAIL_FROM: 'Shop <hello@shop.example>',
  OUTBOUND_ALLOW: '127.0.0.1/32:*',
  DNS_SERVERS: '127.0.0.1:1',
})

/** The longest wait; an event that never happens counts with this time. */
const mostMs = 10_000
const pauseMs = 40

export async function neighbour(testbed: Testbed, world: World) {
  const business: Id<'business'> = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [business] })
  await owner.get('webhook.save', {
    url: `${world.webhookUrl}/neighbour`,
    events: ['contact.created', 'contact.updated'],
  })
  let last = 0

  return {
    /** Measures until `over` settles, with a new connection, because calls per minute are limited. */
    async measure(over: Promise<unknown>): Promise<Waits> {
      const caller = await testbed.caller({ businesses: [business] })
      const waits: Waits = { send: [], upsert: [], webhook: [] }
      let isOver = false
      void over.finally(() => {
        isOver = true
      })
      const events: Promise<void>[] = []
      const within = (moment: Promise<number>, from: number) =>
        Promise.race([moment, sleep(mostMs, from + mostMs)]).then((at) => at - from)
      const sends = async () => {
        while (!isOver) {
          const to = `neighbour-${++last}@example.com`
          const from = performance.now()
          await caller.get('email.send', { to, subject: `Word ${last}`, html: '<p>Hello</p>' })
          waits.send.push(await within(world.mailTaken(to), from))
          await sleep(pauseMs)
        }
      }
      const upserts = async () => {
        while (!isOver) {
          const email = `reader-${++last}@example.com`
          const from = performance.now()
          const { contact_id } = await caller.get<{ contact_id: string }>('contact.upsert', {
            email,
          })
          waits.upsert.push(performance.now() - from)
          events.push(
            within(world.told(contact_id), from).then((ms) => void waits.webhook.push(ms)),
          )
          await sleep(pauseMs)
        }
      }
      await Promise.all([sends(), upserts()])
      await Promise.all(events)
      return waits
    },
  }
}

export function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}
