/**
 * Mail of one sender domain and kind over one route to one provider, as all workers see it: a row,
 * from which each worker leases a small share at a time. The size of a lease is decided here,
 * without a database.
 */
import { days, later, seconds } from '../../lib/time/clock.ts'

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

export interface Lease {
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
