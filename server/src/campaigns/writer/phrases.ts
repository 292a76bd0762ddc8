/**
 * Finds the phrases of a word list in a text. A phrase is one or more words; `*` stands for the rest
 * of a word on either side. Case, accents and apostrophes do not count, since people type briefs
 * on a phone. The time is proportional to the length of the text.
 */

export interface Word {
  /** In the form in which words are compared. */
  plain: string
  start: number
  end: number
}

/** The words of a text with their positions. `l’été` is two words, `don’t` is one. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const end = index + run.length
    const before = words.at(-1)
    const joined = before?.end === index - 1 && /['’]/.test(text[index - 1] ?? '')
    if (before && joined && !elided.has(before.plain)) {
      before.plain += plainOf(run)
      before.end = end
    } else {
      words.push({ plain: plainOf(run), start: index, end })
    }
  }
  return words
}

const elided = new Set(['l', 'd', 'j', 'n', 's', 'c', 'm', 't', 'qu', 'jusqu', 'lorsqu'])

/** Lower case, without accents. */
export function plainOf(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

export interface Phrases {
  /** The number of different phrases of the list in these words. */
  count(words: readonly Word[]): number
  /** The index after the phrase that begins at this word; undefined if none does. */
  endAt(words: readonly Word[], at: number): number | undefined
}

type Part = (word: string) => boolean

/** A list is one text: phrases, separated by commas. */
export function phrasesOf(list: string): Phrases {
  const exact = new Map<string, Part[][]>()
  const open: Part[][] = []
  for (const entry of list.split(',')) {
    const texts = entry.trim().split(/\s+/).map(plainOf).filter(Boolean)
    const [first] = texts
    if (first === undefined) continue
    const parts = texts.map(partOf)
    if (first.includes('*')) open.push(parts)
    else exact.set(first, [...(exact.get(first) ?? []), parts])
  }
  const matching = (words: readonly Word[], at: number) =>
    [...(exact.get(words[at]?.plain ?? '') ?? []), ...open].filter((parts) =>
      parts.every((part, n) => part(words[at + n]?.plain ?? '')),
    )
  return {
    count: (words) => new Set(words.flatMap((_, at) => matching(words, at))).size,
    endAt(words, at) {
      const lengths = matching(words, at).map(({ length }) => length)
      return lengths.length === 0 ? undefined : at + Math.max(...lengths)
    },
  }
}

function partOf(text: string): Part {
  const word = text.replaceAll('*', '')
  const [isOpenBefore, isOpenAfter] = [text.startsWith('*'), text.endsWith('*')]
  if (isOpenBefore && isOpenAfter) return (candidate) => candidate.includes(word)
  if (isOpenBefore) return (candidate) => candidate.endsWith(word)
  if (isOpenAfter) return (candidate) => candidate.startsWith(word)
  return (candidate) => candidate === word
}
