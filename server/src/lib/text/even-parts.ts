/** Splits into as few parts of at most `limit` as possible, all of nearly equal size. */
export function inEvenParts<T>(all: readonly T[], limit: number): T[][] {
  const parts = Math.ceil(all.length / limit)
  const size = Math.ceil(all.length / parts)
  return Array.from({ length: parts }, (_, n) => all.slice(n * size, (n + 1) * size))
}
