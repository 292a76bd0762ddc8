/**
 * The beginning and the end of attempts, for all connections of this process together. One
 * transaction records many messages, and each connection waits for its own message.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopAtProvider } from '../../contacts/consent/text-consent.ts'
import type { Channel } from '../../contacts/contact.ts'
import { stoppedMark } from '../../contacts/suppressions/stopped-numbers.ts'
import { suppress } from '../../contacts/suppressions/suppression.ts'
import { deleteSent } from '../../contacts/timeline/activity.ts'
import { formatId } from '../../core/ids.ts'
import { isSimulated } from '../../core/inbox/simulated-address.ts'
import type { Hmac } from '../../core/operation.ts'
import { emitAll, type NewEvent } from '../../events/emit.ts'
import { businessesAsking } from '../../events/on-demand.ts'
import { createBatcher } from '../../lib/concurrency/batch.ts'
import type { Journal } from '../../lib/concurrency/journal.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { commonWords } from '../../lib/email/common-words.ts'
import { type TellWorker, tellOfJobs } from '../../lib/jobs/job.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Outcomes, tellOutcomes } from '../model/campaign-outcomes.ts'
import { queueMessages } from '../model/queue.ts'
import { pauseStream, pauseUntilMended } from '../throttle/pause-stream.ts'
import {
  acceptedEvent,
  deferredEvent,
  factsOf,
  failedEvent,
  suppressedEvent,
} from '../timeline/announce.ts'
import { eventRow } from '../timeline/event-row.ts'
import {
  type AttemptStart,
  type Beginning,
  beginAttempts,
  type EndedAttempt,
  endAttempts,
  insertEvents,
} from './attempt-queries.ts'
import { type Acceptance, acceptanceOf, acceptedOutcome, type Outcome } from './outcome.ts'
import { denyMessages } from './waiting-queries.ts'

interface ToBegin extends Omit<Beginning, 'stoppedMark'> {
  channel: Channel
  to: string
}

export interface Attempts {
  /** The mark is committed when it resolves. Only then may the message go to the remote server. */
  begin(beginning: ToBegin): Promise<AttemptStart['state'] | 'lost'>
  /** The outcome is on disk, or in the database, when it resolves. `committed` resolves once it is in the database. */
  accept(outcome: Outcome): Promise<{ committed: Promise<void> }>
  /** The outcome is in the database when it resolves. */
  end(outcome: Outcome): Promise<void>
  /** Records the outcomes that dead processes left on disk. Returns their number. */
  replay(): Promise<number>
  /** Leaves uncommitted outcomes where they are: on disk, or to be repeated by the job. */
  stop(): void
}

interface AttemptDeps extends EndDeps {
  journal: Journal<Acceptance>
}

export function createAttempts(deps: AttemptDeps): Attempts {
  const { db, clock, hmac, journal } = deps
  const beginOne = createBatcher<ToBegin, AttemptStart['state'] | 'lost'>({
    maxItems: 200,
    restMs: beginRestMs,
    async flush(items) {
      const beginnings = items.map((item) => ({
        ...item,
        stoppedMark: item.channel === 'sms' ? stoppedMark(hmac, item.sender, item.to) : null,
      }))
      const begun = await beginAttempts(db, beginnings, clock.now())
      const denied = begun.filter(isDenied)
      if (denied.length > 0) await deny(deps, beginnings, denied)
      const states = new Map(begun.map(({ id, jobId, state }) => [`${jobId} ${id}`, state]))
      return items.map(({ id, job }) => states.get(`${job.id} ${id}`) ?? 'lost')
    },
  })
  const endTogether = (restMs?: number) =>
    createBatcher<Outcome, void>({
      maxItems: 500,
      ...(restMs !== undefined && { restMs }),
      async flush(outcomes) {
        await endAll(deps, outcomes)
        return outcomes.map(() => undefined)
      },
    })
  const endOne = endTogether()
  const acceptOne = endTogether(acceptanceRestMs)
  let stopped = false
  // A temporary outage of the database must not lose a remote server's reply.
  const untilDone = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (stopped) throw error
        await sleep(retryMs)
      }
    }
  }

  return {
    begin: beginOne,
    end: (outcome) => untilDone(() => endOne(outcome)),
    async accept(outcome) {
      const entry = await journal.write(acceptanceOf(outcome)).catch(() => undefined)
      const committed = untilDone(() => acceptOne(outcome))
      if (entry) return { committed: committed.then(entry) }
      // With a full disk here, the outcome is safe only once it is in the database.
      await committed
      return { committed }
    },
    async replay() {
      const { entries, forget } = await journal.leftovers()
      if (entries.length > 0) await endAll(deps, entries.map(acceptedOutcome))
      await forget()
      return entries.length
    },
    stop() {
      stopped = true
    },
  }
}

const retryMs = 500

// Under load the starts of many connections are collected, which delays them. A wait of 5 ms saved
// no measurable syncs. A single message does not wait.
const beginRestMs = 2

// Accepted messages are on disk already, so their rows can wait. That saves a third of the load.
const acceptanceRestMs = 25

/** A message that must not be sent, as the statement that starts attempts found. */
interface Denied extends AttemptStart {
  state: 'suppressed' | 'cancelled'
}

function isDenied(begun: AttemptStart): begun is Denied {
  return begun.state === 'suppressed' || begun.state === 'cancelled'
}

/** Ends messages that must not be sent. Another attempt would be denied again. */
async function deny(
  { db, clock, outcomes }: AttemptDeps,
  items: Beginning[],
  all: Denied[],
): Promise<void> {
  const denied = new Map(all.map((entry) => [entry.id, entry]))
  const denials = items.flatMap(({ businessId, id }) => {
    const verdict = denied.get(id)
    return verdict ? [{ businessId, id, state: verdict.state }] : []
  })
  await db.tx(async (tx) => {
    const now = clock.now()
    const ended = await denyMessages(tx, denials, now)
    const rows = ended.map((row) => {
      const { state = 'cancelled' as const, reason = null } = denied.get(row.id) ?? {}
      return { ...row, state, ...(reason !== null && { reason }) }
    })
    const events = rows.map(({ businessId, id, state }) =>
      eventRow({ businessId, messageId: id, type: state }, now),
    )
    await insertEvents(tx, events, now)
    const cancelled = rows.filter(({ state }) => state === 'cancelled')
    for (const [businessId, its] of Map.groupBy(cancelled, (row) => row.businessId)) {
      await deleteSent(tx, businessId, its)
    }
    const suppressed = rows.filter(({ state }) => state === 'suppressed')
    await emitAll(
      tx,
      suppressed.map((row) => suppressedEvent(row, row.reason ?? 'suppressed')),
      now,
    )
    await tellOutcomes(tx, outcomes, rows, now)
  })
}

interface EndDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  wake: TellWorker | undefined
  outcomes: Outcomes
}

/**
 * The end of attempts. One transaction records the outcome and its consequences, such as another
 * try, a suppressed address, and events.
 */
async function endAll(deps: EndDeps, all: Outcome[]): Promise<unknown> {
  const { db, clock } = deps
  const sorted = all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const endings = sorted.map((entry) => ({ ...entry, eventId: randomUUID() }))
  const accepted = sorted.filter(({ state }) => state === 'accepted')
  const businessIds = new Set(accepted.map(({ businessId }) => businessId))
  const asking =
    accepted.length > 0 ? await businessesAsking(db, 'message.accepted', businessIds) : businessIds
  // Most outcomes are like this, so a separate statement handles them.
  if (sorted.every((entry) => isPlain(entry)) && asking.size === 0) {
    return endAttempts(db, endings, clock.now())
  }
  return db.tx(async (tx) => {
    const now = clock.now()
    const outcomes = new Map(sorted.map((entry) => [`${entry.attemptId} ${entry.id}`, entry]))
    const ended = await endAttempts(tx, endings, now)
    const pairs = ended.map((message) => {
      return { message, outcome: outcomes.get(`${message.attemptId} ${message.id}`) as Outcome }
    })
    const accepted = pairs.filter(
      ({ message, outcome }) => outcome.state === 'accepted' && asking.has(message.businessId),
    )
    if (accepted.length > 0) {
      const events = accepted.map(({ message, outcome }) => acceptedEvent(message, outcome.at))
      await emitAll(tx, events, now)
    }
    if (pairs.some(({ outcome }) => outcome.state !== 'accepted')) {
      await follow(tx, deps, { pairs, now })
    }
    await tellOutcomes(tx, deps.outcomes, pairs.map(settledOf), now)
  })
}

const isPlain = ({ state, campaignId }: Outcome) => state === 'accepted' && campaignId === null

interface Pair {
  message: EndedAttempt
  outcome: Outcome
}

function settledOf({ message, outcome }: Pair) {
  const { businessId, id, campaignId, contactId, provider, attempts, to } = message
  // A simulated bounce is none of the campaign's, whose rate may pause it.
  const state = outcome.state === 'bounced' && isSimulated(to) ? 'accepted' : outcome.state
  const { refusesSender: byPolicy, words, code, stopped } = outcome
  const isFirstDeferral = state === 'deferred' && attempts === 1
  // What the sender lacks is told of while it is refused for now, too.
  const lackWords = isFirstDeferral && outcome.missing && commonWords(words ?? '', to)
  // What was lost, or is unknown, was refused by nobody.
  const refusal =
    state === 'failed' && code !== null ? { byPolicy, words: commonWords(words ?? code, to) } : null
  return {
    businessId,
    id,
    campaignId,
    contactId,
    state,
    provider,
    ...(isFirstDeferral && { isFirstDeferral }),
    ...(lackWords && { lackWords }),
    ...(refusal && { refusal }),
    ...(stopped && { reason: 'stop' }),
  }
}

/** Queues another try, suppresses the address, and writes events. */
async function follow(
  tx: Tx,
  { hmac, wake }: EndDeps,
  { pairs, now }: { pairs: Pair[]; now: Date },
): Promise<void> {
  if (wake) tellOfJobs(tx, wake)
  await queueMessages(
    tx,
    pairs.flatMap(({ message, outcome: { dueAt } }) =>
      dueAt ? [{ ...message, dueAt, again: true }] : [],
    ),
    now,
  )
  const dead = pairs.filter(({ outcome }) => outcome.suppress)
  await suppress(
    tx,
    hmac,
    dead.map(({ message: { businessId, channel, to } }) => {
      return { businessId, channel, address: to, reason: 'bounce', source: sources[channel] }
    }),
    now,
  )
  for (const { message, outcome } of pairs) {
    if (!outcome.stopped) continue
    const { businessId, to: phone, senderDomain: sender } = message
    const source = `the provider’s list of STOP, ${formatId('message', message.id)}`
    const evidence = { source, text: reasonOf(outcome) }
    await stopAtProvider(tx, hmac, { businessId, phone, sender: sender ?? '', evidence }, now)
  }
  for (const { message, outcome } of pairs) {
    if (outcome.missing) await pauseUntilMended(tx, message, outcome.missing, now)
    else if (outcome.refusesSender) await pauseStream(tx, message, now)
  }
  await emitAll(tx, pairs.flatMap(eventsOf), now)
}

function eventsOf({ message, outcome }: Pair): NewEvent[] {
  const { state, dueAt } = outcome
  const reason = reasonOf(outcome)
  if (state === 'bounced') return [bouncedEvent(message, reason, outcome.suppress)]
  if (state === 'failed') return [failedEvent(message, reason)]
  if (state === 'suppressed') return [suppressedEvent(message, 'stop')]
  return state === 'deferred' && message.attempts === 1
    ? [deferredEvent(message, reason, dueAt)]
    : []
}

/** The source of the suppression, by channel. */
const sources: Readonly<Record<Channel, string>> = { email: 'smtp', sms: 'sms provider' }

const reasonOf = ({ words, code }: Outcome) => words ?? code ?? 'refused'

function bouncedEvent(message: EndedAttempt, reason: string, suppressed: boolean): NewEvent {
  const data = { ...factsOf(message), reason, suppressed }
  return { businessId: message.businessId, type: 'message.bounced', data }
}
