/**
 * A list of short texts that is only asked whether it has one. As one text it takes a tenth of the
 * memory of a `Set`, and is read by bisection.
 */
export interface CompactList {
  has(text: string): boolean
}

export function compactList(texts: Iterable<string>): CompactList {
  const sorted = [...texts].sort(byCodeUnits)
  // Joined as bytes, because a text that was joined of many keeps all of them.
  const all = Buffer.from(sorted.join('')).toString()
  const starts = new Uint32Array(sorted.length + 1)
  for (const [n, text] of sorted.entries()) starts[n + 1] = (starts[n] ?? 0) + text.length
  return {
    has(text) {
      let [from, to] = [0, starts.length - 1]
      while (from < to) {
        const middle = (from + to) >>> 1
        const entry = all.slice(starts[middle], starts[middle + 1])
        if (entry === text) return true
        if (entry < text) from = middle + 1
        else to = middle
      }
      return false
    },
  }
}

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
