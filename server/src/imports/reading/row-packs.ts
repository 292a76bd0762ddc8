/**
 * Rows on their way from the thread, as bytes. As objects, all rows that wait for the database would
 * survive until the next full collection of the heap, which took a sixth of an import's time.
 */
import v8 from 'node:v8'
import { inEvenParts } from '../../lib/text/even-parts.ts'
import type { FileRow, Rows } from './read-rows.ts'

export function packRows({ rows, ...rest }: Rows, most: number): Rows {
  return { ...rest, rows: [], packs: inEvenParts(rows, most).map((some) => v8.serialize(some)) }
}

export function unpackRows(pack: Uint8Array): FileRow[] {
  return v8.deserialize(pack)
}
