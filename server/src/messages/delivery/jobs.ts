/** The background work of messages; `worker.ts` adds it to the list. */

import { limits } from '../../config.ts'
import { type Channel, channels } from '../../contacts/model/contact.ts'
import { recordActivity } from '../../contacts/timeline/activity.ts'
import type { Refusal } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { emitAll } from '../../events/emit.ts'
import { keepPartitions } from '../../lib/db/partitions.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { Job, JobKind, JobKinds, Outcome, Verdict } from '../../lib/jobs/job.ts'
import { settle } from '../../lib/jobs/settle.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import type { Unreachable } from '../../lib/transport/unreachable.ts'
import { deleteOldBuckets } from '../../usage/approval-limit.ts'
import { deleteRecent } from '../intake/save-queries.ts'
import { type Outcomes, tellOutcomes } from '../model/campaign-outcomes.ts'
import { type Message, triedFor } from '../model/message.ts'
import { type ChunkPayload, queueMessages, sendJobs } from '../model/queue.ts'
import { sentEvent } from '../timeline/announce.ts'
import { eventRow } from '../timeline/event-row.ts'
import {
  findDue,
  insertEvents,
  type ReleasedMessage,
  releaseScheduled,
  resolveOrphans,
} from './attempt-queries.ts'
import type { Attempts } from './attempts.ts'
import { type DeliverDeps, type Delivered, deliver } from './deliver.ts'
import { createShares } from './shares.ts'
import { failMessages, postpone } from './waiting-queries.ts'

export interface MessageJobDeps {
  db: Database
  clock: Clock
  log: Log
  attempts: Attempts
  outcomes: Outcomes
  ways: Readonly<Record<Channel, Way>>
}

/** How messages of a channel go, and how fast. */
export type Way = Pick<DeliverDeps, 'carrier' | 'throttle'>

interface ChunkDeps extends DeliverDeps {
  db: Database
  log: Log
  channel: Channel
  outcomes: Outcomes
}

const messageEventsKeptDays = 400

/** While no connection can be opened: soon at first, since a relay restarts within seconds. */
const unreachableDelays = [seconds(2), seconds(5), seconds(15), seconds(60), minutes(2)]

/** What fails for a reason of ours is tried for as long as a message is. */
const chunkRetries = [
  ...unreachableDelays,
  minutes(10),
  ...Array.from({ length: triedFor / hours(1) }, () => hours(1)),
]

export function messageJobs(deps: MessageJobDeps): JobKinds {
  const { db, clock } = deps
  return {
    ...Object.fromEntries(channels.map((channel) => [sendJobs[channel], chunkJob(deps, channel)])),
    'message.sweep': {
      everyMs: minutes(10),
      async run() {
        await deleteRecent(db, later(clock.now(), -limits.duplicateMs))
        await deleteOldBuckets(db, clock.now())
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

function chunkJob({ ways, ...common }: MessageJobDeps, channel: Channel): JobKind {
  const way = ways[channel]
  const shares = createShares(way.carrier.connections)
  const deps: ChunkDeps = { ...common, ...way, shares, channel }
  return {
    perLane: 2,
    perTurn: 1,
    // A next hop that hangs must not hang sign-in mail and all else with it.
    atOnce: 10,
    retryDelays: chunkRetries,
    timeoutMs: hours(1),
    run: (job, signal) => sendChunk(deps, job as Job<ChunkPayload>, signal),
  }
}

async function sendChunk(
  deps: ChunkDeps,
  job: Job<ChunkPayload>,
  signal: AbortSignal,
): Promise<Verdict> {
  const messages = await takeUp(deps, job.payload)
  if (job.claims > wholeClaims && messages.length > 1) return halve(deps, job, messages)
  const delivered = await deliver(deps, { job, messages, signal })
  if (signal.aborted) throw signal.reason
  const end = endOf(delivered.unreachable, job, deps.clock.now())
  if (delivered.unreachable) {
    const { code } = delivered.unreachable
    deps.log.warn({ channel: deps.channel, code, job: job.id }, 'message.unreachable')
  }
  await deps.db.tx(async (tx) => {
    const now = deps.clock.now()
    const held = await settle(tx, [{ job, outcome: end }], now)
    // Another worker has it now, and puts them aside itself.
    if (held.has(job)) await putAside(tx, deps, { job, messages, delivered })
  })
  return 'at' in end ? { outcome: 'settled', at: end.at } : { outcome: 'settled' }
}

/** Claims without a settle that a chunk has as a whole. */
const wholeClaims = 2

/**
 * Workers died with this chunk in hand, of one of its messages or of something else: in two
 * jobs the one that kills is found, and the others are not held back with it.
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
    const held = await settle(tx, [{ job, outcome: { outcome: 'done' } }], now)
    if (!held.has(job)) return
    await queueMessages(tx, waiting.slice(0, half), now)
    await queueMessages(tx, waiting.slice(half), now)
  })
  return { outcome: 'settled' }
}

function endOf(unreachable: Unreachable | undefined, { attempt }: Job, now: Date): Outcome {
  if (!unreachable) return { outcome: 'done' }
  const delay = unreachableDelays[attempt - 1]
  // However long it lasts, it is never laid aside.
  if (delay === undefined) return { outcome: 'again', at: later(now, minutes(2)) }
  return { outcome: 'retry', at: later(now, delay), fault: unreachable.code.slice(0, 100) }
}

/** The messages of the chunk that are to be sent now. */
async function takeUp(deps: ChunkDeps, payload: ChunkPayload): Promise<Message[]> {
  const { business_id: businessId, message_ids: ids } = payload
  const { db, clock, attempts } = deps
  const found = await findDue(db, businessId, ids, clock.now())
  const orphaned = found.some(({ state }) => state === 'attempting')
  const scheduled = found.some(({ state }) => state === 'scheduled')
  if (!orphaned && !scheduled) return found
  // What the last holder of this job wrote to this machine's disk is known after all.
  if (orphaned) await attempts.replay()
  await db.tx(async (tx) => {
    const now = clock.now()
    if (orphaned) await giveUp(tx, deps, businessId, { ids, now })
    if (scheduled) await announce(tx, await releaseScheduled(tx, businessId, ids, now), now)
  })
  const due = await findDue(db, businessId, ids, clock.now())
  return due.filter(({ state }) => state === 'queued' || state === 'deferred')
}

interface Those {
  ids: readonly Id<'message'>[]
  now: Date
}

async function giveUp(
  tx: Tx,
  { outcomes }: ChunkDeps,
  businessId: Id<'business'>,
  { ids, now }: Those,
): Promise<void> {
  const orphans = await resolveOrphans(tx, businessId, ids, now)
  const rows = orphans.map(({ id, kind }) =>
    eventRow(
      { businessId, messageId: id, type: kind === 'marketing' ? 'unknown' : 'deferred' },
      now,
    ),
  )
  const words = 'The service stopped while the message was under way.'
  await insertEvents(
    tx,
    rows.map((row) => ({ ...row, words })),
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

interface Done {
  job: Job<ChunkPayload>
  messages: Message[]
  delivered: Delivered
}

/** Messages that wait get a job of their own; those that cannot be sent have failed. */
async function putAside(
  tx: Tx,
  { clock, outcomes }: ChunkDeps,
  { job, messages, delivered }: Done,
): Promise<void> {
  const now = clock.now()
  const businessId = job.payload.business_id
  const until = new Map(delivered.held.map((one) => [one.id, one.until]))
  const held = messages.flatMap((message) => {
    const dueAt = until.get(message.id)
    return dueAt ? [{ ...message, dueAt, again: message.state === 'deferred' }] : []
  })
  for (const [at, group] of Map.groupBy(held, ({ dueAt }) => dueAt.getTime())) {
    const ids = group.map(({ id }) => id)
    await postpone(tx, businessId, ids, { until: new Date(at), now })
  }
  await queueMessages(tx, held, now)
  await fail(tx, outcomes, businessId, { impossible: delivered.impossible, now })
}

async function fail(
  tx: Tx,
  outcomes: Outcomes,
  businessId: Id<'business'>,
  { impossible, now }: { impossible: { id: Id<'message'>; why: Refusal }[]; now: Date },
): Promise<void> {
  if (impossible.length === 0) return
  const ids = impossible.map(({ id }) => id)
  const reasons = new Map(impossible.map(({ id, why }) => [id, why]))
  const failed = await failMessages(tx, businessId, ids, now)
  const events = failed.map(({ id }) => {
    const why = reasons.get(id)
    const row = eventRow({ businessId, messageId: id, type: 'failed' }, now)
    return why ? { ...row, code: why.code, words: why.message } : row
  })
  await insertEvents(tx, events, now)
  const rows = failed.map((row) => {
    const reason = reasons.get(row.id)?.code
    return { ...row, state: 'failed' as const, ...(reason && { reason }) }
  })
  await tellOutcomes(tx, outcomes, rows, now)
}
