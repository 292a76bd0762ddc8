/** Finds out whether a record may end in bytes that arrive piece by piece, before it is parsed. */

import { carriageReturn, newline } from './records.ts'

const quote = 34

/**
 * Returns a function that takes the bytes of a record in order, and tells of each piece whether it
 * has a line break outside of quotes. A quote within quotes is written twice, which leaves them
 * open. Where the quotes are wrong, the answer may be wrong too.
 */
export function recordEnds(): (bytes: Uint8Array) => boolean {
  let isQuoted = false
  return (bytes) => {
    let ends = false
    for (const byte of bytes) {
      if (byte === quote) isQuoted = !isQuoted
      else if (!isQuoted && (byte === newline || byte === carriageReturn)) ends = true
    }
    return ends
  }
}
