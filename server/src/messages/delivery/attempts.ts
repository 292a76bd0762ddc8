/**
 * The beginning and the end of attempts, of all connections of this process together: the marks
 * of many messages are one transaction, and each connection waits for its own.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contacts/model/contact.ts'
import { stoppedMark } from '../../contacts/suppression/stopped-numbers.ts'
import { suppress } from '../../contacts/suppression/suppressions.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { emitAll } from '../../events/emit.ts'
import { createBatcher } from '../../lib/concurrency/batch.ts'
import type { Journal } from '../../lib/concurrency/journal.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { type TellWorker, tellOfJobs } from '../../lib/jobs/enqueue.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Outcomes, tellOutcomes } from '../model/campaign-outcomes.ts'
import { queueMessages } from '../model/queue.ts'
import { factsOf } from '../timeline/announce.ts'
import { eventRow } from '../timeline/event-row.ts'
import {
  type Beginning,
  type Begun,
  beginAttempts,
  type Ended,
  type Ending,
  endAttempts,
  insertEvents,
} from './attempt-queries.ts'
import { pauseStream } from './pause-stream.ts'
import { denyMessages } from './waiting-queries.ts'

/** What became of an attempt, as its connection saw it. */
export interface Outcome extends Omit<Ending, 'eventId'> {
  /** Undefined where it is not known, as of what an older version has left on disk. */
  campaignId: Id<'campaign'> | null | undefined
  /** The remote server said that the address takes no mail and will take none. */
  suppress: boolean
  /** It refused the sender: what else it sends that way may have to wait. */
  refusesSender: boolean
}

/** What is on disk between the remote server's 250 and the database. */
export interface Acceptance {
  business_id: string
  message_id: string
  campaign_id?: string | null
  attempt_id: string
  at: string
  code: string | null
  words: string | null
  taken_as: string | null
  segments: number | null
}

interface ToBegin extends Omit<Beginning, 'stoppedMark'> {
  channel: Channel
  to: string
}

export interface Attempts {
  /** Committed when it resolves: only then may the remote server hear of the message. */
  begin(beginning: ToBegin): Promise<Begun['state'] | 'lost'>
  /** On disk when it resolves; `committed` once it is in the database. */
  accept(outcome: Outcome): Promise<{ committed: Promise<void> }>
  /** In the database when it resolves. */
  end(outcome: Outcome): Promise<void>
  /** Takes in what processes that are gone have left on disk; gives how much that was. */
  replay(): Promise<number>
  /** Has what could not be committed left where it is: on disk, or for the job to come again. */
  stop(): void
}

export interface AttemptDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  journal: Journal<Acceptance>
  wake: TellWorker | undefined
  outcomes: Outcomes
}

export function createAttempts(deps: AttemptDeps): Attempts {
  const { db, clock, hmac, journal } = deps
  const beginOne = createBatcher<ToBegin, Begun['state'] | 'lost'>({
    maxItems: 200,
    restMs: beginRestMs,
    async flush(items) {
      const beginnings = items.map((one) => ({
        ...one,
        stoppedMark: one.channel === 'sms' ? stoppedMark(hmac, one.sender, one.to) : null,
      }))
      const begun = await beginAttempts(db, beginnings, clock.now())
      await deny(deps, beginnings, begun)
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
  // A database that is away for a while is no reason to lose what a remote server said.
  const surely = async (work: () => Promise<void>): Promise<void> => {
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
    end: (outcome) => surely(() => endOne(outcome)),
    async accept(outcome) {
      const forget = await journal.write(acceptanceOf(outcome))
      return { committed: surely(() => acceptOne(outcome)).then(forget) }
    },
    async replay() {
      const { entries, forget } = await journal.leftovers()
      if (entries.length > 0) await endAll(deps, entries.map(outcomeOf))
      await forget()
      return entries.length
    },
    stop() {
      stopped = true
    },
  }
}

const retryMs = 500

// A crowd of connections gathers, and is held up while it does; what 5 ms saved in syncs could not
// be measured. A message by itself does not wait.
const beginRestMs = 2

// What was accepted is on disk already, so that its rows may gather: a third of the load.
const acceptanceRestMs = 25

/** Those that may not go are at their end; asked again, each would be denied again. */
async function deny(
  { db, clock, outcomes }: AttemptDeps,
  items: Beginning[],
  begun: Begun[],
): Promise<void> {
  const denied = new Map(
    begun.flatMap(({ id, state, reason }) =>
      state === 'suppressed' || state === 'cancelled' ? [[id, { state, reason }] as const] : [],
    ),
  )
  if (denied.size === 0) return
  const asked = items.flatMap(({ businessId, id }) => {
    const verdict = denied.get(id)
    return verdict ? [{ businessId, id, ...verdict }] : []
  })
  await db.tx(async (tx) => {
    const now = clock.now()
    const ended = await denyMessages(tx, asked, now)
    const rows = ended.map((row) => {
      const { state = 'cancelled', reason = null } = denied.get(row.id) ?? {}
      return { ...row, state, ...(reason !== null && { reason }) }
    })
    const events = rows.map(({ businessId, id, state }) =>
      eventRow({ businessId, messageId: id, type: state }, now),
    )
    await insertEvents(tx, events, now)
    await tellOutcomes(tx, outcomes, rows, now)
  })
}

function endAll(deps: AttemptDeps, all: Outcome[]): Promise<unknown> {
  const { db, clock } = deps
  const sorted = all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const endings = sorted.map((one) => ({ ...one, eventId: randomUUID() }))
  // What most are: a statement by itself.
  if (sorted.every(({ state, campaignId }) => state === 'accepted' && campaignId === null)) {
    return endAttempts(db, endings, clock.now())
  }
  return db.tx(async (tx) => {
    const now = clock.now()
    const outcomes = new Map(sorted.map((one) => [`${one.attemptId} ${one.id}`, one]))
    const ended = await endAttempts(tx, endings, now)
    const pairs = ended.map((message) => {
      return { message, outcome: outcomes.get(`${message.attemptId} ${message.id}`) as Outcome }
    })
    if (pairs.some(({ outcome }) => outcome.state !== 'accepted')) {
      await follow(tx, deps, { pairs, now })
    }
    await tellOutcomes(
      tx,
      deps.outcomes,
      pairs.map(({ message: { businessId, id, campaignId, contactId }, outcome: { state } }) => {
        return { businessId, id, campaignId, contactId, state }
      }),
      now,
    )
  })
}

interface Pair {
  message: Ended
  outcome: Outcome
}

/** Another try, an address that is written to no more, events. */
async function follow(
  tx: Tx,
  { hmac, wake }: AttemptDeps,
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
    if (outcome.refusesSender) await pauseStream(tx, message, now)
  }
  const bounced = pairs.filter(({ outcome }) => outcome.state === 'bounced')
  await emitAll(
    tx,
    bounced.map((pair) => bouncedEvent(pair.message, pair.outcome)),
    now,
  )
}

/** Who said so, by the channel. */
const sources: Readonly<Record<Channel, string>> = { email: 'smtp', sms: 'sms provider' }

function bouncedEvent(message: Ended, { words, code, suppress }: Outcome) {
  return {
    businessId: message.businessId,
    type: 'message.bounced' as const,
    data: { ...factsOf(message), reason: words ?? code ?? 'refused', suppressed: suppress },
  }
}

function acceptanceOf(outcome: Outcome): Acceptance {
  return {
    business_id: outcome.businessId,
    message_id: outcome.id,
    ...(outcome.campaignId !== undefined && { campaign_id: outcome.campaignId }),
    attempt_id: outcome.attemptId,
    at: outcome.at.toISOString(),
    code: outcome.code,
    words: outcome.words,
    taken_as: outcome.takenAs,
    segments: outcome.segments,
  }
}

function outcomeOf(entry: Acceptance): Outcome {
  return {
    businessId: entry.business_id as Outcome['businessId'],
    id: entry.message_id as Outcome['id'],
    campaignId: entry.campaign_id as Outcome['campaignId'],
    attemptId: entry.attempt_id,
    state: 'accepted',
    at: new Date(entry.at),
    dueAt: null,
    code: entry.code,
    words: entry.words,
    takenAs: entry.taken_as,
    segments: entry.segments,
    suppress: false,
    refusesSender: false,
  }
}
