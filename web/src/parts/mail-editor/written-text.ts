/**
 * The text of a block as a document of the editor, and back. The service reads the same language:
 * `server/src/templates/thread/inline.ts`. What neither knows stays text.
 */
import { liquidIn } from '../liquid/chips.ts'

export interface Mark {
  type: 'bold' | 'italic' | 'underline' | 'accent' | 'colour' | 'size' | 'link'
  attrs?: { step?: string; href?: string; name?: string }
}

/** A piece of a paragraph. `liquid` is a value that is filled in, or the author's own code. */
export interface Piece {
  type: 'text' | 'hardBreak' | 'liquid'
  text?: string
  attrs?: { code: string }
  marks?: Mark[]
}

export interface Paragraph {
  type: 'paragraph'
  content?: Piece[]
}

export interface WrittenDocument {
  type: 'doc'
  content: Paragraph[]
}

/** Marks by name, as one piece has them. */
interface Marks {
  bold?: true
  italic?: true
  underline?: true
  accent?: true
  /** The name of another colour of the brand. */
  colour?: string
  size?: string
  link?: string
}

const documentOf = (paragraphs: Piece[][]): WrittenDocument => ({
  type: 'doc',
  content: (paragraphs.length === 0 ? [[]] : paragraphs).map((content) =>
    content.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content },
  ),
})

const piecesOf = ({ content }: WrittenDocument): Piece[][] =>
  content.map((paragraph) => paragraph.content ?? [])

/** Text with marks: paragraphs, which empty lines separate. */
export function readText(text: string): WrittenDocument {
  const { hidden, codes } = withoutLiquid(text)
  const next = codes.values()
  return documentOf(paragraphsOf(hidden).map((paragraph) => readInline(paragraph, next)))
}

export function writeText(document: WrittenDocument): string {
  return piecesOf(document)
    .flatMap((pieces) => inParagraphs(pieces).map(writeInline))
    .join('\n\n')
}

/** One text with marks an item. An empty line within an item is a line break, as in the mail. */
export function readItems(items: readonly string[]): WrittenDocument {
  return documentOf(
    items.map((item) => {
      const { hidden, codes } = withoutLiquid(item)
      const next = codes.values()
      return paragraphsOf(hidden).flatMap((paragraph, n): Piece[] => [
        ...(n > 0 ? [{ type: 'hardBreak' } as const] : []),
        ...readInline(paragraph, next),
      ])
    }),
  )
}

export function writeItems(document: WrittenDocument): string[] {
  return piecesOf(document).map((pieces) => inParagraphs(pieces).map(writeInline).join('\n'))
}

/** A line without marks, such as a heading. */
export function readLine(text: string): WrittenDocument {
  const { hidden, codes } = withoutLiquid(text.replaceAll(/\s*\n\s*/g, ' '))
  return documentOf([piecesWith(hidden, {}, codes.values())])
}

export function writeLine(document: WrittenDocument): string {
  const codes: string[] = []
  const written = piecesOf(document).flatMap((pieces) =>
    pieces.map(({ text, attrs }) => {
      if (!attrs) return (text ?? ' ').replace(allStandIns, '').replaceAll('{', standInOf('{'))
      codes.push(attrs.code)
      return liquid
    }),
  )
  const line = written.join('').replaceAll('\n', ' ')
  let plain = ''
  for (let at = 0; at < line.length; at += 1) {
    const sign = line.charAt(at)
    plain += sign === standInOf('{') ? (beginsLiquid(line, at) ? literalBrace : '{') : sign
  }
  const next = codes.values()
  return plain.replaceAll(liquid, () => next.next().value ?? '')
}

/** Lines without marks, as a text message has them. */
export function readLines(text: string): WrittenDocument {
  const { hidden, codes } = withoutLiquid(text)
  const next = codes.values()
  return documentOf(hidden.split('\n').map((row) => piecesWith(row, {}, next)))
}

export const writeLines = (document: WrittenDocument) =>
  document.content.map((row) => writeLine({ type: 'doc', content: [row] })).join('\n')

/** The words of a text without its marks, for a name in a list. */
export function wordsOf(text: string, nameOf = (code: string) => code): string {
  const said = ({ text: words, attrs }: Piece) => words ?? (attrs ? nameOf(attrs.code) : ' ')
  return piecesOf(readText(text))
    .map((pieces) => pieces.map(said).join(''))
    .join(' ')
}

/** Signs of Unicode that no text has stand for what is no mark: a sign after a backslash, and Liquid. */
const escapable = '*[]{'
const standIns = '\ufdd0\ufdd1\ufdd2\ufdd3'
const backslash = '\ufdd4'
const liquid = '\ufdd5'
/** A bracket within brackets. */
const forced = { open: '\ufdd6', close: '\ufdd7' }
const allStandIns = /[\ufdd0-\ufdd7]/g

const standInOf = (sign: string) => standIns[escapable.indexOf(sign)] ?? sign

const literalBrace = '{{ "{" }}'

function withoutLiquid(text: string): { hidden: string; codes: string[] } {
  const codes: string[] = []
  let hidden = ''
  let at = 0
  const clean = text.replaceAll('\r\n', '\n').replace(allStandIns, '')
  for (const { start, end } of liquidIn(clean)) {
    hidden += clean.slice(at, start) + liquid
    codes.push(clean.slice(start, end))
    at = end
  }
  return { hidden: hidden + clean.slice(at), codes }
}

function paragraphsOf(text: string): string[] {
  const paragraphs: string[][] = [[]]
  for (const line of text.split('\n')) {
    if (line.trim() !== '') paragraphs.at(-1)?.push(line)
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([])
  }
  return paragraphs.filter(({ length }) => length > 0).map((lines) => lines.join('\n'))
}

/** An empty line within a paragraph of the editor ends it. */
function inParagraphs(pieces: readonly Piece[]): Piece[][] {
  const paragraphs: Piece[][] = [[]]
  let line: Piece[] = []
  let before: Piece | undefined
  const endLine = (end: Piece | undefined) => {
    const isEmpty = line.every(({ type, text = '' }) => type === 'text' && text.trim() === '')
    const last = paragraphs.at(-1)
    if (isEmpty) {
      if (last?.length !== 0) paragraphs.push([])
    } else last?.push(...(before && last.length > 0 ? [before] : []), ...line)
    line = []
    before = end
  }
  for (const piece of pieces) {
    if (piece.type === 'hardBreak') endLine(piece)
    else line.push(piece)
  }
  endLine(undefined)
  return paragraphs.filter(({ length }) => length > 0)
}

interface Star {
  star: '**' | '*'
  opens: boolean
  closes: boolean
}
type Token = Star | { pieces: Piece[] }

function readInline(written: string, codes: Iterator<string>): Piece[] {
  const text = withoutEscapes(written)
  const tokens: Token[] = []
  let at = 0
  let searched = 0
  let close = -1
  for (;;) {
    const middle = nextMiddle(text, Math.max(at, searched))
    if (middle < 0) break
    searched = middle + 2
    const isLink = text[middle + 1] === '('
    if (isLink && close < searched) {
      close = text.indexOf(')', searched)
      if (close < 0) close = text.length
    }
    const styles = isLink ? undefined : marksAt(text, middle + 1)
    if (isLink ? close === text.length : !styles) continue
    const open = text.slice(at, middle).lastIndexOf('[')
    if (open < 0) {
      addTokens(tokens, { text, start: at, end: searched, codes })
      at = searched
      continue
    }
    addTokens(tokens, { text, start: at, end: at + open, codes })
    const label: Token[] = []
    addTokens(label, { text, start: at + open + 1, end: middle, codes })
    let marks = styles?.marks ?? {}
    let end = styles?.end ?? close + 1
    if (isLink) {
      const href = withCodes(text.slice(searched, close), codes).trim()
      const after = marksAt(text, end)
      marks = { ...after?.marks, link: href }
      end = after?.end ?? end
    }
    tokens.push({ pieces: emphasised(label).map((piece) => withMarks(piece, marks)) })
    at = end
  }
  addTokens(tokens, { text, start: at, end: text.length, codes })
  return merged(emphasised(tokens))
}

function nextMiddle(text: string, from: number): number {
  let at = text.indexOf(']', from)
  while (at >= 0 && text[at + 1] !== '(' && text[at + 1] !== '{') at = text.indexOf(']', at + 1)
  return at
}

function withoutEscapes(text: string): string {
  return text.replace(/\\+[*[\]{]?/g, (row) => {
    const sign = escapable.indexOf(row.at(-1) ?? '')
    if (sign < 0) return row
    const count = row.length - 1
    const last = count % 2 === 0 ? escapable[sign] : standIns[sign]
    return backslash.repeat(Math.floor(count / 2)) + last
  })
}

/** An address as it was written, with its Liquid. */
const withCodes = (text: string, codes: Iterator<string>) =>
  text.replace(allStandIns, (sign) => {
    if (sign === liquid) return codes.next().value ?? ''
    const place = standIns.indexOf(sign)
    return place < 0 ? '\\\\' : `\\${escapable[place]}`
  })

const signs = (text: string) =>
  text.replace(allStandIns, (sign) => escapable[standIns.indexOf(sign)] ?? '\\')

const marksLength = 40

function marksAt(text: string, at: number): { marks: Marks; end: number } | undefined {
  if (text[at] !== '{') return undefined
  const [, words] = /^\{([a-z= ]+)\}/.exec(text.slice(at, at + marksLength)) ?? []
  if (words === undefined) return undefined
  const marks: Marks = {}
  for (const word of words.split(' ')) {
    if (word === 'b') marks.bold = true
    else if (word === 'i') marks.italic = true
    else if (word === 'u') marks.underline = true
    else if (word === 'color=accent') marks.accent = true
    else if (/^color=[a-z]{1,20}$/.test(word)) marks.colour = word.slice('color='.length)
    else if (word === 'size=s' || word === 'size=l') marks.size = word.slice('size='.length)
    // The usual size.
    else if (word === 'size=m') delete marks.size
    else return undefined
  }
  return { marks, end: at + words.length + 2 }
}

const isSpace = (sign: string | undefined) => sign === undefined || sign.trim() === ''

interface Part {
  text: string
  start: number
  end: number
  codes: Iterator<string>
}

/** A star is a mark beside a word. Between spaces it is a star. */
function addTokens(tokens: Token[], { text, start, end, codes }: Part): void {
  const part = text.slice(start, end)
  let from = 0
  for (let at = part.indexOf('*'); at >= 0; at = part.indexOf('*', from)) {
    if (at > from) tokens.push({ pieces: piecesWith(part.slice(from, at), {}, codes) })
    const star = part[at + 1] === '*' ? '**' : '*'
    from = at + star.length
    const [before, after] = [text[start + at - 1], text[start + from]]
    tokens.push({ star, opens: !isSpace(after), closes: !isSpace(before) })
  }
  if (from < part.length) tokens.push({ pieces: piecesWith(part.slice(from), {}, codes) })
}

function emphasised(tokens: readonly Token[]): Piece[] {
  const open: { star: string; place: number }[] = []
  const marks = new Set<number>()
  for (const [place, token] of tokens.entries()) {
    if ('pieces' in token) continue
    const last = open.at(-1)
    if (last?.star === token.star && token.closes) {
      marks.add(last.place).add(place)
      open.pop()
    } else if (token.opens && !open.some(({ star }) => star === token.star)) {
      open.push({ star: token.star, place })
    }
  }
  const now: Marks = {}
  return tokens.flatMap((token, place): Piece[] => {
    if ('pieces' in token) return token.pieces.map((piece) => withMarks(piece, now))
    if (!marks.has(place)) return [withMarks({ type: 'text', text: token.star }, now)]
    const mark = token.star === '**' ? 'bold' : 'italic'
    if (now[mark]) delete now[mark]
    else now[mark] = true
    return []
  })
}

function piecesWith(text: string, marks: Marks, codes: Iterator<string>): Piece[] {
  const list = listOf(marks)
  const attributes = list.length === 0 ? {} : { marks: list }
  return text.split(/([\n\ufdd5])/).flatMap((part): Piece[] => {
    if (part === '') return []
    if (part === '\n') return [{ type: 'hardBreak', ...attributes }]
    if (part !== liquid) return [{ type: 'text', text: signs(part), ...attributes }]
    const code: string = codes.next().value ?? ''
    if (code === literalBrace) return [{ type: 'text', text: '{', ...attributes }]
    return [{ type: 'liquid', attrs: { code }, ...attributes }]
  })
}

const order = ['link', 'bold', 'italic', 'underline', 'accent', 'colour', 'size'] as const

function listOf(marks: Marks): Mark[] {
  return order.flatMap((type): Mark[] => {
    const value = marks[type]
    if (value === undefined) return []
    if (type === 'link') return [{ type, attrs: { href: String(value) } }]
    if (type === 'colour') return [{ type, attrs: { name: String(value) } }]
    return type === 'size' ? [{ type, attrs: { step: String(value) } }] : [{ type }]
  })
}

function marksOf({ marks = [] }: Piece): Marks {
  const found: Marks = {}
  for (const { type, attrs } of marks) {
    if (type === 'link') found.link = attrs?.href ?? ''
    else if (type === 'size') found.size = attrs?.step ?? 'l'
    else if (type === 'colour') found.colour = attrs?.name ?? ''
    else found[type] = true
  }
  return found
}

function withMarks(piece: Piece, marks: Marks): Piece {
  const list = listOf({ ...marksOf(piece), ...marks })
  const { marks: _former, ...bare } = piece
  return list.length === 0 ? bare : { ...bare, marks: list }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Neighbouring texts with the same marks are one. */
function merged(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last?.type === 'text' && piece.type === 'text' && same(last.marks, piece.marks)) {
      all[all.length - 1] = { ...last, text: `${last.text}${piece.text}` }
    } else all.push(piece)
  }
  return all
}

/** Pieces with the same link, colour, size and line, which are written in one pair of brackets. */
interface Group {
  marks: Omit<Marks, 'bold' | 'italic'>
  pieces: Piece[]
}

function writeInline(pieces: readonly Piece[]): string {
  const codes: string[] = []
  const groups: Group[] = []
  for (const piece of pieces) {
    const { bold: _bold, italic: _italic, ...marks } = marksOf(piece)
    const last = groups.at(-1)
    if (last && same(last.marks, marks)) last.pieces.push(piece)
    else groups.push({ marks, pieces: [piece] })
  }
  let written = ''
  for (const { marks, pieces: part } of groups) {
    const runs = runsOf(part, codes)
    if (Object.keys(marks).length === 0) {
      written = runs.reduce((before, run) => before + starred(before, run), written)
      continue
    }
    const label = runs.reduce(
      (before, run) => {
        if (before === undefined || (run.bold && run.italic)) return undefined
        const next = starred(before, run)
        return next.startsWith('[') ? undefined : before + next
      },
      '' as string | undefined,
    )
    // Emphasis that stars cannot write is written in braces, a pair of brackets each.
    written +=
      label === undefined
        ? runs.map(({ text, ...emphasis }) => bracketed(text, { ...emphasis, ...marks })).join('')
        : bracketed(label, marks)
  }
  return resolved(written, codes)
}

interface Run extends Pick<Marks, 'bold' | 'italic'> {
  /** With stand-ins for what is no mark. */
  text: string
}

function runsOf(pieces: readonly Piece[], codes: string[]): Run[] {
  const runs: Run[] = []
  for (const piece of pieces) {
    const { bold, italic } = marksOf(piece)
    const emphasis = { ...(bold && { bold }), ...(italic && { italic }) }
    let text = piece.text === undefined ? '\n' : literal(piece.text)
    if (piece.attrs?.code !== undefined) {
      codes.push(piece.attrs.code)
      text = liquid
    }
    const last = runs.at(-1)
    if (last && last.bold === bold && last.italic === italic) last.text += text
    else runs.push({ ...emphasis, text })
  }
  return runs
}

/** Every sign that could be a mark as its stand-in. */
function literal(text: string): string {
  return text
    .replace(allStandIns, '')
    .replaceAll('\\', backslash)
    .replace(/[*[\]{]/g, standInOf)
    .replaceAll('\n', ' ')
}

const isSpecial = (sign: string) =>
  sign !== '' && (escapable + standIns + forced.open + forced.close).includes(sign)

/** Writes each stand-in as its sign, behind a backslash where it would be read as a mark. */
function resolved(written: string, codes: readonly string[]): string {
  const next = codes.values()
  let text = ''
  for (let at = 0; at < written.length; at += 1) {
    const sign = written.charAt(at)
    const [before, after] = [written.charAt(at - 1), written.charAt(at + 1)]
    if (sign === liquid) text += next.next().value ?? ''
    else if (sign === forced.open) text += '\\['
    else if (sign === forced.close) text += '\\]'
    else if (sign === backslash) {
      let end = at
      while (written.charAt(end) === backslash) end += 1
      const isRead = isSpecial(written.charAt(end)) && !beginsLiquid(written, end)
      text += '\\'.repeat((end - at) * (isRead ? 2 : 1))
      at = end - 1
    } else if (sign === standInOf('*')) {
      text += isSpace(before || undefined) && isSpace(after || undefined) ? '*' : '\\*'
    } else if (sign === standInOf('[')) text += '['
    else if (sign === standInOf(']')) {
      const marks = written.slice(at + 1, at + 1 + marksLength).replace(standInOf('{'), '{')
      text += after === '(' || marksAt(marks, 0) ? '\\]' : ']'
    } else if (sign === standInOf('{')) {
      if (beginsLiquid(written, at)) text += literalBrace
      else text += before === ')' ? '\\{' : '{'
    } else text += sign
  }
  return text
}

/** Whether a brace that is text would be read as the beginning of Liquid. */
function beginsLiquid(written: string, at: number): boolean {
  const after = written.charAt(at + 1)
  return (
    written.charAt(at) === standInOf('{') &&
    (after === standInOf('{') || after === '%' || after === liquid)
  )
}

/** Emphasis is beside words: spaces around them stay outside of it. */
function starred(before: string, { bold, italic, text }: Run): string {
  if (!bold && !italic) return text
  const inner = text.trim()
  if (inner === '') return text
  const start = text.slice(0, text.indexOf(inner))
  const end = text.slice(start.length + inner.length)
  const isBesideStar = start === '' && before.endsWith('*')
  if ((bold && italic) || isBesideStar)
    return start + bracketed(inner, { ...(bold && { bold }), ...(italic && { italic }) }) + end
  const star = bold ? '**' : '*'
  return start + star + inner + star + end
}

function bracketed(label: string, marks: Marks): string {
  const words = [
    ...(marks.bold ? ['b'] : []),
    ...(marks.italic ? ['i'] : []),
    ...(marks.underline ? ['u'] : []),
    ...(marks.accent ? ['color=accent'] : []),
    ...(marks.colour === undefined ? [] : [`color=${marks.colour}`]),
    ...(marks.size === undefined ? [] : [`size=${marks.size}`]),
  ]
  const link = marks.link === undefined ? '' : `(${addressOf(marks.link)})`
  const inside = label
    .replaceAll(standInOf('['), forced.open)
    .replaceAll(standInOf(']'), forced.close)
  return `[${inside}]${link}${words.length === 0 ? '' : `{${words.join(' ')}}`}`
}

/** An address has no space, and no bracket that would end it. Its Liquid is as it was written. */
export function addressOf(href: string): string {
  let written = ''
  let at = 0
  const plain = (text: string) =>
    text.replaceAll(')', '%29').replaceAll('(', '%28').replaceAll(/\s/g, '%20')
  const trimmed = href.trim()
  for (const { start, end } of liquidIn(trimmed)) {
    written += plain(trimmed.slice(at, start)) + trimmed.slice(start, end)
    at = end
  }
  return written + plain(trimmed.slice(at))
}
