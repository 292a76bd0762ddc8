/** How much was read, about: so much of it as one can tell without writing all of it as text. */

/** Fewer rows than this are a page of a usual size, whatever stands in them. */
const fewRows = 50
const sampled = 5

/** Bytes of JSON, from a few rows that stand evenly among them. */
export function bytesOfRows(rows: readonly unknown[]): number {
  if (rows.length < fewRows) return 0
  let bytes = 0
  for (let n = 0; n < sampled; n++) {
    bytes += JSON.stringify(rows[Math.floor((rows.length * n) / sampled)]).length
  }
  return (bytes / sampled) * rows.length
}
