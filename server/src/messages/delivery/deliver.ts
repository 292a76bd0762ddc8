/**
 * The sending of a chunk of messages: each is prepared, waits for its turn with the next
 * hop, is marked as being tried, goes over a connection, and its end is kept before the connection
 * takes another. So no more messages are ever in doubt than there are connections.
 */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { HeldJob } from '../../lib/jobs/claim-queries.ts'
import type { Job } from '../../lib/jobs/job.ts'
import { type Clock, hours, later, minutes } from '../../lib/time/clock.ts'
import type { Turn } from '../../lib/transport/connection-priority.ts'
import { Unreachable } from '../../lib/transport/unreachable.ts'
import { type Message, triedFor } from '../model/message.ts'
import type { Attempts, Outcome } from './attempts.ts'
import type { Answer, Carrier, PreparedMessage } from './carrier.ts'
import { nextTry } from './retry.ts'
import type { Shares } from './shares.ts'
import type { Throttle } from './throttle.ts'

export interface DeliverDeps {
  clock: Clock
  carrier: Carrier
  attempts: Attempts
  throttle: Throttle
  shares: Shares
}

/** What became of a chunk, beside what is in the database already. */
export interface Delivered {
  /** Messages that wait, by no doing of their own. */
  held: { id: Id<'message'>; until: Date }[]
  /** Messages that cannot be sent as they are, and why. */
  impossible: { id: Id<'message'>; why: Refusal }[]
  /** No connection could be opened: what was not sent waits for the next try of the job. */
  unreachable: Unreachable | undefined
}

type JobOfLane = HeldJob & Pick<Job, 'laneId'>

export async function deliver(
  deps: DeliverDeps,
  { job, messages, signal }: { job: JobOfLane; messages: Message[]; signal: AbortSignal },
): Promise<Delivered> {
  const result: Delivered = { held: [], impossible: [], unreachable: undefined }
  const commits: Promise<void>[] = []
  let next = 0
  let failure: unknown
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
          failure ??= error
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
  // Not before: what is on a connection must not look as if nobody had it.
  if (failure !== undefined) throw failure
  return result
}

interface One {
  job: HeldJob
  message: Message
  result: Delivered
  commits: Promise<void>[]
}

async function deliverOne(deps: DeliverDeps, one: One): Promise<void> {
  const { message, result } = one
  const now = deps.clock.now()
  if (isTooLate(message, now)) {
    result.impossible.push({ id: message.id, why: refuse('gone', tooLate) })
    return
  }
  const hold = (until: Date) => void result.held.push({ id: message.id, until })
  const prepared = await deps.carrier.prepare(message, now)
  if (isRefusal(prepared) && prepared.code === 'unavailable') return hold(later(now, minutes(1)))
  if (isRefusal(prepared)) {
    result.impossible.push({ id: message.id, why: prepared })
    return
  }
  const early = prepared.waitsUntil?.(now)
  if (early) return hold(early)
  const pass = await deps.throttle.enter(prepared.sender, message.kind)
  if ('until' in pass) return hold(pass.until)
  // The wait for its turn may have been long.
  const until = prepared.waitsUntil?.(deps.clock.now())
  if (until) {
    pass.leave(false)
    return hold(until)
  }
  try {
    const answer = await prepared.over(turnOf(message), (send) =>
      attempt(deps, one, prepared, send),
    )
    pass.leave(answer?.result === 'refused' && answer.slower)
  } catch (error) {
    pass.leave(error instanceof Unreachable && deps.carrier.asksForLess(error))
    if (!(error instanceof Unreachable)) throw error
    result.unreachable = error
  }
}

function turnOf({ kind, isReply }: Message): Turn {
  if (isReply) return 'urgent'
  return kind === 'marketing' ? 'bulk' : 'normal'
}

const tooLate = 'The next hop could not be reached for as long as a message is tried.'

/** Of one that got no answer at all; what was put off is given up by its last try. */
function isTooLate({ queuedAt }: Message, now: Date): boolean {
  return queuedAt !== null && now > later(queuedAt, triedFor + hours(6))
}

/** With the connection held from the mark to the record of what came of it. */
async function attempt(
  { clock, carrier: { route }, attempts }: DeliverDeps,
  { job, message, result, commits }: One,
  { sender }: PreparedMessage,
  send: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const { businessId, id, channel, to } = message
  const mark = await attempts.begin({ businessId, id, channel, to, job, route, sender })
  if (mark === 'held') result.held.push({ id, until: clock.now() })
  if (mark !== 'attempting') return undefined
  const answer = await send()
  const tried = { ...message, attempts: message.attempts + 1 }
  const outcome = outcomeOf(tried, job, answer, clock.now())
  if (outcome.state === 'accepted') commits.push((await attempts.accept(outcome)).committed)
  else await attempts.end(outcome)
  return answer
}

/** What a connection's answer makes of the message (docs/design/sending.md has the table). */
export function outcomeOf(message: Message, job: HeldJob, answer: Answer, now: Date): Outcome {
  const base = {
    businessId: message.businessId,
    id: message.id,
    campaignId: message.campaignId,
    attemptId: job.lease,
    at: now,
    dueAt: null,
    takenAs: null,
    segments: null,
    suppress: false,
    refusesSender: false,
  }
  if (answer.result === 'accepted') {
    const { code, words, takenAs = null, segments = null } = answer
    return { ...base, code, words: words.slice(0, wordsKept), takenAs, segments, state: 'accepted' }
  }
  if (answer.result === 'refused') {
    const { kind, final, code, words } = answer
    const said = { code, words: words.slice(0, wordsKept) }
    if (!final) return again(message, { ...base, ...said }, now)
    return kind === 'hard'
      ? { ...base, ...said, state: 'bounced', suppress: true }
      : { ...base, ...said, state: 'failed', refusesSender: kind === 'policy' }
  }
  const lost = { ...base, code: null, words: answer.fault }
  // Marketing goes once at most; what a person waits for rather twice than never.
  if (answer.result === 'unclear' && message.kind === 'marketing')
    return { ...lost, state: 'unknown' }
  return again(message, lost, now)
}

function again(
  { attempts, queuedAt, dueAt }: Message,
  base: Omit<Outcome, 'state'>,
  now: Date,
): Outcome {
  const next = nextTry({ attempts, queuedAt: queuedAt ?? dueAt }, now)
  return next ? { ...base, state: 'deferred', dueAt: next } : { ...base, state: 'failed' }
}

/** Characters of a remote server's words that are kept. */
const wordsKept = 500
