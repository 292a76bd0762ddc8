/**
 * Sends the messages of a chunk over their hops: each is prepared by its carrier, waits for its turn,
 * and is tried over a connection until one hop decides. Lanes share the room for prepared messages.
 */

import { isRefusal, orRefusal, type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { HeldJob } from '../lib/jobs/claim.ts'
import type { Job } from '../lib/jobs/job.ts'
import { observed } from '../lib/observing/observed.ts'
import { type Clock, hours, later, minutes } from '../lib/time/clock.ts'
import type { Turn } from '../lib/transport/connection-priority.ts'
import { Unreachable } from '../lib/transport/unreachable.ts'
import { type Answer, type Attempts, outcomeOf } from './attempts.ts'
import { type Message, triedFor } from './message.ts'
import type { Pass, Throttle } from './throttle/throttle.ts'

/** The result of sending a chunk, besides the rows that are in the database already. */
export interface Delivered {
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

export interface DeliverDeps {
  clock: Clock
  carrier: Carrier
  attempts: Attempts
  shares: Shares
}

/**
 * Sends a chunk of messages. Each is prepared, waits for its turn with the next hop, is marked as
 * being tried, and is sent over a connection. Its outcome is recorded before the connection takes
 * the next message, so at most one message per connection is ever in doubt.
 */
export async function deliver(
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
export async function attempt(
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

/** A message that is ready to be sent. */
interface PreparedMessage {
  /** The key of throttling: the domain that a mail is from, or the number that a text is from. */
  sender: string
  /** The provider that receives it, by which throttling and results are told apart. */
  provider: string
  /** Until when the recipient requires it to be deferred. Undefined if it may be sent now. */
  waitsUntil?(now: Date): Date | undefined
  /** The ways to go, the preferred one first. The others serve where nothing can be sent twice. */
  hops: readonly Hop[]
}

/** A next hop, with its own limits. */
export interface Hop {
  /** The destination, such as `relay.example:587`. */
  readonly route: string
  readonly throttle: Throttle
  /** Holds a connection while `work` runs. Throws Unreachable if no connection can be opened. */
  over<T>(turn: Turn, work: (send: () => Promise<Answer>) => Promise<T>): Promise<T>
}

export interface Carrier {
  /** The provider to which a message of a campaign has to wait, with the time. */
  heldAt?(message: Message, now: Date): Promise<{ provider: string; until: Date } | undefined>
  /** The most messages in flight, over all hops. */
  readonly connections: number
  /** A refusal means that no attempt can send the message as it is. */
  prepare(message: Message, now: Date): Promise<PreparedMessage>
  /** Whether the next hop requested a lower rate by refusing a connection. */
  asksForLess(error: Unreachable): boolean
}

export interface Share {
  /** Whether another message may be prepared. If so, it is counted. */
  take(): boolean
  /** Reports that a prepared message is done. */
  give(): void
  /** Reports that there is nothing more to prepare. */
  enough(): void
  /** Leaves the lane. Messages that are still counted no longer count. */
  leave(): void
}

interface Shares {
  /** `more` is called when there may be room again. */
  join(lane: string, more: () => void): Share
}

/**
 * The minimum for each lane, however many lanes there are. A lane that waits for its relay must not
 * stop the others.
 */
const least = 4
/** Messages prepared ahead, so that a connection finds its next message ready. */
const ahead = 8

interface Member {
  more: () => void
  inHand: number
  wants: boolean
}

/**
 * Limits the messages that concurrent sending jobs hold, to somewhat more than the connections can
 * use. A message that is ready early only costs memory: ten jobs that each held as many as all
 * connections can use had 280 messages, which survived one garbage collection after another. Lanes
 * get equal shares. The jobs of one lane run one after the other, and each starts as the last
 * messages of its predecessor end. When they ran side by side, they ended together and left no
 * message under way until the next two had begun, which cost a sixth of a campaign.
 *
 * @param connections How many there are now: relays may be added while the service runs.
 */
export function createShares(connections: () => number): Shares {
  // Twice the need, because lanes whose sender is throttled do not use their share.
  const limit = () => 2 * (connections() + ahead)
  /** The jobs of each lane, in order of arrival. */
  const lanes = new Map<string, Set<Member>>()

  const firstOf = (members: ReadonlySet<Member>) => {
    for (const member of members) if (member.wants) return member
    return undefined
  }
  const hasRoom = (members: ReadonlySet<Member>) => {
    let inHand = 0
    for (const member of members) inHand += member.inHand
    return inHand < Math.max(least, Math.ceil(limit() / lanes.size))
  }

  return {
    join(lane, more) {
      const members = lanes.get(lane) ?? new Set()
      lanes.set(lane, members)
      const member: Member = { more, inHand: 0, wants: true }
      members.add(member)
      const wake = () => {
        const first = firstOf(members)
        if (first !== member) first?.more()
      }
      return {
        take() {
          if (firstOf(members) !== member || !hasRoom(members)) return false
          member.inHand++
          return true
        },
        give() {
          member.inHand--
          wake()
        },
        enough() {
          if (!member.wants) return
          member.wants = false
          wake()
        },
        leave() {
          members.delete(member)
          if (members.size > 0) wake()
          else if (lanes.get(lane) === members) lanes.delete(lane)
        },
      }
    },
  }
}
