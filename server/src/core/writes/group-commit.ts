/**
 * Group commit: the writes of many calls in one transaction. A flush starts when the one before
 * it has ended. It is optimistic at first, and is repeated without optimism if that fails. If it
 * fails again, or would have to wait, its items are tried one by one, so that a bad row or a lock
 * of another transaction delays no other item.
 */

import { createBatcher } from '../../lib/concurrency/batch.ts'
import { isOutage } from '../../lib/db/outage.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { orThrow, type Refusal } from '../errors.ts'
import type { SetWrite } from '../operation.ts'

export interface GatherParts {
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
  { clock, commit, writeAlone }: GatherParts,
): (item: Item) => Promise<Outcome> {
  const optimisticWrites = createOptimisticWrites()
  const together = createBatcher<Item, Outcome | Refusal | typeof alone>({
    maxItems: itemsPerFlush,
    eachAlone: false,
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
  for (const [i, { place }] of entries.entries()) outcomes[place] = saved[i] as Outcome
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
