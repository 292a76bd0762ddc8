/** Finds which of the business's tags an audience in words refers to. */

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

/** The words in the form in which they are compared: lower case, no accents, no plural. */
function stems(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(?:ies|es|s)$/, '') : word,
  )
}

/** A tag matches where the audience contains all of its words. */
export function tagsFor(audience: string, tags: readonly string[]): string[] {
  const said = new Set(stems(audience))
  return tags.filter((tag) => {
    const words = stems(tag)
    const isCommon = commonWords.has(tag.toLowerCase())
    return words.length > 0 && !isCommon && words.every((word) => said.has(word))
  })
}
