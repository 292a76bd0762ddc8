/**
 * "Stop all sending" while several workers send a campaign over one database, and a program goes on
 * ordering email: how long after the press the last mail left, and whether after the resume everybody
 * has it once.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { resumeSending, stopSending } from 'crier-server/assistants/sending.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { later, minutes } from 'crier-server/lib/time/clock.ts'
import { newBusiness } from '../../../support/businesses/business.ts'
import {
  draftFor,
  manyContacts,
  sendOff,
  standings,
} from '../../../support/businesses/campaign-drafts.ts'
import { awaitState } from '../../../support/businesses/campaign-runs.ts'
import { newApiKey } from '../../../support/clients/api-keys.ts'
import { startSmtpSink } from '../../../support/mail/smtp-sink.ts'
import { freePort } from '../../../support/network/port.ts'
import { testDatabase } from '../../../support/postgres/database.ts'
import { newDataDir } from '../data-dir.ts'
import { startService } from '../service-process.ts'

export interface StopLoopOptions {
  recipients: number
  workers: number
  /** Connections of each worker to the relay. */
  connections: number
  /** Messages a second of each worker at most, so that few are sent before the press. */
  rate?: number
  /** How many have left before the press. */
  sentBefore: number
  /** For how many milliseconds nothing may leave, from five seconds after the press on. */
  quietMs: number
  onPress?: () => void
}

export interface StopReport {
  recipients: number
  workers: number
  /** Messages that waited in the queue at the press. */
  queued: number
  /** Messages in the hands of workers at the press. */
  claimed: number
  sentBefore: number
  /** Milliseconds that the press itself took. */
  pressMs: number
  /** Messages that left after the press was answered, and how long after it the last did. */
  sentAfter: number
  lastAfterMs: number
  /** Messages that left later than five seconds after the press and before the resume. */
  sentWhileStopped: number
  /** Emails that a program ordered meanwhile, and those of them that left in the end. */
  ordered: number
  orderedSent: number
  /** Milliseconds from the resume until everybody had it. */
  drainMs: number
  standings: Record<string, number>
  twice: number
  /** Messages that are recorded as sent, and are not at the sink. */
  lost: number
  /** Messages at the sink that are not recorded as sent. */
  untold: number
}

export const stopsWithinMs = 5_000

export async function stopLoop(options: StopLoopOptions): Promise<StopReport> {
  const { recipients, workers, sentBefore, quietMs, onPress } = options
  const { db, connection, drop } = await testDatabase()
  await using parts = new AsyncDisposableStack()
  parts.defer(drop)
  const sink = await startSmtpSink({ keep: true })
  parts.defer(() => sink.stop())
  const businessId = await newBusiness(db)
  await manyContacts(db, businessId, recipients)
  const campaignId = await draftFor(db, businessId, {
    subject: 'News, {{ contact.name }}',
    html: '<p>Hello {{ contact.name }}, here is what is new.</p>',
  })
  const { host, user, database } = connection
  const limit = options.rate === undefined ? '' : `&rate=${options.rate}`
  const env = {
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${host}`,
    CRIER_SECRET: 'a secret of the tests, which is thrown away',
    SMTP_URL: sink.url(`?pool=${options.connections}&warmup=no${limit}`),
    SENDER_GATE: 'off',
    MAIL_FROM: 'hello@shop.example',
    CANARY_SECONDS: '0',
  }
  const services: Awaited<ReturnType<typeof startService>>[] = []
  for (let n = 0; n < workers; n++) {
    const dataDir = await newDataDir()
    parts.defer(() => dataDir.remove())
    const service = await startService({ dataDir: dataDir.path, port: await freePort(), env })
    parts.defer(() => service.stop())
    services.push(service)
  }
  const campaign = { db, businessId, campaignId }
  await sendOff(campaign)
  const { secret } = await newApiKey(db, { businessId, recipientsPerDay: 1_000_000 })
  const program = orderingProgram(services[0]?.origin ?? '', secret)
  parts.defer(async () => void (await program.end()))
  await untilSent(() => sink.arrivals(), sentBefore)

  const waiting = await waitingAt(campaign)
  onPress?.()
  const began = performance.now()
  const stop = { businessId, withMessages: true, stoppedBy: null, now: new Date() }
  await db.tx((tx) => stopSending(tx, stop))
  const pressMs = performance.now() - began
  const pressedAt = Date.now()
  await sleep(stopsWithinMs + quietMs)
  const ordered = await program.end()
  const arrived = await sink.arrivals()
  const after = arrived.filter((at) => at > pressedAt)
  const sentWhileStopped = after.filter((at) => at > pressedAt + stopsWithinMs).length

  const resumed = performance.now()
  await db.tx((tx) => resumeSending(tx, { businessId, now: new Date() }))
  const orderedSent = await allOrdersLeft(campaign, ordered)
  assert.equal(await awaitState(campaign, 'completed', 3_600_000), 'completed')
  const drainMs = performance.now() - resumed
  const ids = await sink.messageIds()
  const { n: accepted } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from messages
    where business_id = ${businessId} and state in ('accepted', 'delivered')
  `)
  return {
    recipients,
    workers,
    ...waiting,
    sentBefore: arrived.length - after.length,
    pressMs,
    sentAfter: after.length,
    lastAfterMs: Math.max(0, ...after.map((at) => at - pressedAt)),
    sentWhileStopped,
    ordered,
    orderedSent,
    drainMs,
    standings: await standings(campaign),
    twice: ids.length - new Set(ids).size,
    lost: Math.max(0, accepted - new Set(ids).size),
    untold: Math.max(0, new Set(ids).size - accepted),
  }
}

interface Place {
  db: Awaited<ReturnType<typeof testDatabase>>['db']
  businessId: Id<'business'>
}

async function untilSent(arrivals: () => Promise<number[]>, n: number): Promise<void> {
  for (const end = performance.now() + 600_000; (await arrivals()).length < n; await sleep(200)) {
    assert.ok(performance.now() < end, 'the campaign does not begin')
  }
}

async function waitingAt({ db, businessId }: Place): Promise<{ queued: number; claimed: number }> {
  const { recipients, messages, claimed } = await db.one<{
    recipients: number
    messages: number
    claimed: number
  }>(sql`
    select
      (select count(*)::int from campaign_recipients
        where business_id = ${businessId} and state in ('pending', 'taken')) as recipients,
      (select count(*)::int from messages
        where business_id = ${businessId} and campaign_id is null and state = 'queued') as messages,
      (select count(*)::int from messages
        where business_id = ${businessId} and state = 'attempting') as claimed
  `)
  return { queued: recipients + messages, claimed }
}

/** Orders an email four times a second, as a shop does, until it is ended. */
function orderingProgram(origin: string, key: string) {
  let [ordered, isEnded] = [0, false]
  const work = (async () => {
    while (!isEnded) {
      const answer = await fetch(`${origin}/v1/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          to: `buyer-${ordered}@shop.example`,
          subject: `Receipt ${ordered}`,
          text: `Thank you for order ${ordered}.`,
        }),
      })
      assert.ok(answer.ok, await answer.text())
      ordered++
      await sleep(250)
    }
  })()
  return {
    async end(): Promise<number> {
      isEnded = true
      await work
      return ordered
    },
  }
}

/** Messages that waited are looked at again within minutes. */
async function allOrdersLeft({ db, businessId }: Place, ordered: number): Promise<number> {
  const until = later(new Date(), minutes(5))
  for (;;) {
    const { n } = await db.one<{ n: number }>(sql`
      select count(*)::int as n from messages
      where business_id = ${businessId} and campaign_id is null and state in ('accepted', 'delivered')
    `)
    if (n >= ordered || new Date() > until) return n
    await sleep(500)
  }
}
