/**
 * Hides Liquid from the programs that rewrite HTML. Each `{{ … }}` and `{% … %}` becomes a word
 * that all of them treat as text, and is restored when they are done.
 */
import { randomBytes } from 'node:crypto'
import { Tokenizer, TokenKind } from 'liquidjs'

export interface Hidden {
  /** The source with a word in place of each piece of Liquid. */
  text: string
  /** The Liquid that each word replaces. */
  codes: readonly Code[]
  /** Finds the words: the number of the code, and `=""` if a word became an attribute. */
  readonly words: RegExp
}

export interface Code {
  kind: 'output' | 'tag'
  text: string
  line: number
}

export function hideLiquid(source: string): Hidden {
  const mark = `q${randomBytes(6).toString('hex')}`
  const codes: Code[] = []
  const texts: string[] = []
  let line = 1
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    const text = source.slice(token.begin, token.end)
    if (token.kind === TokenKind.HTML) {
      texts.push(text)
    } else {
      texts.push(`${mark}x${codes.length}x`)
      codes.push({ kind: token.kind === TokenKind.Output ? 'output' : 'tag', text, line })
    }
    line += text.split('\n').length - 1
  }
  return { text: texts.join(''), codes, words: new RegExp(`${mark}x(\\d+)x(=\\"\\")?`, 'g') }
}

/** Restores the Liquid of the text. `spell` may write a code differently. */
export function showLiquid(
  text: string,
  { codes, words }: Hidden,
  spell: (code: Code, n: number) => string = (code) => code.text,
): string {
  return text.replace(words, (_word, digits: string) => {
    const n = Number(digits)
    const code = codes[n]
    return code === undefined ? '' : spell(code, n)
  })
}

/** The first code that a program dropped, if it dropped any. */
export function lostCode(text: string, { codes, words }: Hidden): Code | undefined {
  const indexes = new Set([...text.matchAll(words)].map(([, digits]) => Number(digits)))
  return codes.find((_, n) => !indexes.has(n))
}

/**
 * Joins each line of tags alone to the next line: they say nothing, so a loop over the rows of a
 * table would leave empty lines between them.
 */
export function joinedTags(text: string, hidden: Hidden): string {
  let joined = ''
  let isAfterTags = false
  for (const line of text.split('\n')) {
    if (isAfterTags && line === '') continue
    isAfterTags = hasTagsAlone(line, hidden)
    joined += isAfterTags ? line.trim() : `${line}\n`
  }
  return joined.endsWith('\n') ? joined.slice(0, -1) : joined
}

function hasTagsAlone(line: string, { codes, words }: Hidden): boolean {
  if (line.trim() === '') return false
  let isTags = true
  const others = line.replace(words, (_word, digits: string) => {
    if (codes[Number(digits)]?.kind !== 'tag') isTags = false
    return ''
  })
  return isTags && others.trim() === ''
}
