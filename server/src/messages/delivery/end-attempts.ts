/**
 * The end of attempts. One transaction records the outcome and its consequences, such as another
 * try, a suppressed address, and events.
 */

import { randomUUID } from 'node:crypto'
import { stopAtProvider } from '../../contacts/consent/text-consent.ts'
import type { Channel } from '../../contacts/contact.ts'
import { suppress } from '../../contacts/suppressions/suppression.ts'
import { formatId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { emitAll, type NewEvent } from '../../events/emit.ts'
import { businessesAsking } from '../../events/on-demand.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { commonWords } from '../../lib/email/common-words.ts'
import { type TellWorker, tellOfJobs } from '../../lib/jobs/enqueue.ts'
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
import { type Ended, endAttempts } from './attempt-queries.ts'
import type { Outcome } from './outcome.ts'

export interface EndDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  wake: TellWorker | undefined
  outcomes: Outcomes
}

export async function endAll(deps: EndDeps, all: Outcome[]): Promise<unknown> {
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
    const told = pairs.filter(
      ({ message, outcome }) => outcome.state === 'accepted' && asking.has(message.businessId),
    )
    if (told.length > 0) {
      const events = told.map(({ message, outcome }) => acceptedEvent(message, outcome.at))
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
  message: Ended
  outcome: Outcome
}

function settledOf({ message, outcome }: Pair) {
  const { businessId, id, campaignId, contactId, provider, attempts, to } = message
  const { state, refusesSender: byPolicy, words, code, stopped } = outcome
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
    await stopAtProvider(tx, hmac, { businessId, phone, sender: sender ?? '', said: evidence }, now)
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

function bouncedEvent(message: Ended, reason: string, suppressed: boolean): NewEvent {
  const data = { ...factsOf(message), reason, suppressed }
  return { businessId: message.businessId, type: 'message.bounced', data }
}
