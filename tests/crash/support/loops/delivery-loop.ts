/**
 * Two workers deliver events while one or the other is killed by -9 again and again. The receiver's
 * requests are compared with the emitted events and with the log: every event arrives, and only
 * attempts cut off by a kill or by the end of a lease repeat one.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { emitAll, type NewEvent } from 'crier-server/events/emit.ts'
import { eventSamples } from 'crier-server/events/samples.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { attemptsUnderWay } from 'crier-server/webhooks/log/under-way.ts'
import { type DeliveryTestbed, deliveryTestbed } from '../../../support/businesses/deliveries.ts'
import { httpServer } from '../../../support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../../../support/postgres/database.ts'
import { until } from '../../../support/time/eventually.ts'
import { seededRandom } from '../random.ts'

export interface DeliveryLoopOptions {
  events: number
  kills: number
  seed: number
  onKill?: (done: number) => void
}

export interface CutAttempts {
  /** Attempts that were cut off. */
  inFlight: number
  /** The cut-off attempts that had reached the receiver; each of their events came again. */
  repeated: number
}

export interface DeliveryOutcome {
  events: number
  /** The number of requests to the receiver. */
  requests: number
  lost: number
  duplicates: number
  kills: CutAttempts[]
  /** Cut off without a kill: a slow worker did not renew its lease, and another took the job. */
  lapsed: CutAttempts
}

const script = path.join(import.meta.dirname, '../delivery-process.ts')
const businesses = 8
/** Concurrent transactions, and the events of each: enough to be sent in batches. */
const atOnce = 8
const perBurst = 20
/** The receiver's delay, so that there is always something in flight. */
const answersAfterMs = 15

export async function deliveryLoop(options: DeliveryLoopOptions): Promise<DeliveryOutcome> {
  const database = await testDatabase()
  /** The received deliveries by event. */
  const received = new Map<string, string[]>()
  const receiver = await httpServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const { id } = JSON.parse(body) as { id: string }
      const deliveries = received.get(id) ?? []
      received.set(id, [...deliveries, String(request.headers['x-svc-delivery'])])
      setTimeout(() => response.end(), answersAfterMs)
    })
  })
  const testbeds: DeliveryTestbed[] = []
  const workers: ChildProcess[] = []
  try {
    for (let i = 0; i < businesses; i++) {
      const testbed = await deliveryTestbed(database.db, systemClock)
      await testbed.subscribe(`http://127.0.0.1:${receiver.port}/`, ['contact.updated'])
      testbeds.push(testbed)
    }
    workers.push(...(await Promise.all([startWorker(database), startWorker(database)])))
    const cut = await storm(options, { database, testbeds, workers })
    await until(() => received.size >= options.events, 'every event', 60_000)
    await until(async () => (await waiting(database.db)) === 0, 'an empty queue', 60_000)
    return outcomeOf(options.events, received, await lastingCuts(database.db, testbeds, cut))
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await Promise.all(testbeds.map((testbed) => testbed.close()))
    await receiver.close()
    await database.drop()
  }
}

interface Stage {
  database: TestDatabase
  testbeds: DeliveryTestbed[]
  workers: ChildProcess[]
}

/** Emits and kills; returns the attempts that were under way right after each kill. */
async function storm(
  { events, kills, seed, onKill }: DeliveryLoopOptions,
  { database, testbeds, workers }: Stage,
): Promise<string[][]> {
  const random = seededRandom(seed)
  const underWay: string[][] = []
  let emitted = 0
  for (let kill = 1; kill <= kills; kill++) {
    const upTo = Math.ceil((events * kill) / kills)
    const emitting = (async () => {
      while (emitted < upTo) {
        const bursts = Array.from({ length: atOnce }, (_, i) => {
          const n = Math.max(0, Math.min(perBurst, upTo - emitted - i * perBurst))
          return emit(testbeds[i % testbeds.length], n)
        })
        for (const n of await Promise.all(bursts)) emitted += n
      }
    })()
    await Promise.race([emitting, sleep(random.whole(200, 600))])
    await sleep(random.whole(0, 100))
    // A fast machine soon has delivered all, so this waits for an attempt instead of a fixed time.
    for (let look = 0; look < 100; look++) {
      if ((await unfinished(database.db, testbeds)).length > 0) break
      await sleep(5)
    }
    const victim = random.whole(0, workers.length - 1)
    await killed(workers[victim])
    underWay.push(await unfinished(database.db, testbeds))
    workers[victim] = await startWorker(database)
    await emitting
    onKill?.(kill)
  }
  return underWay
}

/** Emits `n` events in one transaction. */
async function emit(testbed: DeliveryTestbed | undefined, n: number): Promise<number> {
  if (!testbed || n === 0) return 0
  const { db, businessId } = testbed
  const type = 'contact.updated'
  const event = { businessId, type, data: eventSamples[type] } as NewEvent
  const events = Array.from({ length: n }, () => event)
  await db.tx((tx) => emitAll(tx, events, systemClock.now()))
  return n
}

async function startWorker({ connection }: TestDatabase): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=crier-source', script, JSON.stringify(connection)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error('a worker ended by itself')
  return child
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (!child) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Attempts under way or cut off: claimed jobs, and log entries without an end. */
async function unfinished(db: Db, testbeds: readonly DeliveryTestbed[]): Promise<string[]> {
  const open = await attemptsUnderWay(
    db,
    testbeds.map(({ businessId }) => businessId),
    systemClock.now(),
  )
  const rows = await db.all<{ id: Id<'delivery'> }>(sql`
    select id from webhook_attempts where ended_at is null and begun_at is not null
  `)
  return [...open, ...rows].map(({ id }) => formatId('delivery', id))
}

async function waiting(db: Db): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*) as n from jobs where kind in ('webhook.deliver', 'event.fanout')
  `)
  return n
}

/** The attempts under way at a kill that nobody finished, and those whose lease lapsed. */
async function lastingCuts(
  db: Db,
  testbeds: readonly DeliveryTestbed[],
  underWay: readonly string[][],
): Promise<{ kills: string[][]; lapsed: string[] }> {
  const lasting = new Set(await unfinished(db, testbeds))
  const kills = underWay.map((ids) => {
    const cut = ids.filter((id) => lasting.has(id))
    for (const id of cut) lasting.delete(id)
    return cut
  })
  return { kills, lapsed: [...lasting] }
}

function outcomeOf(
  events: number,
  received: ReadonlyMap<string, readonly string[]>,
  cuts: { kills: string[][]; lapsed: string[] },
): DeliveryOutcome {
  const all = new Set([...received.values()].flat())
  const counts = [...received.values()].map((deliveries) => deliveries.length)
  const requests = counts.reduce((sum, n) => sum + n, 0)
  const cutOf = (ids: string[]): CutAttempts => ({
    inFlight: ids.length,
    repeated: ids.filter((id) => all.has(id)).length,
  })
  return {
    events,
    requests,
    lost: events - received.size,
    duplicates: requests - received.size,
    kills: cuts.kills.map(cutOf),
    lapsed: cutOf(cuts.lapsed),
  }
}
