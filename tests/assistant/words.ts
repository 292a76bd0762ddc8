/** The similarity of two texts by their shared words, which is all that the assistant has. */

const small = new Set(
  'a an and are as at be by can each for from has have in into is it its of on one or that the their this those to what whom who where which with you your'.split(
    ' ',
  ),
)

/** The words without their endings, so that "sends", "sending" and "send" are equal. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !small.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ing|es|ed|s|e)$/, '') : word))
}

/**
 * The choice that fits a text best, and its score: shared words count, and words that are rare
 * among the choices count most. Words of a title count several times.
 */
export function bestOf<T>(
  text: string,
  choices: readonly T[],
  about: (choice: T) => { title: string; rest: string },
): { choice: T; score: number } | undefined {
  const described = choices.map((choice) => {
    const { title, rest } = about(choice)
    return { choice, title: new Set(wordsOf(title)), rest: new Set(wordsOf(rest)) }
  })
  const wanted = new Set(wordsOf(text))
  const rarity = (word: string) => {
    const holders = described.filter(({ title, rest }) => title.has(word) || rest.has(word)).length
    return Math.log((choices.length + 1) / (holders + 0.5))
  }
  const scored = described.map(({ choice, title, rest }) => {
    let score = 0
    for (const word of wanted) {
      if (title.has(word)) score += 2 * rarity(word)
      else if (rest.has(word)) score += rarity(word)
    }
    // Of equal choices, the one with fewer other words wins.
    return { choice, score: score - (title.size + rest.size) / 1_000 }
  })
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  return best && best.score > 0 ? best : undefined
}
