/**
 * Writes of many calls in one transaction. A flush starts when the one before it
 * returns. It presumes that its rows can be written, and is made again without where they
 * could not; what it then fails on, or must wait for, is tried again one by one, so that a
 * bad row or another's lock holds up nobody else.
 */

import { createBatcher } from '../../lib/concurrency/batch.ts'
import { isOutage } from '../../lib/db/outage.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Refusal } from '../errors.ts'
import type { SetWrite } from '../operation.ts'

export interface GatherParts {
  clock: Clock
  /** One transaction that waits at most `lockMs` for a row that another one holds. */
  commit: <T>(lockMs: number, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The same for one item, which may wait long. */
  writeAlone: <T>(work: (tx: Tx) => Promise<T | Refusal>) => Promise<T | Refusal>
}

/** Items of one flush at most. */
const itemsPerFlush = 256
/** How long a flush waits for a lock: all of its items wait with it. */
const flushLockMs = 100
/** Items that are tried alone at once: connections are few. */
const aloneAtOnce = 4

// Of an item whose flush failed: it is tried again by itself.
const alone = Symbol('alone')

/** What takes the items of one kind of write. */
export function gather<Item, Outcome>(
  set: SetWrite<Item, Outcome>,
  { clock, commit, writeAlone }: GatherParts,
): (item: Item) => Promise<Outcome | Refusal> {
  const presumer = createOptimisticWrites()
  const together = createBatcher<Item, Outcome | Refusal | typeof alone>({
    maxItems: itemsPerFlush,
    eachAlone: false,
    async flush(items) {
      const save = (presuming: boolean) =>
        commit(flushLockMs, (tx) => saveSorted(tx, set, { items, now: clock.now(), presuming }))
      try {
        return await presumer(save)
      } catch (error) {
        if (isOutage(error)) throw error
        return items.map(() => alone)
      }
    },
  })
  // Beside the flushes, not between them: an item that waits for a lock delays no flush.
  const oneByOne = createBatcher<Item, Outcome | Refusal>({
    maxItems: 1,
    inFlight: aloneAtOnce,
    flush: (items) =>
      Promise.all(items.map((item) => writeAlone((tx) => saveOne(tx, set, item, clock.now())))),
  })
  return async (item) => {
    const outcome = await together(item)
    return outcome === alone ? oneByOne(item) : outcome
  }
}

export async function saveOne<Item, Outcome>(
  tx: Tx,
  set: SetWrite<Item, Outcome>,
  item: Item,
  now: Date,
): Promise<Outcome | Refusal> {
  const [outcome] = await saveChecked(tx, set, { items: [item], now, presuming: false })
  return outcome as Outcome | Refusal
}

interface Flush<Item> {
  items: Item[]
  now: Date
  presuming: boolean
}

/** Items are saved in the order of their keys, and told of in that in which they came. */
async function saveSorted<Item, Outcome>(
  tx: Tx,
  set: SetWrite<Item, Outcome>,
  { items, now, presuming }: Flush<Item>,
): Promise<(Outcome | Refusal)[]> {
  const entries = items
    .map((item, place) => ({ item, place, key: set.keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.place - b.place))
  const sorted = entries.map(({ item }) => item)
  const saved = await saveChecked(tx, set, { items: sorted, now, presuming })
  const outcomes: (Outcome | Refusal)[] = Array.from({ length: items.length })
  for (const [i, { place }] of entries.entries()) outcomes[place] = saved[i] as Outcome
  return outcomes
}

async function saveChecked<Item, Outcome>(
  tx: Tx,
  set: SetWrite<Item, Outcome>,
  { items, now, presuming }: Flush<Item>,
): Promise<(Outcome | Refusal)[]> {
  const saved = await set.save(tx, items, now, presuming)
  if (saved.length === items.length) return saved
  throw new RangeError(`${set.name}: ${items.length} items, ${saved.length} outcomes`)
}

/**
 * A write that does not wait to hear whether it could be done as it nearly always can. What it
 * presumes is said in its statement, which divides by zero where it is not so: the transaction
 * fails, and is made again by a way that looks first.
 */
export type OptimisticWrites = <T>(work: (presuming: boolean) => Promise<T>) => Promise<T>

/** Times that nothing is presumed once it was wrong: what is in the way often comes again. */
const waryFor = 50

/** Has work done presuming, and once more without where something was not as presumed. */
export function createOptimisticWrites(): OptimisticWrites {
  let wary = 0
  return async (work) => {
    if (wary > 0) {
      wary--
      return work(false)
    }
    try {
      return await work(true)
    } catch (error) {
      if (!wasOptimistic(error)) throw error
      wary = waryFor
      return work(false)
    }
  }
}

/** 22012, `division_by_zero`: nothing else of ours divides in the database. */
export function wasOptimistic(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22012'
}
