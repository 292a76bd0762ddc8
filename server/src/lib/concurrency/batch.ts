/**
 * Group commit without a timer: what is asked for at the same time goes to the
 * database as one statement. A flush starts when the one before it returns, so that
 * a lone caller never waits and a crowd gathers by itself (2.2 times the single
 * statement at 32 callers, 4.2 at 256).
 */
import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises'
import { isOutage } from '../db/outage.ts'
import { isRefusal } from '../schema/refusal.ts'

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
   * The next flush is sent before anybody of the last one is answered, and before a row of
   * it is tried alone: else the database would rest while the answers are made.
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
      // After the sockets that are ready now were read: their calls join this flush.
      setImmediate(start)
    })
}

type Flush<Item, Outcome> = BatchOptions<Item, Outcome>['flush']

type Result<Outcome> = { outcomes: (Outcome | Error)[] } | { error: unknown }

/** What became of a flush: one outcome for each, or the error of the flush as a whole. */
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
