/** The lines by which two texts differ, in order. */
export interface Line {
  text: string
  side: 'both' | 'old' | 'new'
}

/** Beyond so many lines, texts are shown one after the other. */
const most = 1_500

/** By the longest common sequence of lines. */
export function lineDifference(before: string, after: string): Line[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  if (a.length > most || b.length > most) return [...sided(a, 'old'), ...sided(b, 'new')]
  // lengths[i][j]: lines that a from i and b from j have in common.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i]
    for (let j = b.length - 1; row && j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [old, fresh] = [a[i], b[j]]
    if (old !== undefined && old === fresh) {
      lines.push({ text: old, side: 'both' })
      i++
      j++
    } else if (fresh !== undefined && (old === undefined || at(i, j + 1) > at(i + 1, j))) {
      lines.push({ text: fresh, side: 'new' })
      j++
    } else if (old !== undefined) {
      lines.push({ text: old, side: 'old' })
      i++
    }
  }
  return lines
}

const sided = (texts: readonly string[], side: Line['side']): Line[] =>
  texts.map((text) => ({ text, side }))
