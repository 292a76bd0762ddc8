/**
 * Finds addresses that occur twice in a file. Each address is stored as 48 bits of a hash, in a
 * table that grows with the file up to a limit: two million addresses use at most 19 MB.
 */

import { createHash } from 'node:crypto'

export const mostAddresses = 2_000_000

export interface Seen {
  /** Adds the address. Returns whether it was in the table before. */
  add(address: string): boolean
  /** Whether new addresses were left out because the table had no room for them. */
  readonly isFull: boolean
}

/** Four and two bytes of each hash in separate arrays. A number of six bytes would use eight. */
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
/** Lookups become slow when more than this share of the places is in use. */
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
      // No address has the value 0, which marks an empty place.
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
