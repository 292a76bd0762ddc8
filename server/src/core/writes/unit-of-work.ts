/**
 * How operations write. Whatever one call changes is one transaction with its events,
 * its usage and its idempotency key; hot writes share theirs with the calls beside them
 * (a transaction per upsert reached 0.22 of pgbench over HTTP, gathered 0.83).
 */

import { randomUUID } from 'node:crypto'
import { createAllowance } from '../../lib/concurrency/allowance.ts'
import { createQueues } from '../../lib/concurrency/one-by-one.ts'
import { createPace } from '../../lib/concurrency/pace.ts'
import { bytesOfRows } from '../../lib/db/rows-size.ts'
import type { Database, Db, Sql, Tx } from '../../lib/db/types.ts'
import { type LaneNews, type TellWorker, tellOfJobs } from '../../lib/jobs/enqueue.ts'
import { type Clock, seconds } from '../../lib/time/clock.ts'
import { type Fix, type Refusal, refuse } from '../errors.ts'
import { hashOfCall, type KeyedCall, runOncePerKey } from '../idempotency.ts'
import type { Id } from '../ids.ts'
import type { Origin, SetWrite, Writing } from '../operation.ts'
import { gather, saveOne } from './group-commit.ts'

/** The call on whose behalf something is written. */
export interface WritingCall {
  businessId: Id<'business'>
  operation: string
  /** Its arguments, the key included. */
  input: Record<string, unknown>
  origin: Origin
}

export interface Engine {
  writingFor(call: WritingCall): Writing
  /** What a business reads outside of its writes: both share its part of the connections. */
  readingFor(businessId: Id<'business'>): Db
}

export interface EngineDeps {
  db: Database
  clock: Clock
  /** Told of the jobs that were queued, soon after their commit. */
  wake?: TellWorker
  /** Connections that one business has at once; 5, half of those there are by default. */
  connectionsPerBusiness?: number
}

/** How long news is gathered before the worker is told: jobs done together cost less each. */
const wakeAfterMs = 50

/** How long a call by itself waits for a row, or a key, that another one holds. */
const lockMs = seconds(10)
/**
 * Bytes of an item that is written by itself, after the large ones of its business: gathered,
 * mail of 500 kB held up what came beside it for a second.
 */
const largeItem = 64_000
/**
 * Large items and large reads that one business may have, so that it leaves room for the others:
 * ten mails of 500 kB a second, or eighty pages of 200 contacts.
 */
const largeOnesOfABusiness = { bytesPerSecond: 5_000_000, muchBytes: 32_000 }
/** Characters of arguments that a refusal repeats at most. */
const longestFix = 4000

type Gathered = (item: never) => Promise<unknown>

export function createEngine(deps: EngineDeps): Engine {
  const { db, clock, wake, connectionsPerBusiness = 5 } = deps
  const gatherers = new WeakMap<object, Gathered>()
  const turns = createQueues()
  // Whoever calls often, reads much, or waits for rows that others hold, leaves connections
  // to the rest.
  const shares = createQueues(connectionsPerBusiness)
  const largeOnes = createQueues()
  const allowance = createAllowance(largeOnesOfABusiness)
  const tell = wake && soon(wake)

  let begun = 0
  const newPace = () => createPace(() => begun)
  const commit = <T>(lockWaitMs: number, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const telling = (tx: Tx): Promise<T> => {
      if (tell) tellOfJobs(tx, tell)
      return work(tx)
    }
    begun++
    return db.tx(telling, { lockWaitMs })
  }

  const writeAlone = async <T>(work: (tx: Tx) => Promise<T | Refusal>): Promise<T | Refusal> => {
    try {
      return await commit(lockMs, work)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      const text = 'Another call is changing the same thing and takes long. Try again.'
      return refuse('unavailable', text, { retryAfter: 1 })
    }
  }

  const gathererOf = <Item, Outcome>(set: SetWrite<Item, Outcome>) => {
    const gathered = gatherers.get(set) ?? gather(set, { clock, commit, writeAlone })
    gatherers.set(set, gathered)
    return gathered as (item: Item) => Promise<Outcome | Refusal>
  }

  const keyedWriting = (call: WritingCall, key: string): Writing => {
    const { businessId, operation, origin } = call
    let written = false
    const write = <T>(work: (tx: Tx) => Promise<T | Refusal>): Promise<T | Refusal> => {
      // A second write would find the first one's answer under the key.
      if (written) throw new Error(`${operation} writes twice in one call`)
      written = true
      const keyed = keyedCall(call, key)
      const inTurn = () => writeAlone((tx) => runOncePerKey(tx, keyed, clock.now(), () => work(tx)))
      return turns.take(`${businessId} ${key}`, () => shares.take(businessId, inTurn))
    }
    const batch: Writing['batch'] = (set, item) =>
      write((tx) => saveOne(tx, set, item, clock.now()))
    return { origin, newPace, write, batch }
  }

  return {
    writingFor(call) {
      const { idempotency_key: key } = call.input
      if (typeof key === 'string') return keyedWriting(call, key)
      const { origin, businessId } = call
      const write: Writing['write'] = (work) => shares.take(businessId, () => writeAlone(work))
      const batch: Writing['batch'] = (set, item) => {
        const bytes = set.bytesOf?.(item) ?? 0
        if (bytes < largeItem) return gathererOf(set)(item)
        const work = () => write((tx) => saveOne(tx, set, item, clock.now()))
        return largeOnes.take(businessId, () => allowance.take(businessId, work, () => bytes))
      }
      return { origin, newPace, write, batch }
    },
    readingFor: (businessId) => ({
      all<T>(statement: Sql) {
        const read = () => shares.take(businessId, () => db.all<T>(statement))
        return allowance.take(`${businessId} ${statement.name}`, read, bytesOfRows)
      },
      maybe: (statement) => shares.take(businessId, () => db.maybe(statement)),
      one: (statement) => shares.take(businessId, () => db.one(statement)),
      run: (statement) => shares.take(businessId, () => db.run(statement)),
    }),
  }
}

/** The business stands in the key's row, so it makes no difference whether it was named. */
function keyedCall({ businessId, operation, input }: WritingCall, key: string): KeyedCall {
  const { idempotency_key: _key, business_id: _business, ...body } = input
  const withOwnKey = (): Fix | undefined => {
    if (JSON.stringify(body).length > longestFix) return undefined
    return { tool: operation, arguments: { ...body, idempotency_key: randomUUID() } }
  }
  return { businessId, key, bodyHash: hashOfCall(operation, body), withOwnKey }
}

/** What is told at once is passed on together, a moment later. */
function soon(tell: TellWorker): TellWorker {
  let gathered: LaneNews[] = []
  return (news) => {
    gathered.push(...news)
    if (gathered.length > news.length) return
    const timer = setTimeout(() => {
      const all = gathered
      gathered = []
      tell(all)
    }, wakeAfterMs)
    timer.unref()
  }
}

/** 55P03, `lock_not_available`. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
