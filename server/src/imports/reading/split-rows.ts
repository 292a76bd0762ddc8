/** Rows of a file that are shown once more, each by itself. This runs in a thread. */

import { readRecords } from '../format/records.ts'

export interface RawRows {
  /** As they stood in the file; empty where a row is not kept. */
  texts: string[]
  delimiter: string
}

export function splitRows({ texts, delimiter }: RawRows): string[][] {
  return texts.map((text) => {
    const { records } = readRecords(Buffer.from(text), { delimiter, isLast: true, most: 1 })
    return records[0]?.cells ?? []
  })
}
