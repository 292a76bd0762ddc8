/**
 * The rate of messages from each sender, of each kind and to each provider, to the next hop: some
 * messages in flight at once, fewer if the remote server requests that, as many per second as the
 * operator allows, and little marketing from a new domain. Each worker leases its share from the
 * stream's row, so that two workers never double a provider's rate. The size of a lease is decided by
 * `lease`, without a database.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { ignoreError } from '../../lib/concurrency/ignore-error.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { type Clock, days, later, seconds } from '../../lib/time/clock.ts'
import type { MessageKind } from '../message.ts'

export interface Pass {
  /** `slower`: the next hop requested a lower rate. */
  leave(slower: boolean): void
}

interface PutOff {
  until: Date
  /** The provider refuses the sender for now. Otherwise a new sender's daily share is used up. */
  isPaused: boolean
}

export interface Throttle {
  /** Waits for its turn. If that is too far off, returns the time of it. */
  enter(stream: StreamName): Promise<Pass | PutOff>
}

export interface StreamKey {
  /** Such as `relay.example:587`. */
  route: string
  domain: string
  kind: MessageKind
  /** The name that `provider.ts` gives. Empty for the rate of the whole domain. */
  provider: string
}

/** The key of a stream that is throttled as one, over this route. */
type StreamName = Pick<StreamKey, 'domain' | 'kind' | 'provider'>

interface ThrottleOptions {
  db: Database
  clock: Clock
  route: string
  limits: Limits
}

/** Milliseconds for which a lease is valid. A worker that dies loses no more than this. */
const leaseMs = 1000
/** The most messages of one lease, and the most marketing of a domain that is warming up. */
const perLease = 1000
const marketingPerLease = 50

interface Local extends Lease {
  active: number
  until: number
  asking: Promise<void> | undefined
  slower: boolean
  waiting: (() => void)[]
}

/**
 * A stream has its own pause, warm-up and messages in flight. The rate is the operator's limit for
 * the whole sender domain, so it has a row of its own.
 */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { limits } = options
  const streams = createGate({ ...options, limits: { ...limits, rate: undefined } })
  if (limits.rate === undefined) return streams
  const rates = createGate({ ...options, limits: { ...limits, warmUp: false } })
  return {
    async enter(stream) {
      const pass = await streams.enter(stream)
      if ('until' in pass) return pass
      const inRate = await rates.enter({ ...stream, kind: 'transactional', provider: '' })
      if ('until' in inRate) {
        pass.leave(false)
        return inRate
      }
      return {
        leave(slower) {
          inRate.leave(false)
          pass.leave(slower)
        },
      }
    },
  }
}

/** The most streams whose state is kept in memory. Beyond that, idle streams are dropped. */
const mostLocals = 5_000

function createGate({ db, clock, route, limits }: ThrottleOptions): Throttle {
  const locals = new Map<string, Local>()

  const ask = async (stream: StreamName, local: Local): Promise<void> => {
    const { slower, messages, marketing } = local
    local.slower = false
    const request = {
      messages: limits.rate === undefined ? perLease : Math.ceil(limits.rate),
      marketing: limits.warmUp ? marketingPerLease : perLease,
      unused: { messages, marketing },
      slower,
    }
    const now = clock.now()
    const granted = await db.tx(async (tx) => {
      const key = { route, ...stream }
      const before = await lockStream(tx, key, newStream(now, limits))
      const next = lease(before, request, { limits, now })
      await saveStream(tx, key, next.stream)
      return next.lease
    })
    Object.assign(local, granted, { until: performance.now() + leaseMs })
  }
  const refresh = (stream: StreamName, local: Local): Promise<void> => {
    local.asking ??= ask(stream, local).finally(() => {
      local.asking = undefined
      wake(local)
    })
    return local.asking
  }
  const localOf = ({ domain, kind, provider }: StreamName): Local => {
    const name = `${domain} ${kind} ${provider}`
    const local = locals.get(name) ?? newLocal()
    if (locals.size >= mostLocals && !locals.has(name)) forgetIdle(locals)
    locals.set(name, local)
    return local
  }

  return {
    async enter(stream) {
      const { kind } = stream
      const local = localOf(stream)
      for (;;) {
        if (performance.now() >= local.until) await refresh(stream, local)
        const put = putOff(local, kind, clock.now())
        if (put) {
          // Passes the wake-up on, because this message does not enter.
          wake(local)
          return put
        }
        const has = local.messages > 0 && (kind !== 'marketing' || local.marketing > 0)
        if (has && local.active < local.inFlight) break
        if (has) await turn(local)
        else await sleep(Math.max(10, Math.min(1000 / (limits.rate ?? 100), leaseMs)))
        if (!has) await refresh(stream, local)
      }
      local.active++
      local.messages--
      if (kind === 'marketing') local.marketing--
      return {
        leave(slower) {
          local.active--
          if (slower) {
            local.slower = true
            void ignoreError(
              'a stream that is not slowed now is at the next sign',
              refresh(stream, local),
            )
          }
          // One message left, so one may enter. The others would only check and wait again.
          local.waiting.shift()?.()
        },
      }
    },
  }
}

/** Inserts the row if it is new, and locks it until the transaction ends. */
async function lockStream(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  fresh: Stream,
): Promise<Stream> {
  await tx.run(sql`
    insert into send_throttles (route, domain, kind, provider, tokens, filled_at, in_flight,
      first_day, day, sent_that_day)
    values (${route}, ${domain}, ${kind}, ${provider}, ${fresh.tokens}, ${fresh.filledAt},
      ${fresh.inFlight}, coalesce((
        select case when head_start is null then first_day
          else ${fresh.firstDay}::date - head_start end
        from send_throttles
        where route = ${route} and domain = ${domain} and kind = ${kind} and provider = '*'
      ), ${fresh.firstDay}), ${fresh.day}, 0)
    on conflict (route, domain, kind, provider) do nothing
  `)
  return tx.one<Stream>(sql`
    select tokens, filled_at as "filledAt", in_flight as "inFlight", slowed_at as "slowedAt",
      paused_until as "pausedUntil", first_day as "firstDay", day, sent_that_day as "sentThatDay"
    from send_throttles
    where route = ${route} and domain = ${domain} and kind = ${kind} and provider = ${provider}
    for update
  `)
}

/** Leaves `paused_until` alone, which other code sets. */
function saveStream(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  stream: Stream,
): Promise<number> {
  return tx.run(sql`
    update send_throttles set tokens = ${stream.tokens}, filled_at = ${stream.filledAt},
      in_flight = ${stream.inFlight}, slowed_at = ${stream.slowedAt}, day = ${stream.day},
      sent_that_day = ${stream.sentThatDay}
    where route = ${route} and domain = ${domain} and kind = ${kind} and provider = ${provider}
  `)
}

function forgetIdle(locals: Map<string, Local>): void {
  for (const [name, local] of locals) {
    const isIdle = local.active === 0 && local.waiting.length === 0 && !local.asking
    if (isIdle && performance.now() >= local.until) locals.delete(name)
  }
}

const newLocal = (): Local => ({
  messages: 0,
  marketing: 0,
  inFlight: 1,
  pausedUntil: undefined,
  moreMarketingAt: undefined,
  active: 0,
  until: 0,
  asking: undefined,
  slower: false,
  waiting: [],
})

function putOff(local: Local, kind: MessageKind, now: Date): PutOff | undefined {
  const { pausedUntil, moreMarketingAt, marketing } = local
  if (pausedUntil && pausedUntil > now) return { until: pausedUntil, isPaused: true }
  if (kind !== 'marketing' || marketing > 0 || !moreMarketingAt) return undefined
  return { until: moreMarketingAt, isPaused: false }
}

/** Waits until a message leaves, or a lease changes the limits. */
function turn(local: Local): Promise<void> {
  return new Promise((go) => local.waiting.push(go))
}

function wake(local: Local): void {
  for (const go of local.waiting.splice(0)) go()
}

export interface Stream {
  /** Messages that may be sent, as of `filledAt`. */
  tokens: number
  filledAt: Date
  /** Messages of one worker in flight at the same time. */
  inFlight: number
  /** When the remote server last requested a lower rate. */
  slowedAt: Date | null
  pausedUntil: Date | null
  /** UTC days such as `2026-11-20`: the day of the first marketing, and the day that is counted. */
  firstDay: string
  day: string
  sentThatDay: number
}

export interface QuotaRequest {
  /** Messages of the day, and marketing among them. */
  messages: number
  marketing: number
  /** The unused part of the previous lease. */
  unused: { messages: number; marketing: number }
  /** Whether the remote server has just requested a lower rate. */
  slower: boolean
}

export interface Limits {
  /** Messages per second. Undefined for no limit. */
  rate: number | undefined
  /** The most messages in flight. */
  connections: number
  warmUp: boolean
}

interface Lease {
  messages: number
  marketing: number
  inFlight: number
  pausedUntil: Date | undefined
  /** When more marketing is allowed, if the day's share is used up. */
  moreMarketingAt: Date | undefined
}

/** Several refusals within this time count as one request to slow down. */
const signLasts = seconds(5)
/** After this long without such a request, each lease tries one more message in flight. */
const calmAfter = seconds(30)
/** Seconds of unused rate that may accumulate. */
const savedUp = 2

/**
 * How much marketing a domain without any history may send on each of its first days (UTC). Mailbox
 * providers judge senders by what they have sent before, and treat a flood from an unknown sender
 * as what it mostly is. After these days the domain is known, and has no limit.
 */
export const warmUpDays = [200, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000]

export function newStream(now: Date, { connections, rate }: Limits): Stream {
  const day = dayOf(now)
  return {
    tokens: rate ?? 0,
    filledAt: now,
    inFlight: connections,
    slowedAt: null,
    pausedUntil: null,
    firstDay: day,
    day,
    sentThatDay: 0,
  }
}

export function lease(
  stream: Stream,
  request: QuotaRequest,
  { limits, now }: { limits: Limits; now: Date },
): { stream: Stream; lease: Lease } {
  const calmed = capAfter(stream, request.slower, { limits, now })
  const paused = stream.pausedUntil && stream.pausedUntil > now ? stream.pausedUntil : undefined
  const marketing = marketingOf(stream, request, { limits, now, paused: paused !== undefined })
  const filled = refilled(stream, request.unused.messages, { limits, now })
  const messages = paused
    ? 0
    : limits.rate === undefined
      ? request.messages
      : Math.min(request.messages, Math.floor(filled))
  return {
    stream: {
      ...stream,
      ...calmed,
      tokens: limits.rate === undefined ? 0 : filled - messages,
      filledAt: now,
      day: dayOf(now),
      sentThatDay: marketing.sent,
    },
    lease: {
      messages,
      marketing: marketing.granted,
      inFlight: Math.min(calmed.inFlight, limits.connections),
      pausedUntil: paused,
      moreMarketingAt: marketing.usedUp ? startOfNextDay(now) : undefined,
    },
  }
}

interface StreamLimits {
  limits: Limits
  now: Date
}

function capAfter({ inFlight, slowedAt }: Stream, slower: boolean, { limits, now }: StreamLimits) {
  if (slower) {
    if (slowedAt && now < later(slowedAt, signLasts)) return { inFlight, slowedAt }
    return {
      inFlight: Math.max(1, Math.floor(Math.min(inFlight, limits.connections) / 2)),
      slowedAt: now,
    }
  }
  const calm = !slowedAt || now >= later(slowedAt, calmAfter)
  return { inFlight: calm ? Math.min(limits.connections, inFlight + 1) : inFlight, slowedAt }
}

function refilled(
  { tokens, filledAt }: Stream,
  unused: number,
  { limits, now }: StreamLimits,
): number {
  const { rate = 0 } = limits
  const since = Math.max(0, now.getTime() - filledAt.getTime()) / 1000
  return Math.min(Math.max(1, rate * savedUp), tokens + unused + since * rate)
}

function marketingOf(
  stream: Stream,
  request: QuotaRequest,
  conditions: StreamLimits & { paused: boolean },
) {
  const { limits, now, paused } = conditions
  const today = dayOf(now)
  const before = stream.day === today ? stream.sentThatDay - request.unused.marketing : 0
  const limit = limits.warmUp ? warmUpDayOf(stream.firstDay, now).allowance : undefined
  const room = Math.max(0, (limit ?? Number.POSITIVE_INFINITY) - before)
  const granted = paused ? 0 : Math.min(request.marketing, room)
  return { granted, sent: before + granted, usedUp: request.marketing > 0 && room === 0 }
}

/** The most marketing of the day, if it is limited, and for how many days it is, this one included. */
export function warmUpDayOf(firstDay: string, now: Date) {
  const past = Math.max(0, daysBetween(firstDay, dayOf(now)))
  return { allowance: warmUpDays[past], daysLeft: Math.max(0, warmUpDays.length - past) }
}

/** How many days of the warm-up a sender skips that sent this many mails a day before. */
export function headStartOf(emailsPerDay: number): number {
  return Math.max(
    0,
    warmUpDays.findLastIndex((dailyLimit) => dailyLimit <= emailsPerDay),
  )
}

export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / days(1))
}

export function startOfNextDay(now: Date): Date {
  return later(new Date(`${dayOf(now)}T00:00:00Z`), days(1))
}

/**
 * Deletes streams that were not used since then. A sender that returns to such a provider starts
 * there as a new sender. Otherwise strangers' addresses would add rows without end.
 */
export function deleteIdleStreams(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from send_throttles where filled_at < ${before} and provider <> '*'`)
}
