/**
 * Addresses that stand in a file twice. Each is kept as 48 bits of a hash, in a table that grows
 * with the file up to a bound: two million addresses take 19 MB at most.
 */

import { createHash } from 'node:crypto'

export const mostAddresses = 2_000_000

export interface Seen {
  /** Whether it was there before. */
  add(address: string): boolean
  /** New addresses that there was no room for. */
  readonly isFull: boolean
}

/** Four bytes and two of each hash, side by side: a number of six would take eight. */
interface Table {
  high: Uint32Array
  low: Uint16Array
}

const newTable = (size: number): Table => ({
  high: new Uint32Array(size),
  low: new Uint16Array(size),
})
const low16 = 2 ** 16
const smallest = 4_096
const growth = 1.5
/** Above this share of places taken, looking for one takes long. */
const fullest = 0.8

export function createSeen(most = mostAddresses): Seen {
  let table = newTable(smallest)
  let count = 0
  let isFull = false

  const valueAt = ({ high, low }: Table, place: number) =>
    (high[place] ?? 0) * low16 + (low[place] ?? 0)
  const placeOf = (value: number, within: Table): number => {
    const size = within.high.length
    let place = value % size
    for (let at = valueAt(within, place); at !== 0 && at !== value; at = valueAt(within, place)) {
      place = (place + 1) % size
    }
    return place
  }
  const put = (value: number, within: Table, place: number) => {
    within.high[place] = Math.floor(value / low16)
    within.low[place] = value % low16
  }
  const grow = () => {
    const larger = newTable(Math.ceil(table.high.length * growth))
    for (let place = 0; place < table.high.length; place++) {
      const value = valueAt(table, place)
      if (value !== 0) put(value, larger, placeOf(value, larger))
    }
    table = larger
  }

  return {
    add(address) {
      // No address is 0, which stands for an empty place.
      const value = createHash('sha256').update(address).digest().readUIntBE(0, 6) || 1
      const place = placeOf(value, table)
      if (valueAt(table, place) === value) return true
      if (count >= most) {
        isFull = true
        return false
      }
      put(value, table, place)
      count++
      if (count > table.high.length * fullest) grow()
      return false
    },
    get isFull() {
      return isFull
    },
  }
}
