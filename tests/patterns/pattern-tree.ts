/** The tree of a regular expression, detailed enough to build texts that nearly match. */

export type Tree =
  | { is: 'atom'; source: string }
  /** Matches no characters: an anchor, a lookahead or a lookbehind. */
  | { is: 'look'; within: Tree | undefined }
  | { is: 'repeat'; least: number; within: Tree }
  | { is: 'sequence'; parts: Tree[] }
  | { is: 'choice'; ways: Tree[] }

const hex = /^(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]*\}|k<[^>]*>)/i

export function treeOf(source: string): Tree {
  let at = 0

  const choice = (): Tree => {
    const ways = [sequence()]
    while (source[at] === '|') {
      at++
      ways.push(sequence())
    }
    return ways.length === 1 ? (ways[0] as Tree) : { is: 'choice', ways }
  }

  const sequence = (): Tree => {
    const parts: Tree[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated())
    return { is: 'sequence', parts }
  }

  const repeated = (): Tree => {
    const within = atom()
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(source.slice(at))
    if (!found) return within
    at += found[0].length
    return { is: 'repeat', within, least: Number(found[1] ?? (found[0].startsWith('+') ? 1 : 0)) }
  }

  const atom = (): Tree => {
    const from = at
    const character = source[at++] ?? ''
    if (character === '(') return group()
    if (character === '[') {
      while (source[at] !== ']' && at < source.length) at += source[at] === '\\' ? 2 : 1
      at++
    } else if (character === '\\') {
      at += hex.exec(source.slice(at))?.[0].length ?? 1
      const escaped = source.slice(from, at)
      // A backreference repeats its group's match, whose characters are already in the text.
      if (/^\\[bB1-9]|^\\k/.test(escaped)) return { is: 'look', within: undefined }
    } else if (character === '^' || character === '$') {
      return { is: 'look', within: undefined }
    } else if (source.codePointAt(from) !== character.charCodeAt(0)) {
      at++
    }
    return { is: 'atom', source: source.slice(from, at) }
  }

  const group = (): Tree => {
    const opening = /^\?(?::|<?[=!]|<[^>]*>|[a-z-]+:)/.exec(source.slice(at))?.[0] ?? ''
    at += opening.length
    const within = choice()
    at++
    return /^\?<?[=!]/.test(opening) ? { is: 'look', within } : within
  }

  return choice()
}
