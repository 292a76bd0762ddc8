/** What a reader of a mail would see changed between two versions: its blocks and words, not its JSON. */
import type { Block, BlockType } from '../../parts/blocks/model.ts'
import type { Content, Translation } from '../../parts/content/content.ts'

interface Piece {
  text: string
  side: 'both' | 'old' | 'new'
}

type Kind = 'added' | 'removed' | 'changed' | 'moved'

export interface Change {
  kind: Kind
  /** A field of the mail, or a type of block. */
  part: PartName
  /** The language of the translation that it is in. */
  language?: string
  words: Piece[]
  /** Names of what else is different, such as `align`. */
  settings: string[]
}

type PartName = 'subject' | 'preheader' | 'body' | 'plain' | BlockType

/** One part of a mail as it is compared. */
interface Unit {
  part: PartName
  words: string
  settings: Record<string, string>
}

/** Reads the words of a text with marks and fields. */
type ReadWords = (text: string) => string

export function versionDifference(before: Content, after: Content, read: ReadWords): Change[] {
  const tags = new Set([before, after].flatMap((one) => Object.keys(one.translations ?? {})))
  return [
    ...unitDifference(unitsOf(before, read), unitsOf(after, read)),
    ...[...tags].flatMap((language) =>
      unitDifference(
        unitsOf(before.translations?.[language] ?? {}, read),
        unitsOf(after.translations?.[language] ?? {}, read),
      ).map((change) => ({ ...change, language })),
    ),
  ]
}

function unitsOf(content: Translation, read: ReadWords): Unit[] {
  const { subject, preheader, html, mjml, blocks, text } = content
  const field = (part: PartName, words: string | undefined): Unit[] =>
    words === undefined ? [] : [{ part, words, settings: {} }]
  return [
    ...field('subject', subject && read(subject)),
    ...field('preheader', preheader && read(preheader)),
    ...paragraphsOf(html ?? mjml ?? '').flatMap((words) => field('body', words)),
    ...(blocks ?? []).flatMap((block) => unitsOfBlock(block, read)),
    ...(text ?? '').split('\n').flatMap((line) => (line.trim() === '' ? [] : field('plain', line))),
  ]
}

/** Of columns, each block within them, after the columns themselves. */
function unitsOfBlock(block: Block, read: ReadWords): Unit[] {
  const { type, text, items, by, name, price, code, button, rows, totals, mjml, columns, ...rest } =
    block
  const entries = [...(rows ?? []), ...(totals ?? [])].map((entry) =>
    [entry.name, entry.quantity, entry.price].filter(Boolean).join(' '),
  )
  const said = [text, ...(items ?? []), by, name, price, code, button, ...entries]
  const words = said
    .filter((entry) => entry !== undefined && entry !== '')
    .map((entry) => read(`${entry}`))
  const own = mjml === undefined ? words : paragraphsOf(mjml)
  const settings = Object.fromEntries(
    Object.entries({ ...rest, columns: columns?.length })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, JSON.stringify(value)]),
  )
  return [
    { part: type, words: own.join('\n'), settings },
    ...(columns ?? []).flat().flatMap((inner) => unitsOfBlock(inner, read)),
  ]
}

const breaks = /<\/?(?:p|div|h[1-6]|li|tr|td|th|table|br|hr|blockquote|mj-[a-z-]{1,30})\b[^>]*>/gi

/** The words of a page, a paragraph each, as its reader sees them. */
export function paragraphsOf(html: string): string[] {
  return html
    .replaceAll(/<(head|style|script|mj-head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(breaks, '\n')
    .replaceAll(/<[a-z/][^>]*>/gi, '')
    .replaceAll(/&(?:nbsp|#160|#xa0);/gi, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Blocks that stayed, in order, divide the mails; between two of them, those of one kind are pairs. */
function unitDifference(before: readonly Unit[], after: readonly Unit[]): Change[] {
  const changes: Change[] = []
  let gone: Unit[] = []
  let fresh: Unit[] = []
  const units = new Map([...before, ...after].map((unit) => [JSON.stringify(unit), unit]))
  const steps = difference(
    before.map((unit) => JSON.stringify(unit)),
    after.map((unit) => JSON.stringify(unit)),
  )
  const settle = () => {
    for (const unit of gone) {
      const place = fresh.findIndex(({ part }) => part === unit.part)
      const [other] = place < 0 ? [] : fresh.splice(place, 1)
      changes.push(other ? changed(unit, other) : whole(unit, 'removed'))
    }
    changes.push(...fresh.map((unit) => whole(unit, 'added')))
    gone = []
    fresh = []
  }
  for (const { text, side } of steps) {
    const unit = units.get(text)
    if (side === 'both') settle()
    else if (unit) (side === 'old' ? gone : fresh).push(unit)
  }
  settle()
  return withMoves(changes)
}

function changed(before: Unit, after: Unit): Change {
  const keys = new Set([...Object.keys(before.settings), ...Object.keys(after.settings)])
  return {
    kind: 'changed',
    part: after.part,
    words: before.words === after.words ? [] : wordDifference(before.words, after.words),
    settings: [...keys].filter((key) => before.settings[key] !== after.settings[key]),
  }
}

const whole = ({ part, words }: Unit, kind: 'added' | 'removed'): Change => ({
  kind,
  part,
  words: words === '' ? [] : [{ text: words, side: kind === 'added' ? 'new' : 'old' }],
  settings: [],
})

/** What went in one place and came in another with the same words was moved. */
function withMoves(changes: readonly Change[]): Change[] {
  const wordsOf = ({ part, words }: Change) => `${part} ${words.map(({ text }) => text).join('')}`
  const gone = new Map(
    changes.filter(({ kind }) => kind === 'removed').map((change) => [wordsOf(change), change]),
  )
  const moved = new Set<Change>()
  const shown = changes.map((change) => {
    const other = change.kind === 'added' ? gone.get(wordsOf(change)) : undefined
    if (!other || moved.has(other)) return change
    moved.add(other)
    return { ...change, kind: 'moved' as const, words: sameWords(change.words) }
  })
  return shown.filter((change) => !moved.has(change))
}

const sameWords = (words: readonly Piece[]): Piece[] =>
  words.map(({ text }) => ({ text, side: 'both' }))

/** Each word with the space after it. */
export function wordDifference(before: string, after: string): Piece[] {
  const joined: Piece[] = []
  for (const { text, side } of difference(tokensOf(before), tokensOf(after))) {
    const last = joined.at(-1)
    if (last?.side === side) last.text += text
    else joined.push({ text, side })
  }
  return joined
}

const tokensOf = (text: string) => text.match(/\s*\S+\s*/g) ?? []

/** Beyond so many parts, texts are shown one after the other. */
const most = 1_500

/** By the longest common sequence. */
function difference(a: readonly string[], b: readonly string[]): Piece[] {
  if (a.length > most || b.length > most) return [...sided(a, 'old'), ...sided(b, 'new')]
  // lengths[i][j]: parts that a from i and b from j have in common.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i]
    for (let j = b.length - 1; row && j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pieces: Piece[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [old, fresh] = [a[i], b[j]]
    if (old !== undefined && old === fresh) {
      pieces.push({ text: old, side: 'both' })
      i++
      j++
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ text: old, side: 'old' })
      i++
    } else if (fresh !== undefined) {
      pieces.push({ text: fresh, side: 'new' })
      j++
    }
  }
  return pieces
}

const sided = (texts: readonly string[], side: Piece['side']): Piece[] =>
  texts.map((text) => ({ text, side }))
