/** Finds the slots of a gallery's mail that nobody has filled: `[[Date]]`. */

/** The most characters of a slot's label. A doubt of a brief may stand in one, too. */
const longest = 300

/** Each once, with its brackets. */
export function emptySlotsIn(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (let at = text.indexOf('[['); at >= 0; at = text.indexOf('[[', at + 2)) {
      const end = text.indexOf(']]', at)
      if (end < 0) break
      const slot = text.slice(at, end + 2)
      const isSlot = slot.length > 4 && slot.length <= longest && !slot.includes('\n')
      if (isSlot) names.add(slot)
    }
  }
  return [...names]
}
