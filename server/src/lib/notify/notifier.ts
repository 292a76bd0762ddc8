/**
 * How processes on one database learn of each other's jobs within milliseconds. The regular looks
 * of every worker find the jobs of lost notifications.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ignoreError } from '../concurrency/ignore-error.ts'
import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import { type LaneNews, serviceBusiness, shardCount, type TellWorker } from '../jobs/job.ts'
import { isPooled } from '../postgres/pooler.ts'
import type { Log } from '../process/log.ts'
import { minutes, seconds } from '../time/clock.ts'

export interface Notifier {
  /** Notifies the other processes without blocking the caller. */
  tell: TellWorker
  /** Starts listening. */
  start(): void
  stop(): Promise<void>
}

export interface NotifierOptions {
  db: Db
  log: Log
  /** A separate connection is opened to it. Undefined for a process that only sends. */
  listenOn: pg.ClientConfig | undefined
  /** Called with undefined where notifications may have been missed. */
  onNews: (news: readonly LaneNews[] | undefined) => void
}

export function createNotifier({ db, log, listenOn, onNews }: NotifierOptions): Notifier {
  const teller = createTeller((news) => notify(db, payloadOf(news)))
  const listener = createListener({
    connection: listenOn,
    db,
    log,
    onPayload: (payload) => onNews(payload === undefined ? undefined : newsIn(payload)),
  })
  return {
    tell: teller.tell,
    start: listener.start,
    async stop() {
      await listener.stop()
      await teller.stop()
    },
  }
}

/** Milliseconds between two notifications of a process. */
export const gapMs = 10

/** The most lanes that wait to be sent. Regular looks of the other processes find the rest. */
export const mostLanes = 2_000

export interface Teller {
  tell: TellWorker
  /** Resolves when all accepted news has been sent, or has failed. */
  stop(): Promise<void>
}

/**
 * Passes news on to the other processes: the first at once, later ones together. However many
 * transactions commit, one notification is sent at a time and only few in a second. `send` may fail,
 * since the other processes find the jobs at their next look.
 */
export function createTeller(send: (news: LaneNews[]) => Promise<unknown>): Teller {
  const waiting = new Map<string, LaneNews>()
  let sending: Promise<void> | undefined
  // News is told within transactions, whose context must not last beyond them.
  const outside = AsyncLocalStorage.snapshot()

  const sendAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      const next = [...waiting.entries()].slice(0, lanesOfPayload)
      for (const [key] of next) waiting.delete(key)
      await send(next.map(([, news]) => news)).catch(() => {})
      await sleep(gapMs)
    }
    sending = undefined
  }

  return {
    tell(news) {
      for (const lane of news) {
        const key = `${lane.shard} ${lane.laneId}`
        const cached = waiting.get(key)
        if (!cached && waiting.size >= mostLanes) break
        if (!cached || lane.dueAt < cached.dueAt) waiting.set(key, lane)
      }
      if (waiting.size > 0) sending ??= outside(sendAll)
    },
    async stop() {
      await sending
    },
  }
}

/** The most lanes of one payload. Each takes at most 103 bytes. */
export const lanesOfPayload = 75

/** News of lanes as the payload of a notification, which PostgreSQL limits to 7,999 bytes. */
export function payloadOf(news: readonly LaneNews[]): string {
  return JSON.stringify(
    news.map(({ businessId, shard, laneId, priority, dueAt }) => {
      const lane = [shard, laneId, priority, dueAt.getTime()]
      return businessId === serviceBusiness ? lane : [...lane, businessId]
    }),
  )
}

/** Empty where another version wrote the payload. It is only a hint, and a look finds the jobs. */
export function newsIn(payload: string): LaneNews[] {
  let lanes: unknown
  try {
    lanes = JSON.parse(payload)
  } catch {
    return []
  }
  return Array.isArray(lanes) ? lanes.flatMap(readLane) : []
}

function readLane(lane: unknown): LaneNews[] {
  if (!Array.isArray(lane)) return []
  const [shard, laneId, priority, due, business = serviceBusiness] = lane as unknown[]
  const isPlace = isWhole(shard) && shard < shardCount && isId(laneId) && isId(business)
  if (!isPlace || !isWhole(priority) || !isWhole(due)) return []
  const dueAt = new Date(due)
  return Number.isNaN(dueAt.getTime())
    ? []
    : [{ businessId: business, shard, laneId, priority, dueAt }]
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function isId(value: unknown): value is string {
  return typeof value === 'string' && id.test(value)
}

/** One channel for all installations: PostgreSQL separates the channels of two databases. */
export const channel = 'crier_jobs'

/**
 * Sends in a transaction of its own, since commits that notify wait for each other. It does not
 * wait for the disk, because losing it loses no data.
 */
export function notify(db: Db, payload: string): Promise<number> {
  return db.run(sql`
    select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${payload})
  `)
}

/** `pooled`: a pooler in between keeps no session. `elsewhere`: it reaches another database. */
export type Hearing = 'listening' | 'pooled' | 'elsewhere'

export interface Listener {
  start(): void
  stop(): Promise<void>
}

export interface ListenerOptions {
  /** Where to listen; undefined to not listen. */
  connection: pg.ClientConfig | undefined
  /** The database connection through which processes notify each other. */
  db: Db
  log: Log
  /** Called with a payload, or with undefined where notifications may have been missed. */
  onPayload: (payload: string | undefined) => void
}

/** The time limit of the trial, which takes a millisecond on one machine. */
const trialMs = seconds(5)
/** The first and the longest wait before a retry. */
const againMs = { first: 100, most: seconds(15) }
/** A connection that cannot receive is rarely retried, because only its operator can fix it. */
const deafMs = minutes(5)
/** A connection that a router has dropped looks intact until something is sent over it. */
const pulse = { everyMs: seconds(30), withinMs: seconds(10) }

const goodbyeMs = 1_000

const trialPrefix = 'trial '

/** Connects and listens. The client receives every notification from then on. */
export async function openEar(
  { connection, db }: { connection: pg.ClientConfig; db: Db },
  onPayload: (payload: string) => void,
): Promise<{ client: pg.Client; hearing: Hearing }> {
  const client = new pg.Client({
    ...connection,
    keepAlive: true,
    connectionTimeoutMillis: seconds(10),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    // Asked before LISTEN, which would stay with whichever connection to the server it reached.
    if (await isPooled(client)) return { client, hearing: 'pooled' }
    const trial = `${trialPrefix}${randomUUID()}`
    const passed = Promise.withResolvers<boolean>()
    client.on('notification', ({ payload = '' }) => {
      if (payload === trial) passed.resolve(true)
      else if (!payload.startsWith(trialPrefix)) onPayload(payload)
    })
    await client.query(`listen ${channel}`)
    await notify(db, trial)
    const late = setTimeout(() => passed.resolve(false), trialMs)
    const hears = await passed.promise
    clearTimeout(late)
    return { client, hearing: hears ? 'listening' : 'elsewhere' }
  } catch (error) {
    await close(client)
    throw error
  }
}

/**
 * A connection that receives the notifications of other processes, and is reopened when it is lost.
 * A pooler in transaction mode accepts LISTEN but delivers nothing, so a trial detects it.
 */
export function createListener({ connection, db, log, onPayload }: ListenerOptions): Listener {
  const stopping = new AbortController()
  const { signal } = stopping
  let listening: Promise<void> | undefined
  let loggedState: Hearing | 'lost' | undefined

  const rest = (ms: number) =>
    ignoreError('a stop ends the wait', sleep(ms, undefined, { signal, ref: false }))

  const tell = (state: Hearing | 'lost', err?: unknown): void => {
    if (state === loggedState) return
    loggedState = state
    if (state === 'listening') log.debug('jobs.listening')
    else if (state === 'lost') log.warn({ err }, 'jobs.listening_lost')
    else log.warn({ why: state }, 'jobs.polling')
  }

  /** Listens until the connection is lost, or returns where it cannot receive notifications. */
  const listen = async (to: pg.ClientConfig): Promise<Hearing> => {
    const { client, hearing } = await openEar({ connection: to, db }, onPayload)
    const beating = keepAsking(client)
    try {
      if (hearing !== 'listening') return hearing
      tell(hearing)
      // For notifications that were sent while this process did not listen.
      onPayload(undefined)
      await once(client, 'end', { signal })
      return hearing
    } finally {
      clearInterval(beating)
      await close(client)
    }
  }

  const run = async (to: pg.ClientConfig): Promise<void> => {
    let wait = againMs.first
    while (!signal.aborted) {
      const began = performance.now()
      let error: unknown
      const hearing = await listen(to).catch((cause: unknown) => {
        error = cause
        return 'lost' as const
      })
      if (signal.aborted) return
      if (hearing === 'pooled' || hearing === 'elsewhere') {
        tell(hearing)
        await rest(deafMs)
        continue
      }
      tell('lost', error)
      // A server that is down may return at any moment, and one that drops us may drop us again.
      if (performance.now() - began > againMs.most) wait = againMs.first
      await rest(wait)
      wait = Math.min(wait * 2, againMs.most)
    }
  }

  return {
    start() {
      if (connection) listening ??= run(connection)
    },
    async stop() {
      stopping.abort()
      await listening
    },
  }
}

/** Ends the connection where the server does not respond. */
function keepAsking(client: pg.Client): NodeJS.Timeout {
  const ask = async () => {
    const late = setTimeout(() => cut(client), pulse.withinMs)
    await ignoreError('the connection says so itself', client.query('select 1'))
    clearTimeout(late)
  }
  const timer = setInterval(() => void ask(), pulse.everyMs)
  timer.unref()
  return timer
}

/** Closes the connection without waiting long for a server that is gone. */
async function close(client: pg.Client): Promise<void> {
  const late = setTimeout(() => cut(client), goodbyeMs)
  await ignoreError('a broken connection need not be closed', client.end())
  clearTimeout(late)
}

function cut(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
}
