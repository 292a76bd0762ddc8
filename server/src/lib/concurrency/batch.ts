/**
 * Group commit without a timer: requests made at the same time go to the database as one
 * statement. A flush starts when the one before it returns, so that a lone caller never waits and
 * many callers form a batch by themselves (2.2 times the single statement at 32 callers, 4.2 at
 * 256).
 */
import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises'
import { isSpread } from '../db/distribution.ts'
import { isOutage } from '../db/outage.ts'
import type { Database, Db } from '../db/types.ts'
import { isRefusal } from '../schema/refusal.ts'
import { createQueues } from './queues.ts'

export interface BatchOptions<Item, Outcome> {
  /**
   * Handles all items at once and returns one outcome for each, in order; an Error among them (but
   * not a Refusal, which is an answer) fails only that item.
   */
  flush: (items: Item[]) => Promise<(Outcome | Error)[]>
  /** The most items in one flush. */
  maxItems: number
  /** Simultaneous flushes: 1 suits writes, which batch best that way; more flushes suit reads. */
  inFlight?: number
  /**
   * Whether the items of a failed flush are retried one by one, so that an invalid row fails
   * alone; `flush` must then be all or nothing. The default is yes. An outage of the database
   * fails all items at once either way.
   */
  eachAlone?: boolean
  /**
   * Milliseconds of rest between two flushes, for work that nobody waits for: flushes become fewer
   * and larger.
   */
  restMs?: number
  /**
   * Gives the business of an item, where the database is distributed (`ofBusinesses`): a flush then
   * has the items of one business, whose rows are on one node.
   */
  businessOf?: ((item: Item) => string) | undefined
}

/** `businessOf` on a distributed database, and nothing on one PostgreSQL, where one flush has all. */
export function ofBusinesses<Item>(
  db: Db | Pick<Database, 'isDistributed'>,
  businessOf: (item: Item) => string,
): ((item: Item) => string) | undefined {
  return isSpread(db) ? businessOf : undefined
}

/** How many businesses are flushed at once: each flush takes a connection. */
const businessesAtOnce = 6

interface Waiting<Item, Outcome> {
  item: Item
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

// How many rows of a failed flush are retried at once: few, since some may wait for a lock.
const aloneAtOnce = 4

export function createBatcher<Item, Outcome>(
  options: BatchOptions<Item, Outcome>,
): (item: Item) => Promise<Outcome> {
  const { businessOf } = options
  return businessOf ? createBatchers(options, businessOf) : createOneBatcher(options)
}

/** A batcher for each business that has items. */
function createBatchers<Item, Outcome>(
  options: BatchOptions<Item, Outcome>,
  businessOf: (item: Item) => string,
): (item: Item) => Promise<Outcome> {
  const turns = createQueues(businessesAtOnce)
  const flush = (items: Item[]) => turns.take('flush', () => options.flush(items))
  const batchers = new Map<string, { add: (item: Item) => Promise<Outcome>; open: number }>()
  const forget = (business: string): void => {
    if (batchers.get(business)?.open === 0) batchers.delete(business)
  }
  return async (item) => {
    const business = businessOf(item)
    const batcher = batchers.get(business) ?? {
      add: createOneBatcher({ ...options, flush }),
      open: 0,
    }
    batchers.set(business, batcher)
    batcher.open++
    try {
      return await batcher.add(item)
    } finally {
      batcher.open--
      if (options.restMs === undefined) forget(business)
      // A caller within the rest has to wait for it.
      else setTimeout(() => forget(business), options.restMs).unref()
    }
  }
}

function createOneBatcher<Item, Outcome>(
  options: BatchOptions<Item, Outcome>,
): (item: Item) => Promise<Outcome> {
  const { flush, maxItems, inFlight = 1, eachAlone = true, restMs } = options
  let queue: Waiting<Item, Outcome>[] = []
  let flying = 0
  let scheduled = false

  const start = (): void => {
    scheduled = false
    while (flying < inFlight && queue.length > 0) {
      const batch = queue.length <= maxItems ? queue : queue.slice(0, maxItems)
      queue = batch === queue ? [] : queue.slice(maxItems)
      flying++
      void fly(batch)
    }
  }

  const fly = async (batch: Waiting<Item, Outcome>[]): Promise<void> => {
    const result = await outcomesOf(flush, batch)
    if (restMs === undefined) await goOn()
    tell(result, batch)
    if (restMs !== undefined) {
      await sleep(restMs)
      await goOn()
    }
    if ('outcomes' in result) return
    if (!eachAlone || batch.length === 1 || isOutage(result.error)) {
      for (const waiting of batch) waiting.reject(result.error)
    } else {
      await alone(flush, batch)
    }
  }

  /**
   * The next flush is sent before the callers of the last one are answered and before its rows are
   * retried, so that the database does not idle meanwhile.
   */
  const goOn = async (): Promise<void> => {
    flying--
    if (queue.length === 0) return
    start()
    await turnOfLoop()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (scheduled || flying >= inFlight) return
      scheduled = true
      // Waits until the sockets that are ready now were read, so that their calls join this flush.
      setImmediate(start)
    })
}

type Flush<Item, Outcome> = BatchOptions<Item, Outcome>['flush']

type Result<Outcome> = { outcomes: (Outcome | Error)[] } | { error: unknown }

/** The result of a flush: one outcome per item, or the error of the whole flush. */
async function outcomesOf<Item, Outcome>(
  flush: Flush<Item, Outcome>,
  batch: Waiting<Item, Outcome>[],
): Promise<Result<Outcome>> {
  try {
    const outcomes = await flush(batch.map((waiting) => waiting.item))
    if (outcomes.length === batch.length) return { outcomes }
    throw new RangeError(`a flush of ${batch.length} items gave ${outcomes.length} outcomes`)
  } catch (error) {
    return { error }
  }
}

function tell<Item, Outcome>(result: Result<Outcome>, batch: Waiting<Item, Outcome>[]): void {
  if (!('outcomes' in result)) return
  for (const [i, waiting] of batch.entries()) {
    const outcome = result.outcomes[i] as Outcome | Error
    if (outcome instanceof Error && !isRefusal(outcome)) waiting.reject(outcome)
    else waiting.resolve(outcome as Outcome)
  }
}

async function alone<Item, Outcome>(
  flush: Flush<Item, Outcome>,
  batch: Waiting<Item, Outcome>[],
): Promise<void> {
  const rest = batch.values()
  const work = async (): Promise<void> => {
    for (const waiting of rest) {
      const result = await outcomesOf(flush, [waiting])
      tell(result, [waiting])
      if ('error' in result) waiting.reject(result.error)
    }
  }
  await Promise.all(Array.from({ length: Math.min(aloneAtOnce, batch.length) }, work))
}
