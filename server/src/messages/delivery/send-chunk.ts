/**
 * The job that sends a chunk of messages. It claims the messages that are due and delivers each of
 * them. As the job is settled, it records which messages wait and which cannot be sent.
 */

import type { Channel } from '../../contacts/contact.ts'
import { emitAll } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Job, Outcome, Verdict } from '../../lib/jobs/job.ts'
import { settle } from '../../lib/jobs/settle.ts'
import type { Log } from '../../lib/process/log.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import type { Unreachable } from '../../lib/transport/unreachable.ts'
import { tellOutcomes } from '../model/campaign-outcomes.ts'
import type { Message } from '../model/message.ts'
import { type ChunkPayload, queueMessages } from '../model/queue.ts'
import { failedEvent } from '../timeline/announce.ts'
import { eventRow } from '../timeline/event-row.ts'
import { insertEvents } from './attempt-queries.ts'
import { type DeliverDeps, type Delivered, deliver, type TakeUpDeps, takeUp } from './deliver.ts'
import { unreachableDelays } from './retry.ts'
import { endWaitingMessages, postpone } from './waiting-queries.ts'

export interface ChunkDeps extends DeliverDeps, TakeUpDeps {
  log: Log
  channel: Channel
}

export function createChunkSender(deps: ChunkDeps) {
  return async (given: Job, signal: AbortSignal): Promise<Verdict> => {
    const job = given as Job<ChunkPayload>
    const messages = await takeUp(deps, job.payload)
    if (job.claims > wholeClaims && messages.length > 1) return halve(deps, job, messages)
    const delivered = await deliver(deps, { job, messages, signal })
    if (signal.aborted) throw signal.reason
    return settleChunk(deps, { job, messages, delivered })
  }
}

interface Sent {
  job: Job<ChunkPayload>
  messages: Message[]
  delivered: Delivered
}

async function settleChunk(deps: ChunkDeps, sent: Sent): Promise<Verdict> {
  const { db, clock, log, channel } = deps
  const { job, delivered } = sent
  const { held, impossible, unreachable } = delivered
  const end = endOf(unreachable, job, clock.now())
  if (unreachable) {
    log.warn({ channel, code: unreachable.code, job: job.id }, 'message.unreachable')
  }
  await db.tx(async (tx) => {
    const now = clock.now()
    const settled = await settle(tx, [{ job, outcome: end }], now)
    // Another worker has the job now, and records that itself.
    if (!settled.has(job)) return
    if (held.length > 0) await putOff(tx, sent, now)
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
async function putOff(tx: Tx, { job, messages, delivered }: Sent, now: Date): Promise<void> {
  const byId = new Map(delivered.held.map((entry) => [entry.id, entry]))
  const held = messages.flatMap((message) => {
    const one = byId.get(message.id)
    if (!one) return []
    // A wait for one provider must not count as dispatched ahead, or other messages would wait too.
    const again = message.state === 'deferred' || one.isPaused === true
    return [{ ...message, dueAt: one.until, again }]
  })
  const { business_id: businessId } = job.payload
  const postponed = held.map(({ id, dueAt }) => ({
    id,
    until: dueAt,
    provider: byId.get(id)?.provider ?? null,
  }))
  await postpone(tx, businessId, postponed, now)
  await queueMessages(tx, held, now)
}

/** Fails the messages that cannot be sent as they are. */
async function fail(
  tx: Tx,
  { outcomes }: ChunkDeps,
  { job, delivered: { impossible }, now }: Sent & { now: Date },
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
    const held = await settle(tx, [{ job, outcome: { outcome: 'done' } }], now)
    if (!held.has(job)) return
    await queueMessages(tx, waiting.slice(0, half), now)
    await queueMessages(tx, waiting.slice(half), now)
  })
  return { outcome: 'settled' }
}
