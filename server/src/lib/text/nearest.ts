/** "Did you mean ...?": the known name with the most similar spelling. */

/** The most characters of an unknown name that are examined: the work grows with its length. */
const longest = 64

/** Undefined where no name is similar: more than a third of the letters differ. */
export function nearest(input: string, names: Iterable<string>): string | undefined {
  if (input.length === 0 || input.length > longest) return undefined
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = editDistance(input.toLowerCase(), name.toLowerCase())
    if (!best || distance < best.distance) best = { name, distance }
  }
  const limit = Math.max(1, Math.floor(Math.max(input.length, best?.name.length ?? 0) / 3))
  return best && best.distance <= limit ? best.name : undefined
}

/**
 * How many characters must be inserted, deleted or replaced to turn one text into the other
 * (Levenshtein). Where that is more than `limit`, the work ends early with any number above `limit`. It
 * grows with the product of the lengths, so callers bound those.
 */
export function editDistance(from: string, to: string, limit = Number.POSITIVE_INFINITY): number {
  // The distances of the first i characters of `from` to each beginning of `to`, by its length.
  const distances: number[] = []
  for (let j = 0; j <= to.length; j++) distances.push(j)
  for (let i = 1; i <= from.length; i++) {
    const character = from.charCodeAt(i - 1)
    let diagonal = i - 1
    let last = i
    let least = i
    distances[0] = i
    for (let j = 1; j <= to.length; j++) {
      const replaced = character === to.charCodeAt(j - 1) ? diagonal : diagonal + 1
      diagonal = distances[j] ?? 0
      last = Math.min(replaced, diagonal + 1, last + 1)
      distances[j] = last
      if (last < least) least = last
    }
    // Later rows only grow from the smallest distance of this one.
    if (least > limit) return least
  }
  return distances[to.length] ?? 0
}
