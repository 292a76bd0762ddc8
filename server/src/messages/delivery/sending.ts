/**
 * Sends the messages of businesses, from the job of a chunk to the outcome of each message:
 * `createSending` builds the parts, `chunkJob` takes up the messages that are due, `deliver` sends
 * them over their hops, and `settleChunk` records which of them wait and which cannot be sent.
 */

import path from 'node:path'
import { limits } from '../../config.ts'
import { type Channel, channels } from '../../contacts/contact.ts'
import { recordActivity } from '../../contacts/timeline/activity.ts'
import { isRefusal, orRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { emitAll } from '../../events/emit.ts'
import { createJournal } from '../../lib/concurrency/journal.ts'
import { keepPartitions } from '../../lib/db/partitions.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { type HeldJob, settle } from '../../lib/jobs/claim.ts'
import type { Job, JobKind, JobKinds, Outcome, TellWorker, Verdict } from '../../lib/jobs/job.ts'
import { observed } from '../../lib/observing/observed.ts'
import type { Log } from '../../lib/process/log.ts'
import type { SmsTransport } from '../../lib/sms/transport.ts'
import { type Clock, days, hours, later, minutes } from '../../lib/time/clock.ts'
import type { Turn } from '../../lib/transport/connection-priority.ts'
import { Unreachable } from '../../lib/transport/unreachable.ts'
import { deleteOldBuckets } from '../../usage/approval-limit.ts'
import type { ComposeDeps } from '../composing/compose.ts'
import { createTextWords } from '../composing/text-words.ts'
import { deleteRecent } from '../intake/save-queries.ts'
import { type Outcomes, tellOutcomes } from '../model/campaign-outcomes.ts'
import { createContentReader } from '../model/content-reader.ts'
import { type Message, triedFor } from '../model/message.ts'
import { type ChunkPayload, queueMessages, sendJobs } from '../model/queue.ts'
import type { Relay, Relays } from '../relays/relays.ts'
import { createHeldUntil } from '../throttle/provider-holds.ts'
import type { FindProvider } from '../throttle/receiving.ts'
import { deleteIdleStreams } from '../throttle/stream-queries.ts'
import { createThrottle, type Pass } from '../throttle/throttle.ts'
import { deferredEvent, failedEvent, sentEvent } from '../timeline/announce.ts'
import { eventRow } from '../timeline/event-row.ts'
import {
  type DueMessage,
  findDue,
  insertEvents,
  type ReleasedMessage,
  releaseScheduled,
  resolveOrphans,
} from './attempt-queries.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import type { Answer, Carrier, Hop, PreparedMessage } from './carrier.ts'
import { createMailCarrier } from './mail-carrier.ts'
import { type Acceptance, outcomeOf } from './outcome.ts'
import { chunkRetries, unreachableDelays } from './retry.ts'
import { createShares, type Shares } from './shares.ts'
import type { Texting } from './sms-sending.ts'
import { createTextCarrier } from './text-carrier.ts'
import { endWaitingMessages, postpone } from './waiting-queries.ts'

interface SendingDeps extends Omit<ComposeDeps, 'db' | 'hmac' | 'readContent'> {
  db: Database
  clock: Clock
  log: Log
  hmac: Hmac
  relays: Relays
  findProvider: FindProvider
  simulator?: Relay
  texting: Pick<Texting, 'transport' | 'senders'> & Partial<Pick<Texting, 'simulator'>>
  /** The folder of the journal. It must outlive a restart of this process. */
  dataDir: string
  wake: TellWorker
  outcomes: Outcomes
}

interface Sending {
  kinds: JobKinds
  /** Records the messages that a process that died here had sent but not yet recorded. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function createSending(deps: SendingDeps): Sending {
  const { db, clock, log, hmac, relays, simulator, findProvider, texting, wake, outcomes } = deps
  const { senders, templates, tracking, building, utmOf, bounceDomain } = deps
  const journal = createJournal<Acceptance>(path.join(deps.dataDir, 'journal'))
  const attempts = createAttempts({ db, clock, hmac, journal, wake, outcomes })
  const readContent = createContentReader(db)
  const throttleOf = (transport: SmsTransport) =>
    createThrottle({
      db,
      clock,
      route: transport.route,
      limits: { ...transport, warmUp: false },
    })
  const kinds = messageJobs({
    db,
    clock,
    log,
    outcomes,
    attempts,
    carriers: {
      email: createMailCarrier({
        relays,
        ...(simulator && { simulator }),
        findProvider,
        heldUntil: createHeldUntil(db),
        clock,
        composing: {
          db,
          hmac,
          readContent,
          senders,
          templates,
          tracking,
          building,
          utmOf,
          bounceDomain,
        },
      }),
      sms: createTextCarrier({
        transport: texting.transport,
        senders: texting.senders,
        wordsOf: createTextWords(deps, readContent),
        throttle: throttleOf(texting.transport),
        ...(texting.simulator && {
          simulator: { transport: texting.simulator, throttle: throttleOf(texting.simulator) },
        }),
      }),
    },
  })
  return {
    kinds,
    async start() {
      const replayed = await attempts.replay()
      if (replayed > 0) log.info({ messages: replayed }, 'message.journal_replayed')
    },
    async stop() {
      attempts.stop()
      await journal.close()
    },
  }
}

interface MessageJobDeps extends Omit<ChunkDeps, 'carrier' | 'shares' | 'channel'> {
  carriers: Readonly<Record<Channel, Carrier>>
}

const messageEventsKeptDays = 400
/** After this many days without a sender's messages, a provider no longer knows the sender. */
const streamsKeptDays = 90

/** The background jobs of messages. */
function messageJobs(deps: MessageJobDeps): JobKinds {
  const { db, clock } = deps
  return {
    ...Object.fromEntries(channels.map((channel) => [sendJobs[channel], chunkJob(deps, channel)])),
    'message.sweep': {
      everyMs: minutes(10),
      async run() {
        await deleteRecent(db, later(clock.now(), -limits.duplicateMs))
        await deleteOldBuckets(db, clock.now())
        await deleteIdleStreams(db, later(clock.now(), -days(streamsKeptDays)))
      },
    },
    'message.keep-partitions': {
      everyMs: hours(6),
      async run() {
        const table = { name: 'message_events', column: 'created_at', step: 'month' } as const
        await keepPartitions(db, { ...table, keepDays: messageEventsKeptDays }, clock.now())
      },
    },
  }
}

function chunkJob({ carriers, ...common }: MessageJobDeps, channel: Channel): JobKind {
  const carrier = carriers[channel]
  const shares = createShares(() => carrier.connections)
  return {
    perLane: 2,
    perTurn: 1,
    // A next hop that hangs must not delay other jobs, such as sign-in mail.
    atOnce: 10,
    // Campaigns must not delay receipts either.
    bulkAtOnce: 8,
    retryDelays: chunkRetries,
    timeoutMs: hours(1),
    run: createChunkSender({ ...common, carrier, shares, channel }),
  }
}

interface ChunkDeps extends DeliverDeps, TakeUpDeps {
  log: Log
  channel: Channel
}

/**
 * The job of a chunk of messages. It is settled in the transaction
 * that records which of them wait and which cannot be sent.
 */
function createChunkSender(deps: ChunkDeps) {
  return async (chunk: Job, signal: AbortSignal): Promise<Verdict> => {
    const job = chunk as Job<ChunkPayload>
    const { messages, stopped } = await takeUp(deps, job.payload)
    const all = [...messages, ...stopped]
    if (job.claims > wholeClaims && all.length > 1) return halve(deps, job, all)
    const delivered = await deliver(deps, { job, messages, signal })
    if (signal.aborted) throw signal.reason
    const until = later(deps.clock.now(), stopLookMs)
    delivered.postponed.push(...stopped.map(({ id }) => ({ id, until })))
    return settleChunk(deps, { job, messages: all, delivered })
  }
}

/** Messages that a person stopped are looked at again after this time. */
const stopLookMs = minutes(1)

interface TakenUp {
  messages: Message[]
  /** Messages that wait because a person stopped what sends them. */
  stopped: Message[]
}

interface TakeUpDeps {
  db: Database
  clock: Clock
  attempts: Attempts
  outcomes: Outcomes
}

/**
 * Selects the messages of a chunk that are to be sent now. Attempts that a worker left open are
 * resolved first.
 */
async function takeUp(deps: TakeUpDeps, payload: ChunkPayload): Promise<TakenUp> {
  const { business_id: businessId } = payload
  const { db, clock, attempts } = deps
  const dueMessages = await findDue(db, businessId, payload.message_ids, clock.now())
  const hasOrphans = dueMessages.some(({ state }) => state === 'attempting')
  const hasScheduled = dueMessages.some(
    ({ state, isStopped }) => state === 'scheduled' && !isStopped,
  )
  if (!hasOrphans && !hasScheduled) return withoutStopped(dueMessages)
  const ids = dueMessages
    .filter(({ state, isStopped }) => state === 'attempting' || !isStopped)
    .map(({ id }) => id)
  // The journal that the job's last holder wrote to this machine's disk has those outcomes.
  if (hasOrphans) await attempts.replay()
  await db.tx(async (tx) => {
    const now = clock.now()
    if (hasOrphans) await giveUp(tx, deps, businessId, { ids, now })
    if (hasScheduled) await announce(tx, await releaseScheduled(tx, businessId, ids, now), now)
  })
  const due = await findDue(db, businessId, payload.message_ids, clock.now())
  return withoutStopped(
    due.filter(({ state, isStopped }) => isStopped || state === 'queued' || state === 'deferred'),
  )
}

function withoutStopped(dueMessages: readonly DueMessage[]): TakenUp {
  return {
    messages: dueMessages.filter(({ isStopped }) => !isStopped),
    stopped: dueMessages.filter(({ isStopped, state }) => isStopped && state !== 'attempting'),
  }
}

/** Ends the attempts of a worker that died: whether those messages were sent is not known. */
async function giveUp(
  tx: Tx,
  { outcomes }: TakeUpDeps,
  businessId: Id<'business'>,
  { ids, now }: { ids: readonly Id<'message'>[]; now: Date },
): Promise<void> {
  const orphans = await resolveOrphans(tx, businessId, ids, now)
  const rows = orphans.map(({ id, kind }) =>
    eventRow(
      { businessId, messageId: id, type: kind === 'marketing' ? 'unknown' : 'deferred' },
      now,
    ),
  )
  const words = 'The service stopped while the message was being sent.'
  await insertEvents(
    tx,
    rows.map((row) => ({ ...row, words })),
    now,
  )
  await emitAll(
    tx,
    orphans
      .filter(({ kind, attempts }) => kind !== 'marketing' && attempts === 1)
      .map((orphan) => deferredEvent(orphan, words, now)),
    now,
  )
  const unknown = orphans.filter(({ kind }) => kind === 'marketing')
  await tellOutcomes(
    tx,
    outcomes,
    unknown.map((row) => ({ ...row, state: 'unknown' })),
    now,
  )
}

/** Of messages whose scheduled time has come. */
async function announce(tx: Tx, released: ReleasedMessage[], now: Date): Promise<void> {
  const origins = released.map((message) => ({ message, origin: originOf(message) }))
  await emitAll(
    tx,
    origins.map(({ message, origin }) => sentEvent(message, origin)),
    now,
  )
  const activity = origins.flatMap(({ message, origin }) => {
    const { businessId, contactId, id: messageId, campaignId, channel } = message
    const subject = { messageId, campaignId, channel }
    return contactId
      ? [{ businessId, contactId, type: 'message.sent', details: {}, origin, subject }]
      : []
  })
  await recordActivity(tx, activity, now)
}

function originOf({ connectionId, callId }: ReleasedMessage) {
  if (!callId) return undefined
  return { connectionId, callId: formatId('request', callId) }
}

/** How often an unsettled chunk is claimed as a whole before it is split. */
const wholeClaims = 2

/**
 * Workers died while they ran this chunk, because of one of its messages or for another reason.
 * Splitting it in two finds the message at fault without delaying the others with it.
 */
async function halve(
  { db, clock }: ChunkDeps,
  job: Job<ChunkPayload>,
  messages: Message[],
): Promise<Verdict> {
  const businessId = job.payload.business_id
  const waiting = messages.map((message) => ({
    ...message,
    businessId,
    dueAt: clock.now(),
    again: message.state === 'deferred',
  }))
  const half = Math.ceil(waiting.length / 2)
  await db.tx(async (tx) => {
    const now = clock.now()
    const heldJobs = await settle(tx, [{ job, outcome: { outcome: 'done' } }], now)
    if (!heldJobs.has(job)) return
    await queueMessages(tx, waiting.slice(0, half), now)
    await queueMessages(tx, waiting.slice(half), now)
  })
  return { outcome: 'settled' }
}

interface DeliverDeps {
  clock: Clock
  carrier: Carrier
  attempts: Attempts
  shares: Shares
}

/** The result of sending a chunk, besides the rows that are in the database already. */
interface Delivered {
  /**
   * Messages that were deferred without an attempt. `isPaused`: it waits for one provider, while the
   * rest of its campaign continues.
   */
  postponed: { id: Id<'message'>; until: Date; isPaused?: boolean; provider?: string }[]
  /** Messages that cannot be sent as they are, and the reasons. */
  impossible: { id: Id<'message'>; why: Refusal }[]
  /** Set if no connection could be opened. Unsent messages wait for the job's next try. */
  unreachable: Unreachable | undefined
}

type JobOfLane = HeldJob & Pick<Job, 'laneId'>

/**
 * Sends a chunk of messages. Each is prepared, waits for its turn with the next hop, is marked as
 * being tried, and is sent over a connection. Its outcome is recorded before the connection takes
 * the next message, so at most one message per connection is ever in doubt.
 */
async function deliver(
  deps: DeliverDeps,
  { job, messages, signal }: { job: JobOfLane; messages: Message[]; signal: AbortSignal },
): Promise<Delivered> {
  const result: Delivered = { postponed: [], impossible: [], unreachable: undefined }
  const commits: Promise<void>[] = []
  let next = 0
  let failure: { error: unknown } | undefined
  let inHand = 0
  const isOver = () =>
    next === messages.length ||
    signal.aborted ||
    result.unreachable !== undefined ||
    failure !== undefined
  const done = Promise.withResolvers<void>()
  const more = (): void => {
    while (!isOver() && share.take()) {
      const message = messages[next++] as Message
      inHand++
      void deliverOne(deps, { job, message, result, commits })
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => {
          inHand--
          share.give()
          more()
        })
    }
    if (!isOver()) return
    share.enough()
    if (inHand === 0) done.resolve()
  }
  const share = deps.shares.join(job.laneId, more)
  signal.addEventListener('abort', more)
  more()
  await done.promise
  signal.removeEventListener('abort', more)
  share.leave()
  await Promise.all(commits)
  // Thrown only after all are done, because a message on a connection must not look abandoned.
  if (failure) throw failure.error
  return result
}

interface MessageInChunk {
  job: HeldJob
  message: Message
  result: Delivered
  commits: Promise<void>[]
}

/** A message on its way over the hops, until one of them decides. */
interface OnTheWay extends MessageInChunk {
  prepared: PreparedMessage
  /** The answer of the hops before this one, none of which has its content. */
  refused?: Answer
}

/**
 * Prepares the message, waits for the throttle and tries it over a connection, unless it is
 * deferred on the way. A hop that cannot be reached, or that refused before the content, leaves the
 * message to the next one.
 */
async function deliverOne(deps: DeliverDeps, entry: MessageInChunk): Promise<void> {
  const prepared = await prepare(deps, entry)
  if (!prepared) return
  const way: OnTheWay = { ...entry, prepared }
  let unreachable: Unreachable | undefined
  for (const [index, hop] of prepared.hops.entries()) {
    const isFirst = index === 0
    const pass = await enter(deps, way, { hop, isFirst })
    if (!pass && isFirst) return
    if (!pass) break
    const isLast = index === prepared.hops.length - 1
    try {
      const tried = await hop.over(turnOf(entry.message), (send) =>
        attempt(deps, way, { hop, isLast, send }),
      )
      pass.leave(tried.answer?.result === 'refused' && tried.answer.slower)
      if (tried.isOver) return
      if (tried.answer) way.refused = tried.answer
    } catch (error) {
      pass.leave(error instanceof Unreachable && deps.carrier.asksForLess(error))
      if (!(error instanceof Unreachable)) throw error
      unreachable = error
    }
  }
  if (way.refused) await record(deps, way, way.refused, null)
  else entry.result.unreachable = unreachable
}

/** Undefined if the message cannot be sent, or must be deferred. */
async function prepare(
  { clock, carrier }: DeliverDeps,
  { message, result }: MessageInChunk,
): Promise<PreparedMessage | undefined> {
  const now = clock.now()
  const { id } = message
  if (isTooLate(message, now)) {
    result.impossible.push({ id, why: refuse('gone', tooLate) })
    return undefined
  }
  const waits = await carrier.heldAt?.(message, now)
  if (waits) {
    result.postponed.push({ id, ...waits, isPaused: true })
    return undefined
  }
  const prepared = await orRefusal(() => carrier.prepare(message, now))
  if (!isRefusal(prepared)) return prepared
  if (prepared.code === 'unavailable') result.postponed.push({ id, until: later(now, minutes(1)) })
  else result.impossible.push({ id, why: prepared })
  return undefined
}

/** Whether a message without any reply has expired. Its last try gives up a deferred message. */
function isTooLate({ queuedAt }: Message, now: Date): boolean {
  return queuedAt !== null && now > later(queuedAt, triedFor + hours(6))
}

const tooLate =
  'The next hop could not be reached, or its provider had to wait, for as long as a message is tried.'

/**
 * Waits for the throttle of the hop. Undefined if that takes too long, or if the message must be
 * deferred for its recipient: until then it is held, unless an earlier hop was tried already.
 */
async function enter(
  { clock }: DeliverDeps,
  { message, result, prepared: { sender, provider, waitsUntil } }: OnTheWay,
  { hop, isFirst }: { hop: Hop; isFirst: boolean },
): Promise<Pass | undefined> {
  const hold = (until: Date, isPaused = false): undefined => {
    const waits = isPaused ? { isPaused, provider } : {}
    if (isFirst) result.postponed.push({ id: message.id, until, ...waits })
    return undefined
  }
  const early = waitsUntil?.(clock.now())
  if (early) return hold(early)
  const { kind } = message
  const pass = await hop.throttle.enter({ domain: sender, kind, provider })
  if ('until' in pass) return hold(pass.until, pass.isPaused)
  // The wait for the throttle may have been long.
  const until = waitsUntil?.(clock.now())
  if (!until) return pass
  pass.leave(false)
  return hold(until)
}

function turnOf({ kind, isReply }: Message): Turn {
  if (isReply) return 'urgent'
  return kind === 'marketing' ? 'bulk' : 'normal'
}

interface Trial {
  hop: Hop
  isLast: boolean
  send: () => Promise<Answer>
}

/** Holds the connection from the start of the attempt until its outcome is recorded. */
async function attempt(
  deps: DeliverDeps,
  way: OnTheWay,
  { hop: { route }, isLast, send }: Trial,
): Promise<{ answer?: Answer; isOver: boolean }> {
  const isBegun = way.refused !== undefined
  if (!isBegun && !(await begin(deps, way, route))) return { isOver: true }
  const { channel } = way.message
  const answer = await observed({ kind: 'send', name: channel, resultOf: wordFor }, send)
  if (!isLast && maySendAgain(answer)) return { answer, isOver: false }
  await record(deps, way, answer, isBegun ? route : null)
  return { answer, isOver: true }
}

/** Returns whether the attempt may go on. */
async function begin(
  { clock, attempts }: DeliverDeps,
  { job, message, result, prepared: { sender, provider } }: OnTheWay,
  route: string,
): Promise<boolean> {
  const { businessId, id, channel, to } = message
  const mark = await attempts.begin({ businessId, id, channel, to, job, route, sender, provider })
  if (mark === 'held') result.postponed.push({ id, until: clock.now() })
  return mark === 'attempting'
}

const wordFor = (answer: Answer): string =>
  answer.result === 'refused' && !answer.final ? 'deferred' : answer.result

/** Whether the hop certainly has nothing of the message, so that another one may get it. */
function maySendAgain(answer: Answer): boolean {
  if (answer.result === 'refused') return answer.isEarly === true
  return answer.result === 'untouched'
}

/** @param route The hop that answered, if the attempt began with another one. */
async function record(
  { clock, attempts }: DeliverDeps,
  { job, message, commits }: OnTheWay,
  answer: Answer,
  route: string | null,
): Promise<void> {
  const tried = { ...message, attempts: message.attempts + 1 }
  const outcome = { ...outcomeOf(tried, job, answer, clock.now()), route }
  if (outcome.state === 'accepted') commits.push((await attempts.accept(outcome)).committed)
  else await attempts.end(outcome)
}

interface SentChunk {
  job: Job<ChunkPayload>
  messages: Message[]
  delivered: Delivered
}

async function settleChunk(deps: ChunkDeps, sent: SentChunk): Promise<Verdict> {
  const { db, clock, log, channel } = deps
  const { job, delivered } = sent
  const { postponed, impossible, unreachable } = delivered
  const end = endOf(unreachable, job, clock.now())
  if (unreachable) {
    log.warn({ channel, code: unreachable.code, job: job.id }, 'message.unreachable')
  }
  await db.tx(async (tx) => {
    const now = clock.now()
    const settled = await settle(tx, [{ job, outcome: end }], now)
    // Another worker has the job now, and records that itself.
    if (!settled.has(job)) return
    if (postponed.length > 0) await putOff(tx, sent, now)
    if (impossible.length > 0) await fail(tx, deps, { ...sent, now })
  })
  return 'at' in end ? { outcome: 'settled', at: end.at } : { outcome: 'settled' }
}

function endOf(unreachable: Unreachable | undefined, { attempt }: Job, now: Date): Outcome {
  if (!unreachable) return { outcome: 'done' }
  const delay = unreachableDelays[attempt - 1]
  // However long the outage lasts, the job never becomes a dead letter.
  if (delay === undefined) return { outcome: 'again', at: later(now, minutes(2)) }
  return { outcome: 'retry', at: later(now, delay), fault: unreachable.code.slice(0, 100) }
}

/** Queues deferred messages in a job of their own. */
async function putOff(tx: Tx, { job, messages, delivered }: SentChunk, now: Date): Promise<void> {
  const byId = new Map(delivered.postponed.map((entry) => [entry.id, entry]))
  const waiting = messages.flatMap((message) => {
    const wait = byId.get(message.id)
    if (!wait) return []
    // A wait for one provider must not count as dispatched ahead, or other messages would wait too.
    const again = message.state === 'deferred' || wait.isPaused === true
    return [{ ...message, dueAt: wait.until, again }]
  })
  const { business_id: businessId } = job.payload
  const postponed = waiting.map(({ id, dueAt }) => ({
    id,
    until: dueAt,
    provider: byId.get(id)?.provider ?? null,
  }))
  await postpone(tx, businessId, postponed, now)
  await queueMessages(tx, waiting, now)
}

/** Fails the messages that cannot be sent as they are. */
async function fail(
  tx: Tx,
  { outcomes }: ChunkDeps,
  { job, delivered: { impossible }, now }: SentChunk & { now: Date },
): Promise<void> {
  const businessId = job.payload.business_id
  const ids = impossible.map(({ id }) => id)
  const reasons = new Map(impossible.map(({ id, why }) => [id, why]))
  const failed = await endWaitingMessages(tx, businessId, { ids, state: 'failed' }, now)
  const events = failed.map(({ id }) => {
    const why = reasons.get(id)
    const row = eventRow({ businessId, messageId: id, type: 'failed' }, now)
    return why ? { ...row, code: why.code, words: why.message } : row
  })
  await insertEvents(tx, events, now)
  await emitAll(
    tx,
    failed.map((message) => failedEvent(message, reasons.get(message.id)?.message ?? 'impossible')),
    now,
  )
  const rows = failed.map((row) => {
    const reason = reasons.get(row.id)?.code
    return { ...row, state: 'failed' as const, ...(reason && { reason }) }
  })
  await tellOutcomes(tx, outcomes, rows, now)
}
