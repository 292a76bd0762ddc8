/**
 * Addresses that stand in a file twice. Each is kept as 52 bits of a hash, in a table that grows
 * with the file up to a bound: two million addresses take 32 MB.
 */

import { createHash } from 'node:crypto'

export const mostAddresses = 2_000_000

export interface Seen {
  /** Whether it was there before. */
  add(address: string): boolean
  /** New addresses that there was no room for. */
  readonly isFull: boolean
}

export function createSeen(most = mostAddresses): Seen {
  let table = new Float64Array(1 << 12)
  let count = 0
  let isFull = false

  const placeOf = (value: number, within: Float64Array): number => {
    let place = value % within.length
    while (within[place] !== 0 && within[place] !== value) place = (place + 1) % within.length
    return place
  }
  const grow = () => {
    const larger = new Float64Array(table.length * 2)
    for (const value of table) if (value !== 0) larger[placeOf(value, larger)] = value
    table = larger
  }

  return {
    add(address) {
      const digest = createHash('sha256').update(address).digest()
      // No address is 0, which stands for an empty place.
      const value = digest.readUIntBE(0, 6) * 16 + ((digest[6] ?? 0) >> 4) + 1
      const place = placeOf(value, table)
      if (table[place] === value) return true
      if (count >= most) {
        isFull = true
        return false
      }
      table[place] = value
      count++
      if (count * 2 > table.length) grow()
      return false
    },
    get isFull() {
      return isFull
    },
  }
}
