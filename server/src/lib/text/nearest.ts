/** "Did you mean ...?": the known name with the most similar spelling. */
import { editDistance } from './edit-distance.ts'

/** The most characters of an unknown name that are examined: the work grows with its length. */
const longest = 64

/** Undefined where no name is similar: more than a third of the letters differ. */
export function nearest(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length === 0 || unknown.length > longest) return undefined
  let best: { name: string; away: number } | undefined
  for (const name of known) {
    const away = editDistance(unknown.toLowerCase(), name.toLowerCase())
    if (!best || away < best.away) best = { name, away }
  }
  const most = Math.max(1, Math.floor(Math.max(unknown.length, best?.name.length ?? 0) / 3))
  return best && best.away <= most ? best.name : undefined
}
