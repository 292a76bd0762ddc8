/**
 * Texts that may make a pattern slow, built from the pattern's own pieces: a text that one part
 * matches, repeated, after a text for what precedes that part, with an end that spoils the match.
 * Every text on which a backtracking engine takes more than linear time has that form.
 */
import { type Tree, treeOf } from './pattern-tree.ts'

export interface HostileText {
  before: string
  unit: string
  end: string
}

/** Characters that classes most often include and exclude. */
const common = ['a', 'A', 'z', '0', '9', ' ', '\t', '\n', '\r', '-', '_', '.', ',', ':', ';', '@']
const marks = ['<', '>', '"', "'", '/', '\\', '=', '&', '(', '[', '{', '}', '#', '%', 'é', '\u2028']
/** A character that hardly any pattern matches. */
const odd = '\u0001'

/** The most of each kind, because a pattern of many words has more than it needs. */
const most = { samples: 4, units: 90, ends: 5 }

export function hostileTexts(source: string, flags: string): HostileText[] {
  const pieces = piecesOf(source, flags)
  const tree = treeOf(source)
  const units = new Set<string>()
  const pumps: { before: string; unit: string }[] = []
  walk(tree, [''], pieces, (before, node) => {
    const made = samples(node, pieces).filter((sample) => sample !== '')
    for (const unit of made) units.add(unit)
    if (node.is === 'repeat') {
      for (const unit of made) for (const one of before) pumps.push({ before: one, unit })
    }
  })
  for (const piece of pieces.alphabet) units.add(piece)
  const singles = [...units].slice(0, most.units)
  // Pairs of neighbours, for two parts that both match the text between them.
  const pairs = singles.slice(0, most.units / 2).map((unit, n, all) => unit + all[(n + 1) % 7])
  const alone = [...singles, ...pairs].map((unit) => ({ before: '', unit }))
  const ends = ['', ...pieces.ends].slice(0, most.ends)
  const all = [...pumps.slice(0, most.units), ...alone]
  return all.flatMap((entry) => ends.map((end) => ({ ...entry, end })))
}

interface Pieces {
  /** The characters with which the most parts of the pattern begin. */
  alphabet: string[]
  ends: string[]
  takes(atom: string): string[]
}

function piecesOf(source: string, flags: string): Pieces {
  const atoms = [...new Set(atomsOf(treeOf(source)))]
  const literals = atoms.filter((atom) => atom.length <= 2 && atom !== '.')
  const written = literals.map((atom) => (atom.startsWith('\\') ? '' : atom))
  const candidates = [...new Set([...common, ...marks, ...written])].filter((text) => text !== '')
  const unicode = flags.replace(/[^uvis]/g, '')
  const taken = new Map(
    atoms.map((atom) => {
      const test = new RegExp(`^(?:${atom})$`, unicode)
      return [atom, candidates.filter((candidate) => test.test(candidate))]
    }),
  )
  const count = (text: string) => [...taken.values()].filter((all) => all.includes(text)).length
  const alphabet = candidates
    .filter((candidate) => count(candidate) > 0)
    .toSorted((a, b) => count(b) - count(a))
  const misses = candidates.toSorted((a, b) => count(a) - count(b))
  return {
    alphabet,
    ends: [odd, ...misses.slice(0, 2), alphabet[0] ?? odd],
    takes: (atom) => {
      const all = taken.get(atom) ?? []
      return all.toSorted((a, b) => count(b) - count(a)).slice(0, 3)
    },
  }
}

function atomsOf(tree: Tree): string[] {
  if (tree.is === 'atom') return [tree.source]
  return childrenOf(tree).flatMap(atomsOf)
}

function childrenOf(tree: Tree): Tree[] {
  switch (tree.is) {
    case 'atom':
      return []
    case 'sequence':
      return tree.parts
    case 'choice':
      return tree.ways
    case 'look':
      return tree.within ? [tree.within] : []
    case 'repeat':
      return [tree.within]
  }
}

/** Visits each part with texts that may precede it. */
function walk(
  tree: Tree,
  before: string[],
  pieces: Pieces,
  visit: (before: string[], tree: Tree) => void,
): void {
  visit(before, tree)
  if (tree.is !== 'sequence') {
    for (const child of childrenOf(tree)) walk(child, before, pieces, visit)
    return
  }
  let so = before
  for (const part of tree.parts) {
    walk(part, so, pieces, visit)
    so = crossed(so, samples(part, pieces))
    // Everything read so far is also a unit, because a match may begin again after each.
    visit([''], { is: 'sequence', parts: tree.parts.slice(0, tree.parts.indexOf(part) + 1) })
  }
}

/** Some texts that the part matches. */
function samples(tree: Tree, pieces: Pieces): string[] {
  switch (tree.is) {
    case 'atom':
      return pieces.takes(tree.source)
    case 'look':
      return ['']
    case 'choice':
      return spread(tree.ways.flatMap((way) => samples(way, pieces).slice(0, 2)))
    case 'repeat': {
      const made = samples(tree.within, pieces).map((sample) => sample.repeat(tree.least || 1))
      return tree.least > 0 ? made : [...made.slice(0, most.samples - 1), '']
    }
    case 'sequence':
      return tree.parts.reduce((all, part) => crossed(all, samples(part, pieces)), [''])
  }
}

function crossed(left: string[], right: string[]): string[] {
  if (right.length === 0) return left
  const longest = Math.max(left.length, right.length)
  const made = Array.from({ length: longest * 2 }, (_, n) => {
    return (
      (left[n % left.length] ?? '') + (right[(n + (n >= longest ? 1 : 0)) % right.length] ?? '')
    )
  })
  return spread([...new Set(made)])
}

/** Takes samples from the whole list, not only from its beginning. */
function spread(all: string[]): string[] {
  if (all.length <= most.samples) return all
  const step = all.length / most.samples
  return Array.from({ length: most.samples }, (_, n) => all[Math.floor(n * step)] ?? '')
}

/** The text at this length; it is at least as long as its unit once and the parts around it. */
export function textOf({ before, unit, end }: HostileText, length: number): string {
  const room = length - before.length - end.length
  return before + unit.repeat(Math.max(1, Math.floor(room / unit.length))) + end
}
