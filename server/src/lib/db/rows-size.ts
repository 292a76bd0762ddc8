/** Estimates the size of rows without serialising all of them. */

/** Fewer rows than this count as a page of the usual size, whatever they contain. */
const fewRows = 50
const sampled = 5

/** Bytes of JSON, extrapolated from a few rows spread evenly. */
export function bytesOfRows(rows: readonly unknown[]): number {
  if (rows.length < fewRows) return 0
  let bytes = 0
  for (let n = 0; n < sampled; n++) {
    bytes += JSON.stringify(rows[Math.floor((rows.length * n) / sampled)]).length
  }
  return (bytes / sampled) * rows.length
}
