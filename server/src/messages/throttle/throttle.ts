/**
 * The rate of messages from each sender, of each kind and to each provider, to the next hop: some
 * messages in flight at once, fewer if the remote server requests that, as many per second as the
 * operator allows, and little marketing from a new domain. Each worker leases its share from the
 * stream's row (`stream.ts`), so that two workers never double a provider's rate.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { ignoreError } from '../../lib/concurrency/ignore-error.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { MessageKind } from '../model/message.ts'
import { type Lease, type Limits, lease, newStream } from './stream.ts'
import { lockStream, type StreamKey, saveStream } from './stream-queries.ts'

export interface Pass {
  /** `slower`: the next hop requested a lower rate. */
  leave(slower: boolean): void
}

export interface PutOff {
  until: Date
  /** The provider refuses the sender for now. Otherwise a new sender's daily share is used up. */
  isPaused: boolean
}

export interface Throttle {
  /** Waits for its turn. If that is too far off, returns the time of it. */
  enter(stream: StreamName): Promise<Pass | PutOff>
}

/** The key of a stream that is throttled as one, over this route. */
export type StreamName = Pick<StreamKey, 'domain' | 'kind' | 'provider'>

export interface ThrottleOptions {
  db: Database
  clock: Clock
  route: string
  limits: Limits
}

/** Milliseconds for which a lease is valid. A worker that dies loses no more than this. */
const leaseMs = 1000
/** The most messages of one lease, and the most marketing of a domain that is warming up. */
const perLease = 1000
const marketingPerLease = 50

interface Local extends Lease {
  active: number
  until: number
  asking: Promise<void> | undefined
  slower: boolean
  waiting: (() => void)[]
}

/**
 * A stream has its own pause, warm-up and messages in flight. The rate is the operator's limit for
 * the whole sender domain, so it has a row of its own.
 */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { limits } = options
  const streams = createGate({ ...options, limits: { ...limits, rate: undefined } })
  if (limits.rate === undefined) return streams
  const rates = createGate({ ...options, limits: { ...limits, warmUp: false } })
  return {
    async enter(stream) {
      const pass = await streams.enter(stream)
      if ('until' in pass) return pass
      const inRate = await rates.enter({ ...stream, kind: 'transactional', provider: '' })
      if ('until' in inRate) {
        pass.leave(false)
        return inRate
      }
      return {
        leave(slower) {
          inRate.leave(false)
          pass.leave(slower)
        },
      }
    },
  }
}

/** The most streams whose state is kept in memory. Beyond that, idle streams are dropped. */
const mostLocals = 5_000

function createGate({ db, clock, route, limits }: ThrottleOptions): Throttle {
  const locals = new Map<string, Local>()

  const ask = async (stream: StreamName, local: Local): Promise<void> => {
    const { slower, messages, marketing } = local
    local.slower = false
    const request = {
      messages: limits.rate === undefined ? perLease : Math.ceil(limits.rate),
      marketing: limits.warmUp ? marketingPerLease : perLease,
      unused: { messages, marketing },
      slower,
    }
    const now = clock.now()
    const granted = await db.tx(async (tx) => {
      const key = { route, ...stream }
      const before = await lockStream(tx, key, newStream(now, limits))
      const next = lease(before, request, { limits, now })
      await saveStream(tx, key, next.stream)
      return next.lease
    })
    Object.assign(local, granted, { until: performance.now() + leaseMs })
  }
  const refresh = (stream: StreamName, local: Local): Promise<void> => {
    local.asking ??= ask(stream, local).finally(() => {
      local.asking = undefined
      wake(local)
    })
    return local.asking
  }
  const localOf = ({ domain, kind, provider }: StreamName): Local => {
    const name = `${domain} ${kind} ${provider}`
    const local = locals.get(name) ?? newLocal()
    if (locals.size >= mostLocals && !locals.has(name)) forgetIdle(locals)
    locals.set(name, local)
    return local
  }

  return {
    async enter(stream) {
      const { kind } = stream
      const local = localOf(stream)
      for (;;) {
        if (performance.now() >= local.until) await refresh(stream, local)
        const put = putOff(local, kind, clock.now())
        if (put) {
          // Passes the wake-up on, because this message does not enter.
          wake(local)
          return put
        }
        const has = local.messages > 0 && (kind !== 'marketing' || local.marketing > 0)
        if (has && local.active < local.inFlight) break
        if (has) await turn(local)
        else await sleep(Math.max(10, Math.min(1000 / (limits.rate ?? 100), leaseMs)))
        if (!has) await refresh(stream, local)
      }
      local.active++
      local.messages--
      if (kind === 'marketing') local.marketing--
      return {
        leave(slower) {
          local.active--
          if (slower) {
            local.slower = true
            void ignoreError(
              'a stream that is not slowed now is at the next sign',
              refresh(stream, local),
            )
          }
          // One message left, so one may enter. The others would only check and wait again.
          local.waiting.shift()?.()
        },
      }
    },
  }
}

function forgetIdle(locals: Map<string, Local>): void {
  for (const [name, local] of locals) {
    const isIdle = local.active === 0 && local.waiting.length === 0 && !local.asking
    if (isIdle && performance.now() >= local.until) locals.delete(name)
  }
}

const newLocal = (): Local => ({
  messages: 0,
  marketing: 0,
  inFlight: 1,
  pausedUntil: undefined,
  moreMarketingAt: undefined,
  active: 0,
  until: 0,
  asking: undefined,
  slower: false,
  waiting: [],
})

function putOff(local: Local, kind: MessageKind, now: Date): PutOff | undefined {
  const { pausedUntil, moreMarketingAt, marketing } = local
  if (pausedUntil && pausedUntil > now) return { until: pausedUntil, isPaused: true }
  if (kind !== 'marketing' || marketing > 0 || !moreMarketingAt) return undefined
  return { until: moreMarketingAt, isPaused: false }
}

/** Waits until a message leaves, or a lease changes the limits. */
function turn(local: Local): Promise<void> {
  return new Promise((go) => local.waiting.push(go))
}

function wake(local: Local): void {
  for (const go of local.waiting.splice(0)) go()
}
