/** Which of the business's tags an audience in words speaks of. */

const commonWords = new Set([
  'customers',
  'people',
  'everyone',
  'contacts',
  'all',
  'our',
  'the',
  'and',
])

/** Words as they are compared: lower case, no accents, no plural. */
function stems(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(?:ies|es|s)$/, '') : word,
  )
}

/** A tag matches where all its words stand in the audience's. */
export function tagsFor(audience: string, tags: readonly string[]): string[] {
  const said = new Set(stems(audience))
  return tags.filter((tag) => {
    const words = stems(tag)
    const isCommon = commonWords.has(tag.toLowerCase())
    return words.length > 0 && !isCommon && words.every((word) => said.has(word))
  })
}
