/** Measures the lines of a file while its bytes arrive. */

import { carriageReturn, newline } from './records.ts'

export interface LineMeter {
  /** Returns the length of the longest line that ends in this chunk or is still open after it. */
  take(chunk: Uint8Array): number
  /** The offset at which the line begins that the last call measured. */
  startOfLine(): number
}

/** Lines within one chunk are not measured: chunks are smaller than the length that matters. */
export function lineMeter(): LineMeter {
  let [read, lineStart, measuredStart] = [0, 0, 0]
  return {
    take(chunk) {
      const first = firstBreak(chunk)
      const ended = (first === -1 ? read + chunk.length : read + first) - lineStart
      measuredStart = lineStart
      if (first !== -1) lineStart = read + lastBreak(chunk) + 1
      read += chunk.length
      return ended
    },
    startOfLine: () => measuredStart,
  }
}

function firstBreak(chunk: Uint8Array): number {
  const end = chunk.indexOf(newline)
  return end === -1 ? chunk.indexOf(carriageReturn) : end
}

function lastBreak(chunk: Uint8Array): number {
  const end = chunk.lastIndexOf(newline)
  return end === -1 ? chunk.lastIndexOf(carriageReturn) : end
}

/** Why a file with such a row is refused. */
export function longRow(at: number): string {
  const which = at === 0 ? 'Its first line' : `The row that begins at byte ${at}`
  return `${which} is longer than 1 MB. A CSV file has a line for each person, and each line ends with a line break.`
}
