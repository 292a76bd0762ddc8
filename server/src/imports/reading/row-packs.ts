/**
 * Rows on their way from the thread, as bytes. As objects, all rows that wait for the database would
 * survive until the next full collection of the heap, which took a sixth of an import's time.
 */
import v8 from 'node:v8'
import type { FileRow } from './read-rows.ts'

export function packRows(rows: readonly FileRow[]): Uint8Array {
  return v8.serialize(rows)
}

export function unpackRows(pack: Uint8Array): FileRow[] {
  return v8.deserialize(pack)
}
