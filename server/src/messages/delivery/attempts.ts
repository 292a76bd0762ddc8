/**
 * The beginning and the end of attempts, for all connections of this process together. One
 * transaction records many messages, and each connection waits for its own message.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contacts/contact.ts'
import { stoppedMark } from '../../contacts/suppressions/stopped-numbers.ts'
import { emitAll } from '../../events/emit.ts'
import { createBatcher } from '../../lib/concurrency/batch.ts'
import type { Journal } from '../../lib/concurrency/journal.ts'
import { tellOutcomes } from '../model/campaign-outcomes.ts'
import { suppressedEvent } from '../timeline/announce.ts'
import { eventRow } from '../timeline/event-row.ts'
import { type Beginning, type Begun, beginAttempts, insertEvents } from './attempt-queries.ts'
import { type EndDeps, endAll } from './end-attempts.ts'
import { type Acceptance, acceptanceOf, acceptedOutcome, type Outcome } from './outcome.ts'
import { denyMessages } from './waiting-queries.ts'

interface ToBegin extends Omit<Beginning, 'stoppedMark'> {
  channel: Channel
  to: string
}

export interface Attempts {
  /** The mark is committed when it resolves. Only then may the message go to the remote server. */
  begin(beginning: ToBegin): Promise<Begun['state'] | 'lost'>
  /** The outcome is on disk, or in the database, when it resolves. `committed` resolves once it is in the database. */
  accept(outcome: Outcome): Promise<{ committed: Promise<void> }>
  /** The outcome is in the database when it resolves. */
  end(outcome: Outcome): Promise<void>
  /** Records the outcomes that dead processes left on disk. Returns their number. */
  replay(): Promise<number>
  /** Leaves uncommitted outcomes where they are: on disk, or to be repeated by the job. */
  stop(): void
}

export interface AttemptDeps extends EndDeps {
  journal: Journal<Acceptance>
}

export function createAttempts(deps: AttemptDeps): Attempts {
  const { db, clock, hmac, journal } = deps
  const beginOne = createBatcher<ToBegin, Begun['state'] | 'lost'>({
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
      const written = await journal.write(acceptanceOf(outcome)).catch(() => undefined)
      const committed = surely(() => acceptOne(outcome))
      if (written) return { committed: committed.then(written) }
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
interface Denied extends Begun {
  state: 'suppressed' | 'cancelled'
}

function isDenied(begun: Begun): begun is Denied {
  return begun.state === 'suppressed' || begun.state === 'cancelled'
}

/** Ends messages that must not be sent. Another attempt would be denied again. */
async function deny(
  { db, clock, outcomes }: AttemptDeps,
  items: Beginning[],
  all: Denied[],
): Promise<void> {
  const denied = new Map(all.map((entry) => [entry.id, entry]))
  const asked = items.flatMap(({ businessId, id }) => {
    const verdict = denied.get(id)
    return verdict ? [{ businessId, id, state: verdict.state }] : []
  })
  await db.tx(async (tx) => {
    const now = clock.now()
    const ended = await denyMessages(tx, asked, now)
    const rows = ended.map((row) => {
      const { state = 'cancelled' as const, reason = null } = denied.get(row.id) ?? {}
      return { ...row, state, ...(reason !== null && { reason }) }
    })
    const events = rows.map(({ businessId, id, state }) =>
      eventRow({ businessId, messageId: id, type: state }, now),
    )
    await insertEvents(tx, events, now)
    const suppressed = rows.filter(({ state }) => state === 'suppressed')
    await emitAll(
      tx,
      suppressed.map((row) => suppressedEvent(row, row.reason ?? 'suppressed')),
      now,
    )
    await tellOutcomes(tx, outcomes, rows, now)
  })
}
