/** Splits single rows that are shown once more. */

import { readRecords } from '../format/records.ts'

export interface RawRows {
  /** The rows as they were in the file. Empty if a row was not stored. */
  texts: string[]
  delimiter: string
}

export function splitRows({ texts, delimiter }: RawRows): string[][] {
  return texts.map((text) => {
    const { records } = readRecords(Buffer.from(text), { delimiter, isLast: true, limit: 1 })
    return records[0]?.cells ?? []
  })
}
