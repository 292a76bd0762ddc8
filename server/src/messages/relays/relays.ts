/**
 * The relays of mail, and which of them a message goes to. One that does not work at this moment is
 * left out for a while, so that not every message waits for it first; then a single message tries it
 * again.
 */

import type { ReadRelayChoice } from '../../accounts/businesses/relay-choice.ts'
import { linesFor, type ProfileName } from '../../config/relay-profiles.ts'
import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { MailConnection, Transport } from '../../lib/email/transport.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, later, seconds, systemClock } from '../../lib/time/clock.ts'
import type { Turn } from '../../lib/transport/connection-priority.ts'
import { Unreachable } from '../../lib/transport/unreachable.ts'
import type { MessageKind } from '../message.ts'
import type { Throttle } from '../throttle/throttle.ts'

type Lines = (message: string) => readonly string[]

interface RelayPlanned {
  url: string
  failover: string | undefined
  profile: ProfileName | undefined
}

/** The operator's choice, as `config/relays.ts` reads it. */
export interface RelayPlan {
  relays: ReadonlyMap<string, RelayPlanned>
  default: Readonly<Record<MessageKind, string>>
  tiers: Readonly<Partial<Record<Tier, Partial<Record<MessageKind, string>>>>>
}

export interface Relay {
  name: string
  /** Undefined for a single way out. */
  url?: string
  transport: Transport
  throttle: Throttle
  health: RelayHealth
  /** How many messages had each result since the start of this process. */
  results: Map<string, number>
  /** The relay that takes over what this one certainly has not got. */
  failover: string | undefined
  /** As the operator named it; undefined where nobody did. */
  profile?: ProfileName | undefined
  /** Header lines by which the provider behind it names a message in its notifications. */
  lines: Lines | undefined
}

export interface Relays {
  readonly all: readonly Relay[]
  /** The relays for a message, the preferred one first. */
  relaysOf(businessId: Id<'business'>, kind: MessageKind): Promise<readonly Relay[]>
  /** The relay that was chosen, whether it can be reached at this moment or not. */
  chosenFor(businessId: Id<'business'>, kind: MessageKind): Promise<Relay>
  /** For the service's own mail. */
  own: Transport
  /** Follows a file that was read again; absent where there is none. */
  follow?(plan: RelayPlan): void
}

export interface RelaysDeps {
  clock: Clock
  log?: Log | undefined
  plan: RelayPlan
  readChoice: ReadRelayChoice
  /** Whether marketing may go over this route; absent where it may over all. */
  isHeard?: ((route: string) => Promise<boolean>) | undefined
  /** Opens the relay of this URL, as the route of this name. */
  open(url: string, name: string): Transport
  throttleOf(transport: Transport): Throttle
}

interface OnlyRelay {
  clock?: Clock
  log?: Log | undefined
  lines?: Lines | undefined
}

/** A single way out, such as `SMTP_URL` or the built-in inbox. */
export function onlyRelay(
  transport: Transport,
  throttle: Throttle,
  { clock = systemClock, log, lines }: OnlyRelay = {},
): Relays {
  const relay = { ...loneRelay(transport, throttle, log), lines }
  const all = [relay]
  return {
    all,
    relaysOf: () => Promise.resolve(all),
    chosenFor: () => Promise.resolve(relay),
    own: ownTransport(() => all, clock),
  }
}

/** A relay that is nobody's choice, such as the simulator. */
export function loneRelay(transport: Transport, throttle: Throttle, log?: Log): Relay {
  const name = transport.route
  const relay = newRelay(name, { transport, throttle, log })
  return { ...relay, failover: undefined, lines: undefined }
}

function newRelay(
  name: string,
  { transport, throttle, log }: { transport: Transport; throttle: Throttle; log: Log | undefined },
) {
  const health = createHealth({
    away: (code) => log?.warn({ relay: name, code }, 'relay.away'),
    back: () => log?.info({ relay: name }, 'relay.back'),
  })
  return { name, transport, throttle, health, results: new Map<string, number>() }
}

export function createRelays(deps: RelaysDeps): Relays {
  const { clock, readChoice } = deps
  let { plan } = deps
  let byName = openAll(plan, deps, new Map())
  const relayOf = (name: string | undefined) => (name === undefined ? undefined : byName.get(name))
  const inOrder = (first: Relay): readonly Relay[] => {
    const second = relayOf(first.failover)
    if (!second) return [first]
    const now = clock.now()
    return first.health.mayTry(now) || !second.health.mayTry(now)
      ? [first, second]
      : [second, first]
  }
  const defaultOf = (kind: MessageKind) => {
    const relay = relayOf(plan.default[kind])
    if (!relay) throw new Error('a default relay does not exist')
    return relay
  }
  const chosenFor: Relays['chosenFor'] = async (businessId, kind) => {
    const chosen = await readChoice(businessId)
    const ofTier = chosen && plan.tiers[chosen.tier]?.[kind]
    // A name that the operator's file no longer has counts as no choice.
    return relayOf(chosen?.relays[kind]) ?? relayOf(ofTier) ?? defaultOf(kind)
  }
  return {
    get all() {
      return [...byName.values()]
    },
    async relaysOf(businessId, kind) {
      const chosen = await chosenFor(businessId, kind)
      const ways = inOrder(chosen)
      const isOpen = kind === 'transactional' || ways.length === 1
      return isOpen ? ways : withoutUnheard(deps, ways, chosen)
    },
    chosenFor,
    own: ownTransport(() => inOrder(defaultOf('transactional')), clock),
    follow(next) {
      const before = byName
      byName = openAll(next, deps, before)
      plan = next
      const names = new Set([...byName.values()].map(({ transport }) => transport))
      for (const { transport } of before.values()) {
        // Its connections end once the messages on them have their answer.
        if (!names.has(transport)) void transport.close()
      }
    },
  }
}

/** Marketing that is under way keeps its relay, and gets no failover that nothing came back from. */
async function withoutUnheard(
  { isHeard }: RelaysDeps,
  ways: readonly Relay[],
  chosen: Relay,
): Promise<readonly Relay[]> {
  if (!isHeard) return ways
  const flags = await Promise.all(ways.map(({ transport }) => isHeard(transport.route)))
  return ways.filter((relay, n) => relay === chosen || flags[n])
}

/** A relay whose URL is as before keeps its connections, its health and its results. */
function openAll(
  plan: RelayPlan,
  { open, throttleOf, log }: RelaysDeps,
  before: ReadonlyMap<string, Relay>,
): ReadonlyMap<string, Relay> {
  return new Map(
    [...plan.relays].map(([name, planned]): [string, Relay] => {
      const { url, failover, profile } = planned
      const more = { failover, profile, lines: linesFor(planned) }
      const old = before.get(name)
      if (old?.url === url) return [name, { ...old, ...more }]
      const transport = open(url, name)
      const throttle = throttleOf(transport)
      return [name, { ...newRelay(name, { transport, throttle, log }), url, ...more }]
    }),
  )
}

/** Mail of the service goes over the default relay, or its failover where that is not reached. */
function ownTransport(relays: () => readonly Relay[], clock: Clock): Transport {
  const [{ transport: first } = { transport: undefined }] = relays()
  if (!first) throw new Error('there is no relay')
  return {
    ...first,
    async use(turn, work) {
      const [primary, fallback] = relays()
      if (!primary) throw new Error('there is no relay')
      let isReached = false
      try {
        return await useRelay(primary, clock, turn, (connection) => {
          isReached = true
          return work(recordingHealth(primary, clock, connection))
        })
      } catch (error) {
        if (isReached || !fallback || !(error instanceof Unreachable)) throw error
        return useRelay(fallback, clock, turn, (connection) =>
          work(recordingHealth(fallback, clock, connection)),
        )
      }
    },
  }
}

/** Notes of each message whether the relay took or refused it, or was lost. */
function recordingHealth(
  { health }: Relay,
  clock: Clock,
  connection: MailConnection,
): MailConnection {
  return {
    async send(envelope, message) {
      const sent = await connection.send(envelope, message)
      if (sent.result === 'untouched' || sent.result === 'unclear') health.broke(clock.now())
      else health.worked()
      return sent
    },
  }
}

type Work<T> = Parameters<Transport['use']>[1] extends (connection: infer C) => unknown
  ? (connection: C) => Promise<T>
  : never

/** Opens a connection and notes whether that succeeded. */
export async function useRelay<T>(
  relay: Relay,
  clock: Clock,
  turn: Turn,
  work: Work<T>,
): Promise<T> {
  const { transport, health } = relay
  try {
    return await transport.use(turn, work)
  } catch (error) {
    if (error instanceof Unreachable) {
      health.unreachable(clock.now(), error.code)
      count(relay, 'unreachable')
    }
    throw error
  }
}

export function count({ results }: Relay, result: string): void {
  results.set(result, (results.get(result) ?? 0) + 1)
}

interface RelayHealth {
  /** Whether a message should try this relay before others. Of those that ask, one tries it. */
  mayTry(now: Date): boolean
  /** Whether it failed a short while ago and has taken nothing since. */
  isAway(now: Date): boolean
  worked(): void
  /** No connection could be opened. */
  unreachable(now: Date, code: string): void
  /** A connection was lost on the way. */
  broke(now: Date): void
}

/** Hears when a relay stops working and when it works again, once each. */
interface HealthReport {
  away(code: string): void
  back(): void
}

/** How long a relay is left out. */
export const leftOutMs = seconds(30)
/**
 * How long a failure counts as an outage. Longer than mail waits between two attempts, so that an outage is
 * told without a gap, and short enough to end where no mail is due that could show that it is over.
 */
export const awayMs = seconds(300)
/** So many lost connections in a row leave it out; a single one may be due to the message. */
const lossesInARow = 3

export function createHealth(report?: HealthReport): RelayHealth {
  let losses = 0
  let leftOutUntil: Date | undefined
  let failedAt: Date | undefined
  const leaveOut = (now: Date) => {
    leftOutUntil = later(now, leftOutMs)
  }
  const fail = (now: Date, code: string) => {
    if (!failedAt) report?.away(code)
    failedAt = now
    leaveOut(now)
  }
  return {
    mayTry(now) {
      if (!leftOutUntil) return true
      if (now < leftOutUntil) return false
      leaveOut(now)
      return true
    },
    isAway: (now) => failedAt !== undefined && now < later(failedAt, awayMs),
    worked() {
      if (failedAt) report?.back()
      losses = 0
      leftOutUntil = undefined
      failedAt = undefined
    },
    unreachable: fail,
    broke(now) {
      losses++
      if (losses >= lossesInARow) fail(now, 'ELOST')
    },
  }
}
