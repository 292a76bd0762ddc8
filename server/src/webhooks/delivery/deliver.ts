/**
 * The delivery of events to webhooks. Beginning a job reads where its deliveries are sent and which
 * secrets sign them. The deliveries are then sent one after another, and their results are recorded
 * as the job is settled. The beginnings of many jobs share statements, and so do their records.
 * Most jobs have one delivery. A batch of first attempts has one request in flight at any moment,
 * as long as the receiver accepts the requests and does so quickly. Each delivery that the batch
 * cannot continue with becomes a job of its own.
 */

import { createHmac, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatId, type Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import { createBatcher, ofBusinesses } from '../../lib/concurrency/batch.ts'
import { ignoreError } from '../../lib/concurrency/ignore-error.ts'
import { isOutage } from '../../lib/db/outage.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { OutboundFailure } from '../../lib/http-client/outbound-failure.ts'
import type { Outbound, OutboundAnswer } from '../../lib/http-client/outbound-fetch.ts'
import { type HeldJob, keepOn, settle } from '../../lib/jobs/claim.ts'
import {
  defaults,
  enqueue,
  type Job,
  type NewJob,
  type Outcome,
  type Verdict,
} from '../../lib/jobs/job.ts'
import { steerLane } from '../../lib/jobs/lanes.ts'
import { observed, traceHeaders } from '../../lib/observing/observed.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import type { AttemptFailure, AttemptResult } from '../model/attempt.ts'
import { batchPayloadOf, causeOf, jobOf, laneOf, numberOf } from '../model/delivery.ts'
import {
  createKeyring,
  type SealedSecret,
  type Sealer,
  type SigningKeys,
} from '../model/secrets.ts'
import { deliveryLimits } from '../model/webhook.ts'
import { endAttempts, firstFailure, logAttempts, seekAttempts } from './attempt-queries.ts'
import { type BeginDeps, type Beginning, type Begun, beginAll, type Ended } from './begin.ts'
import { insertDeadLetters, takeLettersOf } from './dead-letter-queries.ts'
import { tellLater, tellNow } from './failing.ts'
import { logInterrupted } from './interrupted-attempts.ts'
import { nextAttemptAt } from './schedule.ts'
import { markFailing, type Target } from './subscription-queries.ts'

export interface DeliverDeps extends BeginDeps, Omit<SendDeps, 'keyOf'> {
  log: Log
  vault: Sealer
}

/** The most jobs that begin together. */
const perFlush = 100
/**
 * The delay after a fault of our own, which does not count as one of the receiver's attempts.
 */
const afterFaultMs = seconds(10)

export function createDelivery(deps: DeliverDeps): (job: Job) => Promise<Verdict> {
  const { db, clock, log } = deps
  const begin = createBatcher<Job, Beginning>({
    maxItems: perFlush,
    eachAlone: false,
    businessOf: ofBusinesses(db, (job) => job.businessId),
    flush: (jobs) => beginAll(deps, jobs),
  })
  const steps: Steps = {
    clock,
    slug: deps.slug,
    outbound: deps.outbound,
    keyOf: createKeyring(deps.vault),
    record: createRecorder(deps),
  }

  const deliver = async (job: Job): Promise<Verdict> => {
    const beginning = await begin(job)
    if (beginning.is === 'gone') return { outcome: 'done' }
    if (beginning.is === 'held') return { outcome: 'returned', at: clock.now() }
    if (beginning.is === 'split') return { outcome: 'settled', at: clock.now() }
    const { begun } = beginning
    try {
      const at = await sendAndRecord(steps, beginning)
      return { outcome: 'settled', ...(at && { at }) }
    } catch (error) {
      const lost = begun.filter(({ isPromised }) => !isPromised).map(lostOf)
      await ignoreError('the job comes again either way', logInterrupted(db, lost))
      throw error
    }
  }

  return async (job) => {
    try {
      return await deliver(job)
    } catch (err) {
      log.error({ err, job: job.id, attempt: job.attempt }, 'webhooks.delivery_faulty')
      return { outcome: 'returned', at: later(clock.now(), afterFaultMs) }
    }
  }
}

interface Steps extends SendDeps {
  record: RecordProgress
}

/** No result stays unrecorded for longer than this while other deliveries follow. */
const recordAfterMs = 25
/** A batch that takes longer would keep its slot from other jobs. */
const longestMs = 1_000

/**
 * Returns when a delivery is due again, if one is. If it throws, `begun` holds the deliveries that
 * were sent and that the log does not have yet.
 */
async function sendAndRecord(
  steps: Steps,
  { begun, isBatch }: { begun: Begun[]; isBatch: boolean },
): Promise<Date | undefined> {
  const startedAt = performance.now()
  let recordedAt = startedAt
  let ended: Ended[] = []
  const recordEnded = async (job: Job, goesOn: boolean): Promise<Date | undefined | false> => {
    const rest = begun.splice(ended.length)
    const at = await recordThroughOutage(steps.record, { job, isBatch, ended, rest, goesOn })
    begun.splice(0, begun.length, ...rest)
    ended = []
    recordedAt = performance.now()
    return at
  }
  for (;;) {
    const next = begun[ended.length]
    if (!next) throw new Error('a job without a delivery')
    const begunAt = steps.clock.now()
    try {
      ended.push({ begun: next, begunAt, result: await send(steps, next) })
    } catch (fault) {
      if (ended.length > 0) await recordEnded(next.job, true)
      begun.splice(1)
      throw fault
    }
    const ms = performance.now()
    const isLast = ended.length === begun.length
    const failed = ended.at(-1)?.result.outcome === 'failed'
    const goesOn = !isLast && !failed && ms - startedAt < longestMs
    if (goesOn && ms - recordedAt < recordAfterMs) continue
    const at = await recordEnded(next.job, goesOn)
    if (!goesOn) return at || undefined
    // Another worker has the job.
    if (at === false) return undefined
  }
}

const recordRetryMs = 500
/** All tries together take less time than the lease. */
const recordTries = 16

/** Records results through a short outage, because otherwise the deliveries would be sent again. */
async function recordThroughOutage(record: RecordProgress, progress: Progress) {
  for (let tries = 1; ; tries++) {
    try {
      return await record(progress)
    } catch (error) {
      if (!isOutage(error) || tries === recordTries) throw error
      await sleep(recordRetryMs)
    }
  }
}

function lostOf({ id, createdAt, delivery, job, target }: Begun) {
  const attempt = numberOf(job.attempt, delivery)
  return { delivery, id, at: createdAt, attempt, url: target.url }
}

interface SendDeps {
  clock: Clock
  slug: string
  /** Opens the HMAC keys of a sealed secret. */
  keyOf: (secret: SealedSecret) => SigningKeys
  outbound: { get(): Promise<Pick<Outbound, 'fetch'>> }
}

/**
 * Makes the request of one attempt, and reads its response. A receiver's behaviour never makes it
 * throw.
 */
async function send(deps: SendDeps, { id, delivery, target, body }: Begun): Promise<AttemptResult> {
  const { clock, keyOf, slug, outbound } = deps
  if (typeof body !== 'string') {
    return failed(body === null ? 'erased' : 'expired', clock.now())
  }
  const { fetch } = await outbound.get()
  const at = clock.now()
  const keys = keysAt(keyOf, target, at)
  const { type, eventId } = delivery
  const headers = deliveryHeaders({ slug, id, type, eventId, body, keys, at })
  const post = async () => {
    const answer = await fetch({
      url: target.url,
      method: 'POST',
      headers: { ...headers, ...traceHeaders() },
      body,
      deadlineMs: deliveryLimits.answerMs,
      bodyMs: deliveryLimits.bodyMs,
      maxBytes: deliveryLimits.readBytes,
    })
    return resultOf(answer, clock.now())
  }
  const work = {
    kind: 'delivery',
    name: delivery.type,
    resultOf: wordFor,
    event: delivery,
  } as const
  const result = await observed(work, post)
  const signature = headers[`x-${slug}-signature`] ?? null
  return { ...result, signature }
}

const wordFor = ({ outcome, failure }: AttemptResult): string => failure ?? outcome

/** Evaluated when the request is signed, so a secret that has expired meanwhile signs nothing. */
function keysAt(keyOf: SendDeps['keyOf'], { webhookId, secrets }: Target, at: Date): SigningKeys[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > at)
    .map(({ version, sealed }) => {
      return keyOf({ webhookId, version, sealed: Buffer.from(sealed, 'base64') })
    })
}

/** The data that a delivery's headers contain and sign. */
interface ToSign {
  /** The first part of the headers' names. */
  slug: string
  id: Id<'delivery'>
  type: EventTypeName
  eventId: Id<'event'>
  /** The event's own bytes. */
  body: string
  /** The secrets' keys that sign now, newest first. There are several only in a grace period. */
  keys: readonly SigningKeys[]
  at: Date
}

/** Exactly as in the contract ("Planned delivery", "Signature"), and those of Standard Webhooks. */
function deliveryHeaders(delivery: ToSign): Record<string, string> {
  const { slug, id, type, body, keys, at } = delivery
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map(({ whole }) => {
    return `v1=${hmacOf(whole, `${timestamp}.${body}`).toString('hex')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Crier-Webhooks/1',
    [`x-${slug}-event`]: type,
    [`x-${slug}-delivery`]: formatId('delivery', id),
    [`x-${slug}-timestamp`]: timestamp,
    [`x-${slug}-signature`]: [`t=${timestamp}`, ...signatures].join(','),
    ...standardHeaders(delivery, timestamp),
  }
}

/**
 * Headers that libraries of Standard Webhooks and Svix verify. The id is that of the event, which is the
 * same at every attempt. Absent while every secret is from before secrets were Base64.
 */
function standardHeaders(
  { eventId, body, keys }: ToSign,
  timestamp: string,
): Record<string, string> {
  const id = formatId('event', eventId)
  const signatures = keys.flatMap(({ decoded }) =>
    decoded ? [`v1,${hmacOf(decoded, `${id}.${timestamp}.${body}`).toString('base64')}`] : [],
  )
  if (signatures.length === 0) return {}
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

function hmacOf(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** The headers of a 2xx decide. A fault in the body after them changes nothing. */
function resultOf(answer: OutboundAnswer | OutboundFailure, endedAt: Date): AttemptResult {
  if (answer.outcome === 'failed') return failed(answer.reason, endedAt)
  const { status, body } = answer
  const response = body.length === 0 ? null : body.subarray(0, deliveryLimits.keptBytes)
  const answered = { endedAt, signature: null, status, response }
  if (status >= 200 && status < 300) return { ...answered, outcome: 'delivered', failure: null }
  const failure = status >= 300 && status < 400 ? 'redirect' : 'status'
  return { ...answered, outcome: 'failed', failure }
}

function failed(failure: AttemptFailure, endedAt: Date): AttemptResult {
  return { outcome: 'failed', endedAt, signature: null, status: null, failure, response: null }
}

/** The progress of a job. */
interface Progress {
  job: Job
  isBatch: boolean
  ended: Ended[]
  /** The deliveries of a batch that were not sent yet. */
  rest: Begun[]
  /** Whether the batch sends the rest too. Otherwise each becomes a job of its own, due now. */
  goesOn: boolean
}

interface RecordDeps {
  db: Database
  clock: Clock
}

/** The most jobs of one transaction. */
const recordsPerFlush = 200

/** Returns when a delivery of the job is due again, or false if another worker has the job. */
type RecordProgress = (progress: Progress) => Promise<Date | undefined | false>

/**
 * The end of attempts. Their results are written in the transaction that settles their jobs, and
 * only for jobs that are still held, so that a worker that was considered dead changes nothing.
 */
function createRecorder({ db, clock }: RecordDeps): RecordProgress {
  return createBatcher<Progress, Date | undefined | false>({
    maxItems: recordsPerFlush,
    businessOf: ofBusinesses(db, ({ job }) => job.businessId),
    async flush(all) {
      const now = clock.now()
      const settled = await db.tx((tx) => recordAll(tx, all, now))
      return all.map((progress) => settled.has(progress.job) && firstDue(progress, now))
    },
  })
}

async function recordAll(tx: Tx, all: Progress[], now: Date): Promise<ReadonlySet<HeldJob>> {
  const over = all.filter(({ goesOn }) => !goesOn)
  const going = all.filter(({ goesOn }) => goesOn)
  const extras = over.filter(hasExtra)
  if (extras.length > 0) await keepOn(tx, extras.map(withoutExtra))
  const [settled, continued] = await Promise.all([
    over.length > 0 ? settle(tx, over.map(settlementOf), now) : new Set<HeldJob>(),
    going.length > 0 ? keepOn(tx, going.map(leftOf)) : new Set<HeldJob>(),
  ])
  const recorded = new Set([...settled, ...continued])
  const stillHeld = all.filter(({ job }) => recorded.has(job))
  if (stillHeld.length === 0) return recorded
  const ended = stillHeld.flatMap((progress) => progress.ended)
  await log(tx, ended)
  const jobs = stillHeld.flatMap(jobsOf)
  if (jobs.length > 0) await enqueue(tx, jobs, now)
  for (const { begun, result } of ended) {
    if (begun.delivery.extra && result.outcome === 'delivered') {
      await takeLettersOf(tx, begun.delivery, [begun.delivery.eventId])
    }
  }
  const dead = ended.filter(isGivenUp)
  if (dead.length > 0) {
    await insertDeadLetters(tx, dead.map(letterOf))
    const receivers = new Map(dead.map(({ begun }) => [begun.delivery.webhookId, begun.delivery]))
    for (const delivery of receivers.values()) await tellNow(tx, delivery, now)
  }
  await adjustPace(tx, ended, now)
  return recorded
}

/** Writes most rows here. The rows that a caller was promised exist already, and are completed. */
async function log(tx: Tx, ended: Ended[]): Promise<void> {
  const { promised = [], others = [] } = Object.groupBy(ended, ({ begun }) =>
    begun.isPromised ? 'promised' : 'others',
  )
  if (promised.length > 0) {
    await seekAttempts(tx)
    await endAttempts(tx, promised.map(endOf))
  }
  if (others.length > 0) await logAttempts(tx.pipelined, others.map(rowOf))
}

/** The outcome of the job itself. Deliveries of a failed batch continue in jobs of their own. */
function settlementOf({ job, isBatch, ended }: Progress): { job: Job; outcome: Outcome } {
  const [first] = ended
  const at = first && !isBatch ? nextOf(first) : undefined
  if (!at) return { job, outcome: { outcome: 'done' } }
  if (first?.begun.delivery.extra) return { job, outcome: { outcome: 'returned', at } }
  return { job, outcome: { outcome: 'retry', at, fault: first?.result.failure ?? 'status' } }
}

const hasExtra = ({ ended: [first] }: Progress) => first?.begun.delivery.extra !== undefined

/** The job as it was before the extra attempt, which it made. */
function withoutExtra({ job, ended: [first] }: Progress) {
  if (!first) throw new Error('an extra attempt without an end')
  const { extra: _extra, ...delivery } = first.begun.delivery
  return { job, payload: jobOf(delivery).payload }
}

function leftOf({ job, rest }: Progress) {
  return { job, payload: batchPayloadOf(rest.map(({ delivery }) => delivery)) }
}

function jobsOf({ isBatch, ended, rest, goesOn }: Progress): NewJob[] {
  if (!isBatch) return []
  const failed = ended.flatMap((entry) => {
    const at = nextOf(entry)
    return at
      ? [{ ...jobOf(entry.begun.delivery), dueAt: at, failures: entry.begun.job.attempt }]
      : []
  })
  return goesOn ? failed : [...failed, ...rest.map(({ delivery }) => jobOf(delivery))]
}

function firstDue({ ended, rest, goesOn }: Progress, now: Date): Date | undefined {
  if (!goesOn && rest.length > 0) return now
  const [first] = ended.flatMap((entry) => nextOf(entry) ?? [])
  return first
}

/**
 * Undefined if it was delivered, was a test, no longer has a body, or failed for the last time. An extra
 * attempt leaves the schedule as it was.
 */
function nextOf({ begun, result }: Ended): Date | undefined {
  if (result.outcome === 'delivered' || begun.delivery.test || !isThere(begun)) {
    return undefined
  }
  const { extra } = begun.delivery
  if (extra) return extra.dueAt ?? undefined
  return nextAttemptAt(begun.job.attempt, result.endedAt)
}

function isGivenUp(ended: Ended): boolean {
  const { begun, result } = ended
  const { test, extra } = begun.delivery
  if (result.outcome === 'delivered' || test || extra) return false
  return isThere(begun) && nextOf(ended) === undefined
}

/** Whether there is a body that could be sent again. */
const isThere = ({ body }: Begun) => typeof body === 'string'

function endOf(ended: Ended) {
  const { businessId, id, createdAt, delivery } = ended.begun
  const nextAttemptAt = nextOf(ended) ?? null
  return {
    businessId,
    webhookId: delivery.webhookId,
    id,
    createdAt,
    ...ended.result,
    nextAttemptAt,
  }
}

function rowOf(ended: Ended) {
  const { id, createdAt, delivery, job, target } = ended.begun
  const { businessId, webhookId, eventId, eventAt, type } = delivery
  return {
    businessId,
    webhookId,
    eventId,
    eventAt,
    type,
    id,
    createdAt,
    attempt: numberOf(job.attempt, delivery),
    cause: causeOf(delivery),
    begunAt: ended.begunAt,
    url: target.url,
    result: ended.result,
    nextAttemptAt: nextOf(ended) ?? null,
  }
}

function letterOf({ begun, result }: Ended) {
  const { first: _first, extra: _extra, test: _test, ...delivery } = begun.delivery
  return {
    ...delivery,
    id: begun.id,
    attempts: begun.job.attempt,
    status: result.status,
    failure: result.failure ?? 'status',
    failedAt: result.endedAt,
  }
}

const laneCapacity = defaults.perLane

/**
 * The number of deliveries that are sent to a receiver at once. It is halved each time the receiver
 * fails, down to one, and each success doubles it again, up to eight. A lane that is down to one
 * comes after all others, so that a thousand dead receivers do not hold the slots of one that
 * responds.
 */
async function adjustPace(tx: Tx, attempts: readonly Ended[], now: Date): Promise<void> {
  const real = attempts.filter(({ begun }) => !begun.delivery.test)
  const byWebhook = Map.groupBy(real, ({ begun }) => begun.delivery.webhookId)
  for (const ended of byWebhook.values()) await adjustOne(tx, ended, now)
}

async function adjustOne(tx: Tx, attempts: readonly Ended[], now: Date): Promise<void> {
  const [first] = attempts
  if (!first) return
  const { delivery, target } = first.begun
  // The capacity at the time of the claims. Of several values, the lowest is the most recent while
  // it falls.
  const before = Math.min(...attempts.map(({ begun }) => begun.job.capacity))
  const fails = attempts.some(({ result }) => result.outcome === 'failed')
  const answers = attempts.some(({ result }) => result.outcome === 'delivered')
  const after = fails ? Math.max(1, before >> 1) : Math.min(laneCapacity, before * 2)
  const isFailing = fails && !answers && after === 1
  if (isFailing === (target.failingSince !== null) && after === before) return
  const capacity = after === laneCapacity ? null : after
  const priority = isFailing ? 'bulk' : 'normal'
  await steerLane(tx, laneOf(delivery), { capacity, priority }, now)
  const since = isFailing ? await firstFailure(tx, delivery, now) : null
  const marked = await markFailing(tx, delivery.businessId, delivery.webhookId, since)
  if (since && marked > 0) await tellLater(tx, delivery, since, now)
}
