/**
 * Sends the messages of businesses, a chunk at a time: `createSending` builds the parts, `chunkJob`
 * takes up the messages that are due, `deliver.ts` sends them over their hops, and `settleChunk`
 * records which of them wait and which cannot be sent.
 */

import path from 'node:path'
import { isHeldByStop } from '../accounts/stops/stops.ts'
import { limits } from '../config.ts'
import { type Channel, channels } from '../contacts/contact.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { emitAll } from '../events/emit.ts'
import { createJournal } from '../lib/concurrency/journal.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import { keepPartitions } from '../lib/db/partitions.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { settle } from '../lib/jobs/claim.ts'
import type { Job, JobKind, JobKinds, Outcome, TellWorker, Verdict } from '../lib/jobs/job.ts'
import type { Log } from '../lib/process/log.ts'
import type { SmsTransport } from '../lib/sms/transport.ts'
import { type Clock, days, hours, later, minutes } from '../lib/time/clock.ts'
import type { Unreachable } from '../lib/transport/unreachable.ts'
import { deleteOldBuckets } from '../usage/approval-limit.ts'
import { type Acceptance, type Attempts, createAttempts } from './attempts.ts'
import { type Outcomes, tellOutcomes } from './campaign-outcomes.ts'
import { createContentReader } from './content.ts'
import { type Carrier, createShares, type DeliverDeps, type Delivered, deliver } from './deliver.ts'
import type { Labels } from './labels.ts'
import { type ComposeDeps, createMailCarrier } from './mail-carrier.ts'
import type { Message, MessageKind } from './message.ts'
import {
  type Announced,
  deferredEvent,
  eventRow,
  failedEvent,
  insertEvents,
  sentEvent,
} from './message-events.ts'
import { type ChunkPayload, endWaitingMessages, queueMessages, sendJobs } from './queue.ts'
import type { Relay, Relays } from './relays/relays.ts'
import { chunkRetries, unreachableDelays } from './retry.ts'
import { deleteRecent } from './save.ts'
import { createTextCarrier } from './text-carrier.ts'
import { createTextWords } from './text-words.ts'
import type { Texting } from './texting.ts'
import type { FindProvider } from './throttle/provider.ts'
import { createHeldUntil } from './throttle/provider-holds.ts'
import { createThrottle, deleteIdleStreams } from './throttle/throttle.ts'

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

interface ReleasedMessage {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  contactId: Id<'contact'> | null
  campaignId: Id<'campaign'> | null
  to: string
  labels: Labels | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** Queues scheduled messages that have become due, and returns them. */
function releaseScheduled(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Id<'message'>[],
  now: Date,
): Promise<ReleasedMessage[]> {
  return tx.all(sql`
    update messages set state = 'queued', queued_at = ${now}, updated_at = ${now}
    where business_id = ${businessId} and id = any(${ids}::uuid[]) and state = 'scheduled'
    returning business_id as "businessId", id, channel, contact_id as "contactId",
      campaign_id as "campaignId", recipient as "to", labels, connection_id as "connectionId",
      call_id as "callId"
  `)
}

/** A message that is due, and whether a person's stop holds it. */
interface DueMessage extends Message {
  isStopped: boolean
}

/** Finds messages of a chunk that are due, or that a worker left in the middle of an attempt. */
export function findDue(
  db: Db,
  businessId: Id<'business'>,
  ids: readonly Id<'message'>[],
  now: Date,
): Promise<DueMessage[]> {
  return db.all(sqlWithin`
    select m.business_id as "businessId", m.id, m.channel, m.kind, m.is_reply as "isReply",
      m.contact_id as "contactId", m.campaign_id as "campaignId", m.recipient as "to",
      m.template_version_id as "templateVersionId", m.shown_blocks as "shownBlocks", m.topic, m.state, m.attempts,
      m.due_at as "dueAt", m.queued_at as "queuedAt", ${isHeldByStop} as "isStopped",
      case when m.channel = 'sms' and m.kind = 'marketing' then (
        select c.attributes ->> 'time_zone' from contacts c
        where c.business_id = m.business_id and c.id = m.contact_id
      ) end as zone,
      case when m.channel = 'email' then (
        select c.tracking_consent from contacts c
        where c.business_id = m.business_id and c.id = m.contact_id
      ) end as "trackingConsent"
    from messages m
    where m.business_id = ${businessId} and m.id = any(${ids}::uuid[])
      and (m.state = 'attempting'
        or m.state in ('scheduled', 'queued', 'deferred') and m.due_at <= ${now})
    order by m.id
  `)
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

interface Orphan extends Announced {
  kind: MessageKind
  attempts: number
}

/**
 * Ends attempts whose worker no longer holds the job, so that their outcome is unknown. Marketing
 * stays unknown, and other messages are tried again.
 */
function resolveOrphans(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Id<'message'>[],
  now: Date,
): Promise<Orphan[]> {
  return tx.all(sql`
    update messages m set
      state = case when kind = 'marketing' then 'unknown' else 'deferred' end,
      due_at = ${now}, updated_at = ${now}
    where business_id = ${businessId} and id = any(${ids}::uuid[]) and state = 'attempting'
      and not exists (
        select from jobs
        where (jobs.business_id = ${businessId} or true) and jobs.shard = m.job_shard
          and jobs.id = m.job_id and jobs.lease = m.attempt_id
      )
    returning business_id as "businessId", id, kind, channel, campaign_id as "campaignId",
      contact_id as "contactId", recipient as "to", labels, attempts
  `)
}

/** Emits the events of messages whose scheduled time has come. */
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

interface Postponed {
  id: Id<'message'>
  until: Date
  /** The provider that it waits for; null for another reason. */
  provider: string | null
}

/** Defers messages until later, without an attempt. */
export function postpone(
  tx: Tx,
  businessId: Id<'business'>,
  all: readonly Postponed[],
  now: Date,
): Promise<number> {
  const ids = all.map(({ id }) => id)
  return tx.run(sql`
    update messages m set due_at = new.until, provider = coalesce(new.provider, m.provider),
      updated_at = ${now}
    from unnest(
      ${ids}::uuid[],
      ${all.map(({ until }) => until)}::timestamptz[],
      ${all.map(({ provider }) => provider)}::text[]
    ) as new (id, until, provider)
    where m.business_id = ${businessId} and m.id = any(${ids}::uuid[]) and m.id = new.id
      and m.state in ('queued', 'deferred')
  `)
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
