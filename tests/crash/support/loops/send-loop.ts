/**
 * kill -9 while messages are sent: the service is killed at random moments and started again each
 * time. In the end every message is accounted for, at the remote server and in the database.
 */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { updateSetting } from '../../../../server/src/accounts/businesses/queries.ts'
import type { Id } from '../../../../server/src/core/ids.ts'
import { openVault } from '../../../../server/src/core/installation/root-key.ts'
import type { Hmac } from '../../../../server/src/core/operation.ts'
import { installationSecret } from '../../../../server/src/lib/crypto/vault.ts'
import { sql } from '../../../../server/src/lib/db/db.ts'
import type { Database } from '../../../../server/src/lib/db/types.ts'
import type { MessageKind } from '../../../../server/src/messages/message.ts'
import { newBusiness } from '../../../support/businesses/business.ts'
import { endLeases } from '../../../support/jobs/end-leases.ts'
import { freePort } from '../../../support/network/port.ts'
import { type DataDir, migratedDataDir } from '../data-dir.ts'
import { seededRandom } from '../random.ts'
import { startService } from '../service-process.ts'
import { assertDurable } from '../verify.ts'

export interface SendLoopOptions {
  messages: number
  kills: number
  seed: number
  /** Whether the dead worker's leases end at once, instead of by themselves. */
  endsLeases?: boolean
  onKill?: (done: number, report: SendKill) => void
}

/** The server that accepts the messages, and survives the kills of the service. */
export interface RemoteServer {
  /** The settings of a service that sends to it. */
  env: Record<string, string>
  /** The names of the completely received messages, as often as they were received. */
  taken(): Promise<string[]>
  stop(): Promise<void>
}

/** A message that was queued. */
export interface Order {
  id: Id<'message'>
  /** The name by which the remote server knows it. */
  name: string
  kind: MessageKind
}

export type QueueOrders = (
  db: Database,
  where: { businessId: Id<'business'>; hmac: Hmac; messages: number },
) => Promise<Order[]>

export interface SendKill {
  /** Messages without an outcome in the database when the service died. */
  underWay: number
  /** Those of them whose outcome was on the service's disk. */
  onDisk: number
  /** Those whose outcome nobody knows: marketing stays `unknown`, and the others are sent again. */
  inDoubt: number
}

export interface SendReport {
  kills: SendKill[]
  sent: number
  received: number
  /** Neither at the remote server nor reported as unknown. */
  lost: number
  marketingTwice: number
  transactionalTwice: number
  unknown: number
  /** Reported as unknown, although the remote server has it. */
  unknownReceived: number
}

/** Another worker takes over a dead worker's shards and jobs after 17 s. */
const goesOnWithin = 120_000

export async function sendLoop(
  remote: RemoteServer,
  queue: QueueOrders,
  options: SendLoopOptions,
): Promise<SendReport> {
  const { messages, kills, seed, endsLeases, onKill } = options
  const random = seededRandom(seed)
  const dataDir = await migratedDataDir()
  const start = (port: number) => startService({ dataDir: dataDir.path, port, env: remote.env })
  let service = await start(await freePort())
  try {
    await withDatabase(dataDir, assertDurable)
    const orders = await withDatabase(dataDir, (db) => order(db, dataDir, queue, messages))
    const reports: SendKill[] = []
    const known = new Set<string>()
    for (let n = 1; n <= kills; n++) {
      const share = messages / (kills + 1)
      const target = Math.round(share * (n - random.next()))
      await withDatabase(dataDir, async (db) => {
        // Messages must be moving, not waiting for the jobs of the previous worker.
        const moved = (await countEnded(db)) + random.whole(1, Math.round(share / 4))
        // If polls come late, fewer than that may be left.
        await untilEnded(db, Math.min(messages, Math.max(target, moved)))
      })
      await service.kill()
      const killedAt = new Date()
      const underWay = await withDatabase(dataDir, (db) => attempting(db, known))
      for (const { attempt } of underWay) known.add(attempt)
      if (endsLeases) await withDatabase(dataDir, endLeases)
      service = await start(service.port)
      const onDisk = await withDatabase(dataDir, (db) => acceptedBefore(db, underWay, killedAt))
      const inDoubt = underWay.length - onDisk
      const report = { underWay: underWay.length, onDisk, inDoubt }
      reports.push(report)
      onKill?.(n, report)
    }
    await withDatabase(dataDir, (db) => untilEnded(db, messages))
    const states = await withDatabase(dataDir, statesOf)
    return { kills: reports, ...accountFor(orders, states, await remote.taken()) }
  } finally {
    await service.stop()
    await remote.stop()
    await dataDir.remove()
  }
}

async function order(
  db: Database,
  dataDir: DataDir,
  queue: QueueOrders,
  messages: number,
): Promise<Order[]> {
  const { hmac } = await openVault(db, installationSecret(dataDir.path), new Date())
  const businessId = await newBusiness(db)
  // Without this, marketing beyond the first thousand would wait for a person.
  const setting = { column: 'deploy_limit', value: String(messages), now: new Date() } as const
  await updateSetting(db, businessId, setting)
  return queue(db, { businessId, hmac, messages })
}

/** Waits until this many messages have a final state. */
async function untilEnded(db: Database, target: number): Promise<void> {
  let ended = -1
  let since = performance.now()
  for (;;) {
    const n = await countEnded(db)
    if (n >= target) return
    if (n > ended) since = performance.now()
    ended = n
    assert.ok(performance.now() - since < goesOnWithin, `${n} of ${target} messages, and no more`)
    await sleep(20)
  }
}

async function countEnded(db: Database): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from messages where state in ('accepted', 'unknown')
  `)
  return n
}

interface Attempt {
  id: string
  /** Identifies this attempt of the message. */
  attempt: string
}

/** Attempts without an outcome, except those that an earlier kill left. */
async function attempting(db: Database, known: ReadonlySet<string>): Promise<Attempt[]> {
  await lastStatements(db)
  const rows = await db.all<Attempt>(sql`
    select id, id || ' ' || attempt_id as attempt from messages where state = 'attempting'
  `)
  return rows.filter(({ attempt }) => !known.has(attempt))
}

/** Waits for the dead service's connections to close, since its statements may still commit. */
async function lastStatements(db: Database): Promise<void> {
  for (;;) {
    const { busy } = await db.one<{ busy: boolean }>(sql`
      select exists (
        select from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()
      ) as busy
    `)
    if (!busy) return
    await sleep(10)
  }
}

/** The service reads its journal before it is ready; a later attempt has a later time. */
async function acceptedBefore(db: Database, attempts: Attempt[], at: Date): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(distinct message_id)::int as n from message_events
    where message_id = any(${attempts.map(({ id }) => id)}::uuid[])
      and type = 'accepted' and happened_at <= ${at}
  `)
  return n
}

async function statesOf(db: Database): Promise<Map<string, string>> {
  const rows = await db.all<{ id: string; state: string }>(sql`select id, state from messages`)
  return new Map(rows.map(({ id, state }) => [id, state]))
}

function accountFor(
  orders: Order[],
  states: ReadonlyMap<string, string>,
  names: string[],
): Omit<SendReport, 'kills'> {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  const all = orders.map(({ id, name, kind }) => ({
    kind,
    times: times.get(name) ?? 0,
    state: states.get(id) ?? 'gone',
  }))
  const count = (which: (one: (typeof all)[number]) => boolean) => all.filter(which).length
  return {
    sent: orders.length,
    received: names.length,
    lost: count((entry) => entry.times === 0 && entry.state !== 'unknown'),
    marketingTwice: count((entry) => entry.kind === 'marketing' && entry.times > 1),
    transactionalTwice: count((entry) => entry.kind === 'transactional' && entry.times > 1),
    unknown: count((entry) => entry.state === 'unknown'),
    unknownReceived: count((entry) => entry.state === 'unknown' && entry.times > 0),
  }
}

async function withDatabase<T>(dataDir: DataDir, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await dataDir.open()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
