/**
 * Finds addresses that occur twice in a file. Each address is stored as 48 bits of a hash. The
 * tables for them grow with the file, one after the other, so that growing never needs much more
 * than they hold: two million addresses use at most 19 MB.
 */

import { hash } from 'node:crypto'

export const mostAddresses = 2_000_000

export interface Seen {
  /** Adds the address. Returns whether it was in the table before. */
  add(address: string): boolean
  /** Gives its memory back. Nothing can be added afterwards. */
  free(): void
  /** Whether new addresses were left out because the table had no room for them. */
  readonly isFull: boolean
}

/** Four and two bytes of each hash in separate arrays. A number of six bytes would use eight. */
interface Table {
  high: Uint32Array<ArrayBuffer>
  low: Uint16Array<ArrayBuffer>
  count: number
}

const newTable = (size: number): Table => ({
  high: new Uint32Array(pagesOf(size * 4)),
  low: new Uint16Array(pagesOf(size * 2)),
  count: 0,
})

/**
 * A buffer that may be resized has pages of its own, which the system gets back. Of others malloc
 * kept 9 MB after a million addresses.
 */
const pagesOf = (bytes: number) => new ArrayBuffer(bytes, { maxByteLength: bytes })

const tables = 16
const low16 = 2 ** 16
const smallest = 64
const growth = 1.5
/** Lookups become slow when more than this share of the places is in use. */
const fullest = 0.8

/** Each table begins a little larger than the one before it, so that they grow one by one. */
const sizeOfFirst = (n: number) => Math.ceil(smallest * growth ** (n / tables))

const valueAt = ({ high, low }: Table, index: number) =>
  (high[index] ?? 0) * low16 + (low[index] ?? 0)

function slotOf(value: number, within: Table): number {
  const size = within.high.length
  // The rest of the division by the number of tables is the same for all values of one.
  let slot = Math.floor(value / tables) % size
  for (let at = valueAt(within, slot); at !== 0 && at !== value; at = valueAt(within, slot)) {
    slot = (slot + 1) % size
  }
  return slot
}

function put(value: number, within: Table, index: number): void {
  within.high[index] = Math.floor(value / low16)
  within.low[index] = value % low16
  within.count++
}

function grown(table: Table): Table {
  const larger = newTable(Math.ceil(table.high.length * growth))
  for (let index = 0; index < table.high.length; index++) {
    const value = valueAt(table, index)
    if (value !== 0) put(value, larger, slotOf(value, larger))
  }
  release(table)
  return larger
}

/** Gives the memory back at once. The collector comes late: twice as much would wait for it. */
function release({ high, low }: Table): void {
  high.buffer.transfer(0)
  low.buffer.transfer(0)
}

export function createSeen(maximum = mostAddresses): Seen {
  const all = Array.from({ length: tables }, (_, n) => newTable(sizeOfFirst(n)))
  let count = 0
  let isFull = false
  return {
    add(address) {
      // No address has the value 0, which marks an empty place. As text the hash needs no buffer.
      const value = Number.parseInt(hash('sha256', address, 'hex').slice(0, 12), 16) || 1
      const own = value % tables
      const table = all[own] as Table
      const slot = slotOf(value, table)
      if (valueAt(table, slot) === value) return true
      if (count >= maximum) {
        isFull = true
        return false
      }
      put(value, table, slot)
      count++
      if (table.count > table.high.length * fullest) all[own] = grown(table)
      return false
    },
    free() {
      for (const table of all) release(table)
    },
    get isFull() {
      return isFull
    },
  }
}
