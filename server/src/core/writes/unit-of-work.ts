/**
 * How operations write. All changes of one call are one transaction, with its events, its usage and
 * its idempotency key. Frequent writes share a transaction with concurrent calls (a transaction per
 * upsert reached 0.22 of pgbench over HTTP, shared ones reached 0.83).
 */
import { randomUUID } from 'node:crypto'
import { createBatcher, ofBusinesses } from '../../lib/concurrency/batch.ts'
import { createPace } from '../../lib/concurrency/pace.ts'
import { createAllowance, createQueues } from '../../lib/concurrency/queues.ts'
import { bytesOfRows } from '../../lib/db/db.ts'
import { isOutage } from '../../lib/db/outage.ts'
import type { Database, Db, Sql, Tx } from '../../lib/db/types.ts'
import { type LaneNews, type TellWorker, tellOfJobs } from '../../lib/jobs/job.ts'
import { type Clock, seconds } from '../../lib/time/clock.ts'
import { type Fix, orThrow, type Refusal, refuse } from '../errors.ts'
import { hashOfCall, type KeyedCall, runOncePerKey } from '../idempotency.ts'
import type { Id } from '../ids.ts'
import type { Origin, SetWrite, Writing } from '../operation.ts'

/** The call on whose behalf something is written. */
export interface WritingCall {
  businessId: Id<'business'>
  operation: string
  /** The call's arguments, including the idempotency key. */
  input: Record<string, unknown>
  origin: Origin
}

export interface Engine {
  /** Writes what belongs to no business, such as a person's own sign-ins. */
  write: Writing['write']
  writingFor(call: WritingCall): Writing
  /** The reads of a business outside of its writes; both share the business's connections. */
  readingFor(businessId: Id<'business'>): Db
}

export interface EngineDeps {
  db: Database
  clock: Clock
  /** Notified of the jobs that were queued, soon after their commit. */
  wake?: TellWorker
  /** The most connections of one business at once; the default is 5, half of the default pool. */
  connectionsPerBusiness?: number
}

/** How long notifications are collected for the worker: jobs done together cost less each. */
const wakeAfterMs = 50

/** How long a single call waits for a row, or a key, that another call has locked. */
const lockMs = seconds(10)
/**
 * The bytes from which an item is written by itself, after the large ones of its business. In a
 * shared flush, mail of 500 kB delayed the items beside it for a second.
 */
const largeItem = 64_000
/**
 * The large items and large reads that one business may have, so that it leaves room for others:
 * ten mails of 500 kB a second, or eighty pages of 200 contacts.
 */
const largeOnesOfABusiness = { bytesPerSecond: 5_000_000, muchBytes: 32_000 }
/** The most characters of arguments that a refusal repeats. */
const longestFix = 4000

type Gathered = (item: never) => Promise<unknown>

export function createEngine(deps: EngineDeps): Engine {
  const { db, clock, wake, connectionsPerBusiness = 5 } = deps
  const gatherers = new WeakMap<object, Gathered>()
  const turns = createQueues()
  // A business that calls often, reads much, or waits for locked rows leaves connections to the
  // others.
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

  const writeAlone = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    try {
      return orThrow(await commit(lockMs, work))
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      const text = 'Another call is still changing the same record. Try again.'
      throw refuse('unavailable', text, { retryAfter: 1 })
    }
  }

  const gathererOf = <Item, Outcome>(set: SetWrite<Item, Outcome>) => {
    const gathered = gatherers.get(set) ?? gather(set, { db, clock, commit, writeAlone })
    gatherers.set(set, gathered)
    return gathered as (item: Item) => Promise<Outcome>
  }

  const keyedWriting = (call: WritingCall, key: string): Writing => {
    const { businessId, operation, origin } = call
    let hasWritten = false
    const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      // A second write would find the first one's answer under the key.
      if (hasWritten) throw new Error(`${operation} writes twice in one call`)
      hasWritten = true
      const keyed = keyedCall(call, key)
      const inTurn = () => writeAlone((tx) => runOncePerKey(tx, keyed, clock.now(), () => work(tx)))
      return turns.take(`${businessId} ${key}`, () => shares.take(businessId, inTurn))
    }
    const batch: Writing['batch'] = (set, item) =>
      write((tx) => saveOne(tx, set, item, clock.now()))
    return { origin, newPace, write, batch }
  }

  return {
    write: writeAlone,
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

/** The key's row contains the business, so it makes no difference whether the call named it. */
function keyedCall({ businessId, operation, input }: WritingCall, key: string): KeyedCall {
  const { idempotency_key: _key, business_id: _business, ...body } = input
  const withOwnKey = (): Fix | undefined => {
    if (JSON.stringify(body).length > longestFix) return undefined
    return { tool: operation, arguments: { ...body, idempotency_key: randomUUID() } }
  }
  return { businessId, key, bodyHash: hashOfCall(operation, body), withOwnKey }
}

/** Collects simultaneous notifications, and passes them on together a moment later. */
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

/**
 * Group commit: the writes of many calls in one transaction. A flush starts when the one before
 * it has ended. It is optimistic at first, and is repeated without optimism if that fails. If it
 * fails again, or would have to wait, its items are tried one by one, so that a bad row or a lock
 * of another transaction delays no other item.
 */
export interface GatherParts {
  db: Pick<Database, 'isDistributed'>
  clock: Clock
  /** Runs one transaction, which waits at most `lockMs` for a row that another one has locked. */
  commit: <T>(lockMs: number, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Runs a transaction for a single item, which may wait longer. */
  writeAlone: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** The most items in one flush. */
const itemsPerFlush = 256
/** How long a flush waits for a lock, in milliseconds, because all of its items wait with it. */
const flushLockMs = 100
/** How many single items are tried at once, because connections are few. */
const aloneAtOnce = 4

// The outcome of an item whose flush failed, and which is tried again by itself.
const alone = Symbol('alone')

/** Returns the function that accepts the items of one kind of write, and throws an item's refusal. */
export function gather<Item, Outcome>(
  set: SetWrite<Item, Outcome>,
  { db, clock, commit, writeAlone }: GatherParts,
): (item: Item) => Promise<Outcome> {
  const optimisticWrites = createOptimisticWrites()
  const together = createBatcher<Item, Outcome | Refusal | typeof alone>({
    maxItems: itemsPerFlush,
    eachAlone: false,
    businessOf: ofBusinesses(db, set.businessOf),
    async flush(items) {
      const save = (optimistic: boolean) =>
        commit(flushLockMs, (tx) => saveSorted(tx, set, { items, now: clock.now(), optimistic }))
      try {
        return await optimisticWrites(save)
      } catch (error) {
        if (isOutage(error)) throw error
        return items.map(() => alone)
      }
    },
  })
  // They run in parallel with flushes, so an item that waits for a lock delays no flush.
  const oneByOne = createBatcher<Item, Outcome>({
    maxItems: 1,
    inFlight: aloneAtOnce,
    flush: (items) =>
      Promise.all(items.map((item) => writeAlone((tx) => saveOne(tx, set, item, clock.now())))),
  })
  return async (item) => {
    const outcome = orThrow(await together(item))
    return outcome === alone ? oneByOne(item) : outcome
  }
}

export async function saveOne<Item, Outcome>(
  tx: Tx,
  set: SetWrite<Item, Outcome>,
  item: Item,
  now: Date,
): Promise<Outcome> {
  const [outcome] = await saveChecked(tx, set, { items: [item], now, optimistic: false })
  return orThrow(outcome as Outcome | Refusal)
}

interface Flush<Item> {
  items: Item[]
  now: Date
  optimistic: boolean
}

/** Saves the items in the order of their keys, and returns the outcomes in the order of the items. */
async function saveSorted<Item, Outcome>(
  tx: Tx,
  set: SetWrite<Item, Outcome>,
  { items, now, optimistic }: Flush<Item>,
): Promise<(Outcome | Refusal)[]> {
  const entries = items
    .map((item, index) => ({ item, place: index, key: set.keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.place - b.place))
  const sorted = entries.map(({ item }) => item)
  const saved = await saveChecked(tx, set, { items: sorted, now, optimistic })
  const outcomes: (Outcome | Refusal)[] = Array.from({ length: items.length })
  for (const [i, { place: index }] of entries.entries()) outcomes[index] = saved[i] as Outcome
  return outcomes
}

async function saveChecked<Item, Outcome>(
  tx: Tx,
  set: SetWrite<Item, Outcome>,
  { items, now, optimistic }: Flush<Item>,
): Promise<(Outcome | Refusal)[]> {
  const saved = await set.save(tx, items, now, optimistic)
  if (saved.length === items.length) return saved
  throw new RangeError(`${set.name}: ${items.length} items, ${saved.length} outcomes`)
}

/**
 * Runs writes optimistically: they do not wait for the result of a statement that nearly always
 * succeeds. The statement checks its own assumption, and divides by zero if it is wrong. Then the
 * transaction fails, and is repeated without optimism.
 */
export type OptimisticWrites = <T>(work: (optimistic: boolean) => Promise<T>) => Promise<T>

/** How many times optimism is skipped after a failure, because conflicts often repeat. */
const skippedAfterFailure = 50

/** Runs `work` optimistically, and once more without optimism if an assumption was wrong. */
export function createOptimisticWrites(): OptimisticWrites {
  let skipped = 0
  return async (work) => {
    if (skipped > 0) {
      skipped--
      return work(false)
    }
    try {
      return await work(true)
    } catch (error) {
      if (!wasOptimistic(error)) throw error
      skipped = skippedAfterFailure
      return work(false)
    }
  }
}

/** 22012, `division_by_zero`: none of our other statements divides. */
export function wasOptimistic(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22012'
}
