/** Estimates the size of rows without serialising all of them. */

/** Fewer rows than this count as a page of the usual size, regardless of their content. */
const fewRows = 50
const sampled = 5

/** Bytes of JSON, extrapolated from a few rows at even distances. */
export function bytesOfRows(rows: readonly unknown[]): number {
  if (rows.length < fewRows) return 0
  let bytes = 0
  for (let n = 0; n < sampled; n++) {
    bytes += JSON.stringify(rows[Math.floor((rows.length * n) / sampled)]).length
  }
  return (bytes / sampled) * rows.length
}
