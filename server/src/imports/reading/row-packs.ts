/**
 * Rows on their way from the thread, as bytes. As objects, all rows that wait for the database would
 * survive until the next full collection of the heap, which took a sixth of an import's time.
 */
import v8 from 'node:v8'

export type RowPack = Uint8Array<ArrayBuffer>

export function packRows(rows: readonly object[]): RowPack {
  return v8.serialize(rows)
}

export function unpackRows<Row extends object>(pack: RowPack): Row[] {
  return v8.deserialize(pack)
}
