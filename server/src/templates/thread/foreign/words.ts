/** Words with their marks, as the text of blocks writes them (`templates/thread/inline.ts`). */
import type { Piece } from './merge-tags.ts'

export interface Marks {
  bold: boolean
  italic: boolean
  underline: boolean
  href?: string | undefined
}

interface Run {
  pieces: Piece[]
  marks: Marks
}

/** Collects the words of one block; spaces become what a browser shows. */
export class Words {
  #runs: Run[] = []
  readonly #paragraphs: string[] = []

  add(pieces: readonly Piece[], marks: Marks): void {
    const last = this.#runs.at(-1)
    if (last && isSame(last.marks, marks)) last.pieces.push(...pieces)
    else this.#runs.push({ pieces: [...pieces], marks })
  }

  break(): void {
    this.#runs.push({ pieces: [{ words: '\n' }], marks: plain })
  }

  endParagraph(): void {
    const text = tidy(this.#runs.map(written).join(''))
    this.#runs = []
    if (text !== '') this.#paragraphs.push(text)
  }

  /** The paragraphs so far, which are then forgotten. */
  take(): string[] {
    this.endParagraph()
    return this.#paragraphs.splice(0)
  }
}

export const plain: Marks = { bold: false, italic: false, underline: false }

const isSame = (marks: Marks, other: Marks) =>
  marks.bold === other.bold &&
  marks.italic === other.italic &&
  marks.underline === other.underline &&
  marks.href === other.href

function written({ pieces, marks }: Run): string {
  const text = pieces.map(spelled).join('')
  const core = text.trim()
  if (core === '') return text
  const start = text.slice(0, text.indexOf(core))
  const end = text.slice(start.length + core.length)
  const lines = core.split('\n').map((line) => marked(line.trim(), marks, pieces))
  return start + lines.join('\n') + end
}

function marked(line: string, { bold, italic, underline, href }: Marks, pieces: readonly Piece[]) {
  if (line === '') return ''
  const names = [bold && 'b', italic && 'i', underline && 'u'].filter(Boolean).join(' ')
  if (href !== undefined) {
    // A slot has brackets of its own, so it stands before the link.
    const slots = pieces.flatMap((piece) => ('slot' in piece ? [piece.slot] : []))
    let label = line
    for (const slot of slots) label = label.replace(slot, '').trim()
    const before = slots.length === 0 ? '' : `${slots.join(' ')} `
    if (label === '') return before.trim()
    return `${before}[${label}](${href})${names === '' ? '' : `{${names}}`}`
  }
  return names === '' || line.includes('[[') ? line : `[${line}]{${names}}`
}

const spelled = (piece: Piece) =>
  'words' in piece ? escaped(piece.words) : 'field' in piece ? piece.field : piece.slot

/** The signs that would have a meaning. */
const escaped = (words: string) =>
  words.replace(/\\+[*[\]{]?|[*[\]{]/g, (row) => {
    if (row.endsWith('\\')) return row
    return `${row.slice(0, -1).repeat(2)}\\${row.at(-1)}`
  })

/** Lines without spaces around them, and no empty line, which would begin a paragraph. */
const tidy = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

/** For a field without marks, such as a heading or the words of a button. */
export const plainWords = (pieces: readonly Piece[]) =>
  pieces
    .map((piece) => ('words' in piece ? piece.words : 'field' in piece ? piece.field : piece.slot))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
