/** "Did you mean ...?": the known name with the most similar spelling. */
import { editDistance } from './edit-distance.ts'

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
